"""When operators came and went."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from opwright.releases.history import came_in_turn, first_with, when_known, when_tag_there, when_there
from opwright.releases.release import Release


@pytest.mark.parametrize(
    ("name", "release", "expected"),
    [
        ("symeig", "2.0", "it was last there in PyTorch 1.13"),
        ("align_to", "2.13", "it was last there in PyTorch 2.12"),
        ("linalg_polar", "2.13", "it came with PyTorch 2.14"),
        ("_grouped_mm", "2.1", "it came with PyTorch 2.8"),
        ("_grouped_mm", "2.1.0a0", "it came with PyTorch 2.8"),
        ("rand_like.generator_out", "2.7", "it came with PyTorch 2.10"),
        ("_symeig_helper.out", "2.1", "it was last there in PyTorch 1.13"),
        ("align_to", "2.1", None),
        ("_grouped_mm", "2.13", None),
        ("add.Tensor", "2.13", None),
        ("nonsense", "2.13", None),
        ("add", "2.13", None),
        ("rename", "2.13", "it was last there in PyTorch 2.12"),
        ("_foreach_powsum", "2.10", "it came with PyTorch 2.11"),
        ("add.Tens.r", "2.13", None),
    ],
)
def test_when_there(name: str, release: str, expected: str | None) -> None:
    assert when_there(name, release) == expected


@pytest.mark.parametrize(
    ("name", "release", "expected"),
    [
        ("reduction", "2.9", "it came with PyTorch 2.10"),
        ("reduction", "2.10", None),
        ("core", "2.1.0a0", None),
        ("pt2_compliant_tag", "2.1.0a0", "it came with PyTorch 2.2"),
        ("nonsense", "2.9", None),
    ],
)
def test_when_tag_there(name: str, release: str, expected: str | None) -> None:
    assert when_tag_there(name, release) == expected


@pytest.mark.parametrize(
    ("is_known", "release", "expected"),
    [
        (lambda release: "ORT" in release.keys, "2.15", "it was last there in PyTorch 2.3"),
        (lambda release: "MAIA" in release.keys, "2.0", "it came with PyTorch 2.4"),
        (lambda release: "MAIA" in release.keys, "2.4", None),
        (lambda release: "Dimname" in release.base_types, "2.13", "it was last there in PyTorch 2.12"),
        (lambda release: "Float8_e8m0fnu" in release.scalar_types, "2.6", "it came with PyTorch 2.7"),
        (lambda release: False, "2.6", None),
    ],
)
def test_when_known(is_known: Callable[[Release], bool], release: str, expected: str | None) -> None:
    assert when_known(is_known, release) == expected


def test_the_first_release_that_knows_something() -> None:
    assert first_with(lambda release: "XPU" in release.supported) == "2.5"
    assert first_with(lambda release: "XLA" in release.supported) is None


def test_operators_that_came_when_another_one_went() -> None:
    found = came_in_turn("_nested_tensor_offsets", "2.13")
    assert found is not None
    assert found[0] == "2.1"
    assert "_nested_tensor_storage_offsets" in found[1]
    assert "_grouped_mm" not in found[1]
    assert came_in_turn("_grouped_mm", "2.1") is None
