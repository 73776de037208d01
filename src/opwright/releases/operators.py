"""The operators and tags of every release: what their files say, without comments and descriptions.

In: the name of a release. Out: its native_functions.yaml and tags.yaml, written again.

    tags_yaml("2.10")  ->  "- tag: inplace_view\n  desc: A tag of PyTorch 2.10.\n- tag: pt2_compliant_tag\n..."

The data are written by `tools/release_facts.py`, which describes them, and are read only when somebody asks.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from opwright.values import Value

DATA = Path(__file__).parent / "data" / "operators.txt.gz"
#: How zlib is told of the format of the file.
GZIP = 31

#: The state of the checkout that no wheel has, and the release whose operators serve for it.
_STANDS_IN = {"2.1.0a0": "2.0"}


class Part(Value):
    """Entries that stand together in all releases from the first to the last, by their numbers."""

    first: int
    last: int
    text: str


class Facts(Value):
    """The releases that there are facts about, oldest first, and the entries of all of them in one order."""

    releases: tuple[str, ...]
    tags: tuple[Part, ...]
    operators: tuple[Part, ...]

    def number(self, release: str) -> int:
        """The number of a release. Raises ValueError for one that there are no facts about."""
        return self.releases.index(described(release))

    def text(self, parts: tuple[Part, ...], release: str) -> str:
        """The entries that a release has."""
        number = self.number(release)
        return "".join([part.text for part in parts if part.first <= number <= part.last])


def described(release: str) -> str:
    """The release whose operators serve for a release: mostly itself."""
    return _STANDS_IN.get(release, release)


def native_functions_yaml(release: str) -> str:
    """The operators of a release, from which the same files are generated as from its own native_functions.yaml."""
    facts = read_facts()
    return facts.text(facts.operators, release)


def tags_yaml(release: str) -> str:
    """The tags of a release. Each has a description, as it must, but not PyTorch's."""
    facts = read_facts()
    return facts.text(facts.tags, release).replace("\n", f"\n  desc: A tag of PyTorch {release}.\n")


@cache  # the file does not change
def read_facts() -> Facts:
    """All facts."""
    text = zlib.decompress(DATA.read_bytes(), wbits=GZIP).decode()
    head, tags, operators = re.split(r"^\n", text, flags=re.MULTILINE)
    releases = tuple(head.splitlines()[1].split())
    return Facts(releases, tuple(_parts(tags, releases)), tuple(_parts(operators, releases)))


def _parts(text: str, releases: tuple[str, ...]) -> Iterator[Part]:
    _, *pieces = re.split(r"^@(\S+) (\S+)\n", text, flags=re.MULTILINE)
    for first, last, entries in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
        yield Part(releases.index(first), releases.index(last), entries)


@cache
def releases_by_operator() -> dict[str, set[int]]:
    """The numbers of the releases that have each operator, be it written or generated."""
    return _releases_by_name(read_facts().operators, r"^(?:- func: |  autogen: )(\w[\w., ]*)")


@cache
def releases_by_tag() -> dict[str, set[int]]:
    """The numbers of the releases that have each tag."""
    return _releases_by_name(read_facts().tags, r"^- tag: (.*)")


def _releases_by_name(parts: Iterable[Part], names: str) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for part in parts:
        for listed in re.findall(names, part.text, re.MULTILINE):
            for name in listed.split(", "):
                found.setdefault(name, set()).update(range(part.first, part.last + 1))
    return found
