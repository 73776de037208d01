"""The files that torchgen and Opwright made, compared one by one.

In: the two folders. Out: a `ComparedFile` for each path in one of them, and how many of each family agree.

    counts(compare_trees(theirs, ours))  ->  {"operators": Counter({Status.SAME: 8}), ...}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from enum import Enum
from pathlib import Path

from opwright.compare.differences import Difference, file_difference
from opwright.compare.families import Family, family_of
from opwright.output.tree import HIDDEN
from opwright.values import Value


class Status(Enum):
    """What came out for one file."""

    SAME = "same"
    DIFFERENT = "different"
    ONLY_TORCHGEN = "only_torchgen"
    ONLY_OPWRIGHT = "only_opwright"


class ComparedFile(Value):
    """One file: its path relative to both folders, with `/`, and for a different one, where the two begin to differ."""

    path: str
    family: Family
    status: Status
    difference: Difference | None = None


def compare_trees(torchgen: Path, opwright: Path, unordered: Collection[str] = ()) -> list[ComparedFile]:
    """Compare all files below two folders, in the order of their families and paths.

    In the files that `unordered` names, the order inside innermost braces does not count.
    """
    theirs, ours = _files(torchgen), _files(opwright)
    compared = []
    for family, path in sorted((family_of(path), path) for path in theirs | ours):
        difference = None
        if path not in ours:
            status = Status.ONLY_TORCHGEN
        elif path not in theirs:
            status = Status.ONLY_OPWRIGHT
        else:
            difference = file_difference(torchgen / path, opwright / path, braces_as_sets=path in unordered)
            status = Status.DIFFERENT if difference else Status.SAME
        compared.append(ComparedFile(path, family, status, difference))
    return compared


def counts(files: Iterable[ComparedFile]) -> dict[str, Counter[Status]]:
    """How many files of each family have which status; families in the order in which they first appear."""
    found: dict[str, Counter[Status]] = {}
    for file in files:
        found.setdefault(file.family.name, Counter())[file.status] += 1
    return found


def _files(folder: Path) -> set[str]:
    """The paths of all files below a folder, without what Opwright keeps beside them for itself."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(HIDDEN)]
    return {path.relative_to(folder).as_posix() for path in files}
