"""Records: the mappings of an input file with their fields at hand, each with its place.

In: YAML nodes. Out: `Record`s, which know nothing of what the fields mean.

    Record.of(Mapping of an entry)  ->  Record(fields={"func": (key node, value node), ...})
"""

from __future__ import annotations

from opwright.source import Place
from opwright.syntax.yamltree import Mapping, Node, Scalar, shown_place
from opwright.values import Value


class Record(Value, frozen=False):
    """One mapping: `fields` gives key and value node by field name, in file order."""

    node: Mapping
    fields: dict[str, tuple[Scalar, Node]]

    @classmethod
    def of(cls, node: Mapping) -> Record:
        return cls(node, node.fields)

    def has(self, name: str) -> bool:
        """Whether the field is given and not empty (`name:` with nothing behind it counts as absent)."""
        field = self.fields.get(name)
        return field is not None and not (isinstance(field[1], Scalar) and field[1].kind == "null")

    def value(self, name: str) -> Node | None:
        field = self.fields.get(name)
        return field[1] if field else None

    def key_place(self, name: str) -> Place:
        """The place of the field's name; of the start of the record when it is absent."""
        field = self.fields.get(name)
        return field[0].place if field else self.start

    def place(self, name: str) -> Place:
        """The place of the field's value, or of its name when the value has no text of its own."""
        field = self.fields.get(name)
        if field is None:
            return self.start
        return shown_place(field[1], field[0].place)

    @property
    def start(self) -> Place:
        """The first key of the record, or its opening character."""
        first = next((key.place for key, _ in self.fields.values()), self.node.place)
        return Place(self.node.source, first.start, max(first.stop, first.start + 1))
