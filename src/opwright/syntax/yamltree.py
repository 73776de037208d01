"""YAML as positioned nodes.

Each node has the offsets of its text in its `Source`; `yaml_reading.read_yaml` makes them.

    - x: 1  ->  Sequence(items=[Mapping(fields={'x': (Scalar 'x', Scalar '1')})])
"""

from __future__ import annotations

from functools import lru_cache

from opwright.source import Place, Source
from opwright.values import Value

#: Nesting deeper than this is refused; real operator files nest three levels deep.
MAX_DEPTH = 50

_TAG = "tag:yaml.org,2002:"
#: The kinds of scalars, by their tags.
KINDS = {_TAG + kind: kind for kind in ("str", "bool", "int", "float", "null", "timestamp", "merge", "value")}


# Nodes are never changed after reading; a scalar is not frozen because reading it may set its tag.
class Scalar(Value, frozen=False):
    """A scalar: `value` is its text after unquoting and folding; `plain` says that it was written without quotes."""

    source: Source
    start: int
    stop: int
    value: str
    plain: bool
    tag: str | None

    @property
    def kind(self) -> str:
        """`str`, `bool`, `int`, `float`, `null` or another YAML 1.1 type, as resolved by the YAML rules."""
        if self.plain:
            return resolve(self.value)
        return "str" if self.tag is None else KINDS.get(self.tag, self.tag)

    @property
    def place(self) -> Place:
        return Place(self.source, self.start, self.stop)

    def part(self, start: int, stop: int) -> Place:
        """The place of the characters `start` to `stop` of `value`, wherever quoting and folding put them."""
        size = len(self.value)
        start, stop = min(start, size), min(stop, size)
        if self.plain and self.source.text.startswith(self.value, self.start):
            return Place(self.source, self.start + start, self.start + stop)
        from opwright.syntax.origin import origins  # only for faults in quoted or folded text

        spans = origins(self.source.text[self.start : self.stop], self.value)
        first = spans[start][0]
        behind = spans[stop - 1][1] if stop > start else first
        return Place(self.source, self.start + first, self.start + behind)


class Sequence(Value, frozen=False):
    """A list of nodes."""

    source: Source
    start: int
    stop: int
    items: list[Node]

    @property
    def place(self) -> Place:
        return Place(self.source, self.start, self.stop)


class Mapping(Value, frozen=False):
    """A mapping as ordered fields, by the text of their keys; of a repeated key, the first field is kept."""

    source: Source
    start: int
    stop: int
    fields: dict[str, tuple[Scalar, Node]]

    @property
    def place(self) -> Place:
        return Place(self.source, self.start, self.stop)


Node = Scalar | Sequence | Mapping


#: The plain scalars that are no strings, but for numbers, dates and the like, in YAML 1.1.
_WORDS = {"": "null", "~": "null"} | {
    spelled: kind
    for word, kind in (
        *((word, "bool") for word in ("yes", "no", "true", "false", "on", "off")),
        ("null", "null"),
    )
    for spelled in (word, word.title(), word.upper())
}

#: What other scalars start with that may be no strings.
_UNSURE = frozenset("0123456789+-.=<")


def resolve(value: str) -> str:
    """The YAML 1.1 type of a plain scalar: `resolve("yes") == "bool"`, `resolve("0x10") == "int"`."""
    kind = _WORDS.get(value)
    if kind is None:
        kind = _looked_up(value) if value[0] in _UNSURE else "str"
    return kind


@lru_cache(maxsize=4096)  # a pure function of few distinct texts
def _looked_up(value: str) -> str:
    from opwright.syntax.yaml_library import resolved

    return resolved(value)


def describe(node: Node) -> str:
    """What a node is, for a message: `a list`, `a mapping`, `the integer 3`, `a string`, `nothing`."""
    if isinstance(node, Sequence):
        return "a list"
    if isinstance(node, Mapping):
        return "a mapping"
    words = {"str": "a string", "null": "nothing", "bool": "the boolean", "int": "the integer", "float": "the number"}
    word = words.get(node.kind, "the value")
    return word if node.kind in ("str", "null") else f"{word} {node.value}"


def shown_place(node: Node, otherwise: Place) -> Place:
    """The place of a node, or another one when the node has no text to point at."""
    return node.place if node.stop > node.start else otherwise
