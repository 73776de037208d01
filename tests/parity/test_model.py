"""Opwright reads the same operators, groups, kernels and tags out of a source folder as the reference does."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from opwright.diagnostics import Diagnostics
from opwright.model.model import GroupItem, ViewItem
from opwright.model.operators import Operator
from opwright.reading import read_model
from opwright.releases import find_release
from tests.parity.checks import INSTALLED_RELEASE, fetched_or_skip, installed_or_skip
from tests.parity.reference import model_lines, packaged_source


def opwright_lines(source_dir: Path, version: str) -> dict[str, list[str]]:
    """Opwright's side, in the lines of `model_dump`."""
    release, faults = find_release(version), Diagnostics()
    assert release is not None
    native = source_dir / "native"
    model = read_model(native / "native_functions.yaml", native / "tags.yaml", release, faults)
    assert model is not None and not faults.has_errors
    return {
        "operators": [operator.schema.text for operator in model.operators],
        "generated": [operator.schema.text for operator in model.operators if operator.is_generated],
        "groups": [_group_line(item) for item in model.groups],
        "view_groups": [_view_line(item) for item in model.views],
        "kernels": [
            f"{key}|{operator.name}|{kernel.name}|{int(kernel.is_structured)}|{kernel.namespace}"
            for key, kernels in model.kernels.items()
            for operator, kernel in kernels.items()
        ],
        "tags": [f"{operator.name}:{','.join(sorted(operator.tags))}" for operator in model.operators],
    }


def _group_line(item: GroupItem) -> str:
    if isinstance(item, Operator):
        return f"F {item.name}"
    members = (("functional", item.functional), ("inplace", item.inplace), ("mutable", item.mutable), ("out", item.out))
    return _line("G", members)


def _view_line(item: ViewItem) -> str:
    if isinstance(item, Operator):
        return f"F {item.name}"
    return _line("V", (("view", item.view), ("view_copy", item.view_copy), ("view_inplace", item.view_inplace)))


def _line(mark: str, members: Iterable[tuple[str, Operator | None]]) -> str:
    return f"{mark} " + " ".join(f"{kind}={member.name}" for kind, member in members if member is not None)


def _root(version: str) -> Path:
    return installed_or_skip() if version.startswith(INSTALLED_RELEASE) else fetched_or_skip(version)


@cache
def _both(root: Path, version: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    source = packaged_source(root)
    return model_lines(root, source), opwright_lines(source, version)


def _first_difference(expected: list[str], actual: list[str]) -> str:
    """The first line at which two lists differ, and the lines that only one of them has."""
    pairs = zip([*expected, "<end>"], [*actual, "<end>"], strict=False)
    index, (left, right) = next((i, pair) for i, pair in enumerate(pairs) if pair[0] != pair[1])
    missing = [line for line in expected if line not in set(actual)][:5]
    surplus = [line for line in actual if line not in set(expected)][:5]
    return f"line {index + 1}\n  expected {left}\n  actual   {right}\nmissing: {missing}\nsurplus: {surplus}"


@pytest.mark.parametrize("part", ["operators", "generated", "groups", "view_groups", "kernels", "tags"])
@pytest.mark.parametrize("version", ["2.0.1", "2.1.2", "2.13.0"])
def test_same_model(version: str, part: str) -> None:
    expected, actual = (lines[part] for lines in _both(_root(version), version))
    if expected != actual:
        pytest.fail(f"{part} of {version}: {_first_difference(expected, actual)}", pytrace=False)
