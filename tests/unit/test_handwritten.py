"""Skeletons are what the search for kernels finds: of every operator, with symbolic sizes and without."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opwright.backends import ReadBackend, declared_kernels, emission_of
from opwright.cpp.definitions import definitions
from opwright.diagnostics import Diagnostics
from opwright.handwritten import missing_kernels, read_kernels, skeletons
from opwright.inputs import Inputs
from opwright.locate import SAMPLE
from opwright.model.backend import read_backend
from opwright.model.context import Context
from opwright.model.model import Group
from opwright.model.rules.structured import structured_obstacle
from opwright.source import Source
from opwright.syntax.yaml_reading import read_yaml
from tests.releases import SAMPLES
from tests.sample import sample_model


def backend_of(lists: str) -> ReadBackend:
    model, faults = sample_model("mps", "xpu", "mtia"), Diagnostics()
    text = f"backend: PrivateUse1\ncpp_namespace: mine\nuse_out_as_primary: true\n{lists}"
    root = read_yaml(Source("backend.yaml", text), faults)
    assert root is not None
    backend = read_backend(root, Context(SAMPLES, faults), model)
    assert backend is not None and not faults.has_errors
    return ReadBackend(backend, model)


def listed(*, symint: bool) -> str:
    """All operators of the sample, with plain kernels."""
    operators = sample_model("mps", "xpu", "mtia").operators
    symbolic = [one.name.text for one in operators if one.schema.has_symint] if symint else []
    return f"supported: [{', '.join(one.name.text for one in operators)}]\nsymint: [{', '.join(symbolic)}]\n"


def structured() -> str:
    """All groups of the sample that a structured kernel can serve, each with a meta function of its own."""
    groups = [item for item in sample_model("mps", "xpu", "mtia").groups if isinstance(item, Group)]
    names = [item.out.name for item in groups if structured_obstacle(item) is None]
    fields = [f"{name.text}: {{meta: true, kernel: {name.unambiguous}}}" for name in names]
    return f"supported: [{', '.join(f'{{{one}}}' for one in fields)}]\n"


@pytest.mark.parametrize(
    "lists", [listed(symint=False), listed(symint=True), structured()], ids=["plain", "symbolic", "structured"]
)
def test_skeletons_are_found(lists: str, tmp_path: Path) -> None:
    read, faults = backend_of(lists), Diagnostics()
    functions = declared_kernels(read, emission_of(read, SAMPLE / "templates", faults, Inputs()))
    assert len(functions) > 15
    file = tmp_path / "kernels.cpp"
    file.write_text(skeletons(functions, read.backend, '#include "x.h"'), encoding="utf-8")
    written = read_kernels([file], functions, faults, Inputs())
    assert len(written) == len(functions)
    assert missing_kernels(functions, written, read.backend, faults) == []
    assert not faults.items


@given(st.text(alphabet="K:f(){}[]<>,=&*/\"'R \nconst#\\", max_size=60))
def test_any_text_can_be_searched(text: str) -> None:
    for one in definitions(f"{text}K::f({text}", {"K"}):
        assert one.scope == "K"
