"""The sample's model as text: operators, groups, views, kernels and tags.

OPWRIGHT_UPDATE_GOLDEN=1 rewrites the file that the test compares with.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from opwright.model.model import Group, Model, ViewGroup
from opwright.model.operators import Operator
from tests.sample import sample_model

GOLDEN = Path(__file__).with_name("sample_model.txt")


def sample_lines() -> Iterator[str]:
    """The text of the golden file, line by line."""
    model = sample_model()
    sections = {
        "Operators, the generated ones (+) last": operator_lines(model),
        "Groups": group_lines(model),
        "View groups": view_lines(model),
        "Kernels by dispatch key": kernel_lines(model),
        "Tags": tag_lines(model),
    }
    for index, (title, lines) in enumerate(sections.items()):
        yield from [""] * (index > 0) + [title, "=" * len(title)]
        yield from lines


def operator_lines(model: Model) -> Iterator[str]:
    for operator in model.operators:
        mark = "+" if operator.is_generated else "-"
        namespace = "" if operator.namespace == "aten" else f"{operator.namespace}::"
        yield f"{mark} {namespace}{operator.schema.text}"


def group_lines(model: Model) -> Iterator[str]:
    for item in model.groups:
        if isinstance(item, Group):
            named = {"functional": item.functional, "out": item.out, "inplace": item.inplace, "mutable": item.mutable}
            structured = " (structured)" if item.is_structured else ""
            yield members(named) + structured
        else:
            yield item.name.text


def view_lines(model: Model) -> Iterator[str]:
    for item in model.views:
        if isinstance(item, ViewGroup):
            named = {"view": item.view, "view_inplace": item.view_inplace, "view_copy": item.view_copy}
            yield members(named) + (" (composite)" if item.is_composite else "")


def members(named: dict[str, Operator | None]) -> str:
    return ", ".join(f"{kind}={operator.name.text}" for kind, operator in named.items() if operator)


def kernel_lines(model: Model) -> Iterator[str]:
    for key, row in model.kernels.items():
        yield f"{key.name}:"
        for operator, kernel in row.items():
            structured = " (structured)" if kernel.is_structured else ""
            yield f"  {operator.name.text}: {kernel.namespace}::{kernel.name}{structured}"


def tag_lines(model: Model) -> Iterator[str]:
    for operator in model.operators:
        yield f"{operator.name.text}: {', '.join(sorted(operator.tags))}"


def test_sample_model() -> None:
    text = "".join(f"{line}\n" for line in sample_lines())
    if os.environ.get("OPWRIGHT_UPDATE_GOLDEN") == "1":
        GOLDEN.write_text(text, encoding="utf-8", newline="\n")
    expected = GOLDEN.read_text(encoding="utf-8")
    if text != expected:
        pytest.fail(first_difference(expected.splitlines(), text.splitlines()), pytrace=False)


def first_difference(expected: list[str], actual: list[str]) -> str:
    """The first line at which two texts differ."""
    pairs = zip([*expected, "<end>"], [*actual, "<end>"], strict=False)
    number, (left, right) = next((n, pair) for n, pair in enumerate(pairs, 1) if pair[0] != pair[1])
    return f"line {number} of sample_model.txt\n  expected {left}\n  actual   {right}"
