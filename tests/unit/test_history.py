"""When operators came and went."""

from __future__ import annotations

import pytest

from opwright.releases import NAMES
from opwright.releases.history import DATA, when_there


@pytest.mark.parametrize(
    ("name", "release", "expected"),
    [
        ("symeig", "2.0", "it was last there in PyTorch 1.13"),
        ("align_to", "2.13", "it was last there in PyTorch 2.12"),
        ("linalg_polar", "2.13", "it came with PyTorch 2.14"),
        ("_grouped_mm", "2.1", "it came with PyTorch 2.8"),
        ("align_to", "2.1", None),
        ("_grouped_mm", "2.13", None),
        ("add.Tensor", "2.13", None),
        ("nonsense", "2.13", None),
        ("first", "2.13", None),
    ],
)
def test_when_there(name: str, release: str, expected: str | None) -> None:
    assert when_there(name, release) == expected


def test_the_data_go_beyond_the_known_releases() -> None:
    lines = [line.split() for line in DATA.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert {words[0] for words in lines} == {"first", "last"}
    assert set(NAMES) - {"2.1.0a0", "2.15"} <= {words[1] for words in lines}
    assert all(words[2:] == sorted(set(words[2:])) for words in lines)
