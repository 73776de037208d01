"""What is written for small backend files, on the operators of the sample, is what the kept copies say.

Each `backend/CASE.yaml` shows some features; `backend/CASE.expected` is what is made of it with templates that hold
nothing but their variables. Comments at the head of a case may say

    # release: 2.1
    # lean
    # files: RegisterPrivateUse1.cpp

The files to show are all of them when it names none. Where a file is not lean, the helper functions, which are the same
in all, are left out. To write the kept copies anew, set OPWRIGHT_UPDATE_GOLDEN=1, and then read what has changed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from opwright.backends import ReadBackend, emission_of, plan_backend
from opwright.diagnostics import Diagnostics
from opwright.model.backend import read_backend
from opwright.model.context import Context
from opwright.options import StubOptions
from opwright.report import render
from opwright.source import read_source
from opwright.syntax.yaml_reading import read_yaml
from tests.golden.test_lazy_output import model_of
from tests.golden.test_sample_output import HELPERS, Head
from tests.releases import SAMPLES

HERE = Path(__file__).parent
CASES = sorted(path.stem for path in (HERE / "backend").glob("*.yaml"))


def made(case: Path, head: Head) -> dict[str, str]:
    """The files for one case: texts by name."""
    model, faults = model_of(*(head.listed("release") or [SAMPLES.name])), Diagnostics()
    root = read_yaml(read_source(case), faults)
    assert root is not None
    backend = read_backend(root, Context(model.release, faults), model)
    assert backend is not None
    read = ReadBackend(backend, model)
    emission = emission_of(read, HERE / "templates", faults)
    options = StubOptions("out", lean=head.says("lean"))
    texts = {planned.path: planned.text() for planned in plan_backend(read, options, emission)}
    assert not faults.items, render(faults.in_order(), "text")
    return {path: text for path, text in texts.items() if text is not None}


@pytest.mark.parametrize("case", CASES)
def test_case(case: str) -> None:
    expected, source = HERE / "backend" / f"{case}.expected", HERE / "backend" / f"{case}.yaml"
    head = Head(source)
    texts, parts = made(source, head), []
    for path in head.listed("files") or texts:
        lines = [line.rstrip() for line in HELPERS.sub("", texts[path]).splitlines() if line.strip()]
        parts.append("\n".join([f"== {path} ==", *lines, ""]))
    actual = "\n".join(parts)
    if os.environ.get("OPWRIGHT_UPDATE_GOLDEN") == "1":
        expected.write_text(actual, encoding="utf-8", newline="\n")
    assert actual == expected.read_text(encoding="utf-8")


def test_every_kept_copy_has_a_case() -> None:
    assert sorted(path.stem for path in (HERE / "backend").glob("*.expected")) == CASES
