"""When operators came and went."""

from __future__ import annotations

import pytest

from opwright.releases.history import when_there


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
        ("add.Tens.r", "2.13", None),
    ],
)
def test_when_there(name: str, release: str, expected: str | None) -> None:
    assert when_there(name, release) == expected
