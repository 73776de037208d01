"""What is written for small backend files, on the operators of the sample, is what the kept copies say.

Each `lazy/CASE.yaml` shows some features; `lazy/CASE.expected` is what is made of it with templates that hold nothing
but their variables. Comments at the head of a case may say

    # release: 2.1
    # lowered
    # without shapes
    # files: LazyIr.h LazyNativeFunctions.cpp
    # any_switch_of_the_options
    # any_name_of_the_options: mine::Name

To write the kept copies anew, set OPWRIGHT_UPDATE_GOLDEN=1, and then read what has changed.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import pytest

from opwright import lazy, reading
from opwright.backends import ReadBackend
from opwright.diagnostics import Diagnostics
from opwright.inputs import Inputs
from opwright.locate import SAMPLE
from opwright.model.backend import read_backend
from opwright.model.context import Context
from opwright.model.model import Model
from opwright.options import LazyOptions
from opwright.releases import find_release
from opwright.report import render
from opwright.source import read_source
from opwright.syntax.yaml_reading import read_yaml
from opwright.values import field_names
from tests.golden.test_sample_output import Head
from tests.releases import SAMPLES

HERE = Path(__file__).parent
CASES = sorted(path.stem for path in (HERE / "lazy").glob("*.yaml"))
#: The files to show unless the head of a case names others.
SHOWN = ("LazyIr.h", "LazyNativeFunctions.cpp")


@lru_cache
def model_of(version: str) -> Model:
    release = find_release(version)
    assert release is not None
    native, faults = SAMPLE / "native", Diagnostics()
    flags = frozenset(key.flag for key in release.keys.values() if key.flag)
    model = reading.read_model(native / "native_functions.yaml", native / "tags.yaml", release, faults, flags)
    assert model is not None
    return model


def options_of(head: Head) -> LazyOptions:
    """The options that the head of a case names."""
    named = {name: head.listed(name)[0] for name in field_names(LazyOptions) if head.listed(name)}
    switched = {name: True for name in field_names(LazyOptions) if head.says(name)}
    return LazyOptions(**named, **switched, use_lazy_shape=not head.says("without shapes"))  # type: ignore[arg-type]


def made(case: Path, head: Head) -> dict[str, str]:
    """The files for one case: texts by name."""
    model, faults = model_of(*(head.listed("release") or [SAMPLES.name])), Diagnostics()
    root = read_yaml(read_source(case), faults)
    assert root is not None
    backend = read_backend(root, Context(model.release, faults), model, is_lazy=True)
    assert backend is not None
    hooks = lazy.TorchScriptHooks() if head.says("lowered") else lazy.LazyHooks()
    read = ReadBackend(backend, model)
    begun = lazy.begin(read, options_of(head), hooks, "out", HERE / "templates", faults, Inputs())
    texts = {planned.path: planned.text() for planned in lazy.plan(begun)}
    assert not faults.items, render(faults.in_order(), "text")
    return {path: text for path, text in texts.items() if text is not None}


@pytest.mark.parametrize("case", CASES)
def test_case(case: str) -> None:
    expected, source = HERE / "lazy" / f"{case}.expected", HERE / "lazy" / f"{case}.yaml"
    head = Head(source)
    texts, parts = made(source, head), []
    for path in head.listed("files") or SHOWN:
        lines = [line.rstrip() for line in texts[path].splitlines() if line.strip()]
        parts.append("\n".join([f"== {path} ==", *lines, ""]))
    actual = "\n".join(parts)
    if os.environ.get("OPWRIGHT_UPDATE_GOLDEN") == "1":
        expected.write_text(actual, encoding="utf-8", newline="\n")
    assert actual == expected.read_text(encoding="utf-8")


def test_every_kept_copy_has_a_case() -> None:
    assert sorted(path.stem for path in (HERE / "lazy").glob("*.expected")) == CASES
