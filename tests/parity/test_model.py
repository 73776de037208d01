"""Opwright reads the same operators, groups, kernels and tags out of a source folder as the reference does."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.parity.checks import INSTALLED_RELEASE, fetched_or_skip, installed_or_skip
from tests.parity.reference import model_lines, packaged_source


def _group_line(mark: str, members: Iterable[tuple[str, Any]]) -> str:
    return f"{mark} " + " ".join(f"{kind}={member.name}" for kind, member in members if member is not None)


def opwright_lines(source_dir: Path, version: str) -> dict[str, list[str]]:
    """Opwright's side, in the lines of `model_dump`. All knowledge of Opwright's own interface is in here."""
    model: Any = importlib.import_module("opwright.pipeline").read_model(source_dir, release=version)
    kinds, view_kinds = ("functional", "inplace", "mutable", "out"), ("view", "view_copy", "view_inplace")
    return {
        "operators": [str(operator.schema) for operator in model.operators],
        "generated": [str(operator.schema) for operator in model.operators if "generated" in operator.tags],
        "groups": [
            _group_line("G", ((kind, getattr(group, kind)) for kind in kinds))
            if hasattr(group, "functional")
            else f"F {group.name}"
            for group in model.groups
        ],
        "view_groups": [
            _group_line("V", ((kind, getattr(group, kind)) for kind in view_kinds))
            if hasattr(group, "view")
            else f"F {group.name}"
            for group in model.view_groups
        ],
        "kernels": [
            f"{key}|{operator}|{kernel.name}|{int(kernel.structured)}|{kernel.namespace}"
            for key, kernels in model.kernels.items()
            for operator, kernel in kernels.items()
        ],
        "tags": [f"{operator.name}:{','.join(sorted(operator.tags))}" for operator in model.operators],
    }


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
