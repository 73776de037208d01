"""Models of operators that a test writes itself.

In: the text of a native functions file. Out: its model, with what is generated; the text must have no faults.
"""

from __future__ import annotations

from opwright.artifacts.emission import Emission
from opwright.diagnostics import Diagnostics
from opwright.locate import SAMPLE
from opwright.model.catalog import read_catalog
from opwright.model.context import Context
from opwright.model.model import Group, Model
from opwright.model.operators import Operator
from opwright.options import GenOptions
from opwright.output.template import TemplateFolder
from opwright.reading import derive
from opwright.releases.release import Release
from opwright.source import Source
from opwright.syntax.yaml_reading import read_yaml
from tests.releases import SAMPLES

TAGS = frozenset({"core", "inplace_view", "nondeterministic_seeded", "view_copy"})


def entry(func: str, *lines: str) -> str:
    """One entry of a native functions file: a schema, and the other lines."""
    return "".join([f"- func: {func}\n", *(f"  {line}\n" for line in lines)])


def model_of(text: str, release: Release = SAMPLES) -> Model:
    """The model of a native functions file."""
    faults = Diagnostics()
    source = Source("operators.yaml", text)
    root = read_yaml(source, faults)
    assert root is not None
    context = Context(release, faults, TAGS)
    model = derive(read_catalog(root, source, context), context)
    assert not faults.items, [item.message for item in faults.items]
    return model


def emission_of(text: str, options: GenOptions | None = None) -> Emission:
    """A run for a native functions file, with the templates of the sample."""
    return Emission.of(model_of(text), options or GenOptions(), TemplateFolder(SAMPLE / "templates"), Diagnostics())


def operator_named(name: str, model: Model) -> Operator:
    """The operator with this name, which has that of the overload behind a dot."""
    return next(operator for operator in model.operators if operator.name.text == name)


def first_group(model: Model) -> Group:
    """The first full group."""
    return next(item for item in model.groups if isinstance(item, Group))
