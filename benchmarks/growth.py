"""A source folder with several times as many operators: PyTorch's own, and copies of them under other names.

In: a source folder with `native/` and `templates/`, the torchgen that is to accept the copies, and how many times as
many operators there shall be. Out: a new source folder. Every copy has what its original has: variants, a copy of a
view, a structured delegate, generated variants, kernels.

    - func: _foreach_add_.Scalar(...)    ->    - func: _foreach_again2_add_.Scalar(...)

Operators that torchgen knows by name, as in its lists of exceptions, are not copied, and neither is what needs them;
so that the number is right all the same, others are copied once more.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Sequence
from pathlib import Path

from tests.parity.subset import Entry, choose, closed, family_needs, family_of, split_entries

FUNCTIONS = Path("native", "native_functions.yaml")
#: The modules of torchgen that ask for single operators by name.
ASKING = ("gen.py", "model.py", "native_function_generation.py", "gen_functionalization_type.py")
_QUOTED_NAME = re.compile(r"\"([a-z_]\w*)(?:\.\w+)?\"")
#: The lines of an entry that name operators or a kernel, and these names.
_NAMING_LINE = re.compile(
    r"^(- func: |  structured_delegate: |  autogen: |    [A-Z]\w+(?:, *\w+)*: +)([\w.:]+(?:, *[\w.]+)*)", re.MULTILINE
)
#: A name, and what a mark must not stand before: namespaces, and beginnings that mean something. Endings mean more.
_NAME = re.compile(r"((?:\w+::)*(?:_foreach_|_?new_|_*))([\w.]+)")


def copied(text: str, number: int) -> str:
    """The text of an entry, with other names for the operators and kernels in it.

    >>> copied("- func: add_.Tensor(Tensor(a!) self) -> Tensor(a!)", 2)
    '- func: again2_add_.Tensor(Tensor(a!) self) -> Tensor(a!)'
    """
    return _NAMING_LINE.sub(lambda line: line[1] + _NAME.sub(rf"\1again{number}_\2", line[2]), text)


def known_families(torchgen: Path) -> set[str]:
    """The families of operators that a torchgen asks for by name; `torchgen` is the package. Has other words, too."""
    texts = [(torchgen / name).read_text(encoding="utf-8") for name in ASKING if (torchgen / name).is_file()]
    return {family_of(name) for text in texts for name in _QUOTED_NAME.findall(text)}


def copyable(entries: Sequence[Entry], known: Collection[str]) -> list[Entry]:
    """The entries that need no family that is known by name."""
    needs = family_needs(entries)
    sound = {family for family in needs if closed(family, needs).isdisjoint(known)}
    return [entry for entry in entries if entry.family in sound]


def grown(text: str, times: int, known: Collection[str]) -> str:
    """The text of a native_functions.yaml with that many times as many operators, or a few more.

    Raises ValueError if none of them can be copied.
    """
    _, entries = split_entries(text)
    originals = copyable(entries, known)
    if not originals:
        raise ValueError("none of the operators can be copied")
    missing, number = (times - 1) * len(entries), 2
    parts = [text]
    while missing > 0:
        chosen = originals if missing >= len(originals) else choose(originals, missing, seed=number)
        parts += [copied(entry.text, number) for entry in chosen]
        missing -= len(chosen)
        number += 1
    return "\n".join(parts)


def operator_count(source: Path) -> int:
    """How many operators a source folder has."""
    return len(split_entries((source / FUNCTIONS).read_text(encoding="utf-8"))[1])


def write_grown(source: Path, target: Path, times: int, torchgen: Path) -> Path:
    """Make the source folder `target`, with that many times the operators of `source`; returns `target`."""
    shutil.copytree(source / "templates", target / "templates")
    shutil.copytree(source / "native", target / "native")
    text = (source / FUNCTIONS).read_text(encoding="utf-8")
    (target / FUNCTIONS).write_text(grown(text, times, known_families(torchgen)), encoding="utf-8", newline="\n")
    return target
