"""Cut a random part out of a source folder that a generator still accepts.

In: a source folder with `native/` and `templates/`, about how many operators to keep, a seed. Out: a new source folder
with the same tags and templates, and with some of the operators in their old order and with their text unchanged.

Operators are kept by *family*: `add_.Tensor`, `add.out` and `add.Scalar` are all of the family `add`. Families that
need each other, such as a view and its copy, are kept or dropped together. The same seed gives the same part.
"""

from __future__ import annotations

import random
import re
import shutil
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

_ENTRY = re.compile(r"^- ", re.MULTILINE)
_NAME = re.compile(r"^(?:- |  )func:\s*[\"']?([\w:]+(?:\.\w+)?)\(", re.MULTILINE)
_DELEGATE = re.compile(r"^(?:- |  )structured_delegate:\s*[\"']?([\w:]+(?:\.\w+)?)", re.MULTILINE)
_DUNDER = re.compile(r"__i?(and|or|xor|add|sub|mul|div|lshift|rshift)__$")
_RELATED = ("_copy", "_scatter", "_inverse")


class Entry(NamedTuple):
    """One operator: its family, the families that must be there with it, and its text in the file."""

    family: str
    needs: tuple[str, ...]
    text: str


def family_of(name: str) -> str:
    """The family of an operator: its base name without marks for in-place, functional and dunder variants.

    >>> [family_of(name) for name in ("add_.Tensor", "mine::add.out", "__iand__.Scalar", "normal_functional")]
    ['add', 'add', 'and', 'normal']
    """
    base = name.rpartition("::")[2].partition(".")[0]
    dunder = _DUNDER.match(base)
    if dunder:
        return dunder.group(1)
    if base.endswith("_functional"):
        base = base[: -len("_functional")]
    return base[:-1] if base.endswith("_") and not base.endswith("__") else base


def split_entries(text: str) -> tuple[str, list[Entry]]:
    """Split the text of a native_functions.yaml into what stands before the first operator, and the operators.

    Raises ValueError for an entry without a readable `func`.
    """
    starts = [match.start() for match in _ENTRY.finditer(text)]
    entries = []
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        block = text[start:end]
        name = _NAME.search(block)
        if name is None:
            raise ValueError(f"no operator name in {block[:80]!r}")
        needs = tuple(family_of(target) for target in _DELEGATE.findall(block))
        entries.append(Entry(family_of(name.group(1)), needs, block))
    return text[: starts[0]] if starts else text, entries


def family_needs(entries: Iterable[Entry]) -> dict[str, set[str]]:
    """For each family, the families that must be kept when it is."""
    bonds: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        bonds[entry.family].update(entry.needs)
    for family in list(bonds):
        for suffix in _RELATED:
            other = family + suffix
            if other in bonds:
                bonds[family].add(other)
                bonds[other].add(family)
    return bonds


def closed(family: str, bonds: dict[str, set[str]]) -> set[str]:
    """`family` and all families that it needs, directly or not."""
    found: set[str] = set()
    waiting = [family]
    while waiting:
        member = waiting.pop()
        if member not in found:
            found.add(member)
            waiting += bonds.get(member, ())
    return found


def choose(entries: Sequence[Entry], count: int, seed: int, include: Sequence[str] = ()) -> list[Entry]:
    """Pick families at random until there are at least `count` operators; `include` names families to take first."""
    bonds = family_needs(entries)
    sizes: dict[str, int] = defaultdict(int)
    for entry in entries:
        sizes[entry.family] += 1
    order = sorted(bonds)
    random.Random(seed).shuffle(order)
    chosen: set[str] = set()
    for family in [*include, *order]:
        if sum(sizes[member] for member in chosen) >= count and family not in include:
            break
        chosen |= closed(family, bonds)
    return [entry for entry in entries if entry.family in chosen]


def write_subset(source: Path, target: Path, count: int, seed: int, include: Sequence[str] = ()) -> Path:
    """Make the source folder `target` with about `count` operators of `source`; returns `target`.

    `include` names families that must be in, such as `add`.
    """
    native = target / "native"
    native.mkdir(parents=True)
    functions = "native_functions.yaml"
    head, entries = split_entries((source / "native" / functions).read_text(encoding="utf-8"))
    text = head + "".join(entry.text for entry in choose(entries, count, seed, include))
    (native / functions).write_text(text, encoding="utf-8", newline="\n")
    shutil.copyfile(source / "native" / "tags.yaml", native / "tags.yaml")
    shutil.copytree(source / "templates", target / "templates")
    return target
