"""From a backend file to the stubs of the backend.

In: a backend file and the operators of a source. Out: a `Backend` with its model, and the files that its kernels need.
"""

from __future__ import annotations

from pathlib import Path

from opwright.artifacts.backend_declarations import Function, functions_to_write
from opwright.artifacts.backend_stubs import backend_stubs
from opwright.artifacts.backend_wrappers import wrapped_backend
from opwright.artifacts.emission import Emission, Planned
from opwright.checking import faulty_source
from opwright.diagnostics import Diagnostics
from opwright.inputs import Inputs
from opwright.locate import Located
from opwright.model.backend import Backend, mentioned, read_backend
from opwright.model.context import Context
from opwright.model.model import Model
from opwright.options import GenOptions, StubOptions
from opwright.output.template import TemplateFolder
from opwright.reading import read_document, read_families, read_model
from opwright.stats import Stats
from opwright.syntax.yamltree import Node
from opwright.values import Value


class ReadBackend(Value):
    """A backend with the operators of its source."""

    backend: Backend
    model: Model


def read_backend_file(
    path: Path,
    located: Located,
    faults: Diagnostics,
    stats: Stats,
    inputs: Inputs | None = None,
    *,
    is_lazy: bool = False,
) -> ReadBackend | None:
    """Read a backend file and look its operators up in the source; None when that cannot be done.

    Only the entries of the source are read that the file is about, as long as nothing is wrong with them or with it.
    `inputs` does the reading.
    """
    inputs = inputs or Inputs()
    document = read_document(inputs.source(path), faults)
    if document is None:
        return None
    root, own = document[0], Diagnostics()
    with stats.stage("read") as stage:
        model = _read_listed(root, located, own, inputs)
        stage.size = len(document[1].text)
    if model is not None:
        backend = read_backend(root, Context(located.release, own), model, is_lazy=is_lazy)
        if backend is not None and not own.has_errors:
            faults.items += own.items
            return ReadBackend(backend, model)
    model = read_source_model(located, faults, stats, inputs)
    backend = read_backend(root, Context(located.release, faults), model, is_lazy=is_lazy)
    return ReadBackend(backend, model) if backend is not None and model is not None else None


def _read_listed(root: Node, located: Located, faults: Diagnostics, inputs: Inputs) -> Model | None:
    """The operators that a backend file lists, with their families."""
    names, keys = mentioned(root)
    native, tags = inputs.source(located.native), inputs.source(located.tags)
    return read_families(native, tags, located.release, faults, names, *keys)


def read_source_model(located: Located, faults: Diagnostics, stats: Stats, inputs: Inputs) -> Model | None:
    """The operators of the source with the kernels of all devices; None, and one diagnostic, when it has errors."""
    own = Diagnostics()
    flags = frozenset(key.flag for key in located.release.keys.values() if key.flag)
    native, tags = inputs.source(located.native), inputs.source(located.tags)
    model = read_model(native, tags, located.release, own, flags, stats)
    if own.has_errors:
        faulty_source(located, own, faults)
        return None
    return model


def emission_of(read: ReadBackend, templates: Path, faults: Diagnostics, inputs: Inputs | None = None) -> Emission:
    """The run for a backend; `inputs` reads the templates."""
    return Emission.of(read.model, GenOptions(), TemplateFolder(templates, inputs), faults)


def plan_backend(read: ReadBackend, options: StubOptions, emission: Emission) -> list[Planned]:
    """The files of a backend before anything of them is made."""
    return list(backend_stubs(emission, read.backend, options))


def declared_kernels(read: ReadBackend, emission: Emission) -> list[Function]:
    """The functions that the author of a backend writes."""
    return functions_to_write(wrapped_backend(read.backend, emission), read.backend, emission)
