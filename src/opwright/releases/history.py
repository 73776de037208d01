"""When operators came and went.

In: the name of an operator that a release does not have. Out: a sentence about the release that had it last, or the
first one that has it.

    when_there("align_to", "2.13")  ->  "it was last there in PyTorch 2.12"

The data are written by `tools/operator_history.py` from the operators of the releases.
"""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parent / "data" / "operator_history.txt"


def when_there(name: str, release: str) -> str | None:
    """When an operator that `release` lacks was or will be there; None when that is not known."""
    found = _releases(name)
    if "last" in found and _number(found["last"]) < _number(release):
        return f"it was last there in PyTorch {found['last']}"
    if "first" in found and _number(found["first"]) > _number(release):
        return f"it came with PyTorch {found['first']}"
    return None


def _releases(name: str) -> dict[str, str]:
    """The first and the last release with an operator, as far as it is not there always. Read for faults only."""
    found: dict[str, str] = {}
    for line in DATA.read_text(encoding="utf-8").splitlines():
        word, release, *names = line.split()
        if word != "#" and name in names:
            found[word] = release
    return found


def _number(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))
