"""Excerpts of operators files: what is kept, where it is, and that it is the same as in the whole."""

from __future__ import annotations

import pytest

from opwright import reading
from opwright.artifacts.wrapped import members
from opwright.diagnostics import Diagnostics
from opwright.locate import SAMPLE
from opwright.model.model import Model
from opwright.syntax.excerpt import excerpt
from tests.releases import SAMPLES
from tests.sample import sample_model

NATIVE = SAMPLE / "native" / "native_functions.yaml"
TAGS = SAMPLE / "native" / "tags.yaml"
TEXT = """\
# head
- func: a(Tensor x) -> Tensor
  dispatch:
    CPU, XLA: a  # 1

# about b
- func: mine::b.out(Tensor x) -> Tensor
  # XLA is not meant here
- func: c() -> Tensor
"""


def kept(text: str, *names: str, keys: tuple[str, ...] = ()) -> list[str]:
    """The first lines of the entries that are kept."""
    found = excerpt(text, names.__contains__, *keys)
    assert found is not None and len(found) == len(text)
    assert all(one in (" ", "\n") or one == two for one, two in zip(found, text, strict=True))
    return [line for line in found.splitlines() if line.startswith("-")]


def test_entries_are_kept_by_name() -> None:
    assert kept(TEXT, "b.out") == ["- func: mine::b.out(Tensor x) -> Tensor"]
    assert kept(TEXT, "c", "a") == ["- func: a(Tensor x) -> Tensor", "- func: c() -> Tensor"]
    assert kept(TEXT) == []


def test_entries_are_kept_by_dispatch_key() -> None:
    assert kept(TEXT, keys=("XLA",)) == ["- func: a(Tensor x) -> Tensor"]
    assert kept(TEXT, keys=("XL", "CUDA")) == []


@pytest.mark.parametrize("text", ["", "a: b\n", "- name: a\n", "- func: a() -> ()\n- b\n", "- func:\n    a() -> ()\n"])
def test_other_forms_are_not_taken_apart(text: str) -> None:
    assert excerpt(text, lambda _: True) is None


def described(model: Model) -> dict[str, list[str]]:
    """Each operator with its group and its kernels."""
    return {
        member.full_name: [
            *(f"{other.schema}" for other in members(item)),
            *(f"{key}: {kernel.namespace}::{kernel.name}" for key, kernel in member.kernels.items()),
            *sorted(member.tags),
        ]
        for item in model.groups
        for member in members(item)
    }


def test_families_are_those_of_the_whole_file() -> None:
    whole = sample_model("mps", "xpu", "mtia")
    expected = described(whole)
    for operator in whole.operators:
        faults = Diagnostics()
        part = reading.read_families(NATIVE, TAGS, SAMPLES, faults, [operator.name.text])
        assert part is not None and not faults.has_errors, operator
        found = described(part)
        assert found[operator.full_name] == expected[operator.full_name]
        assert found.items() <= expected.items()
