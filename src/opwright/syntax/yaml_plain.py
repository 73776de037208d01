"""YAML in the plain style of operator files, line by line.

In: a text. Out: its nodes, the same as those of `yaml_library`, or None for a text in another style or with a mistake,
which is left to the library.

The style is block lists and mappings of printable ASCII, with a key or an item on each line, and comments. Values are
words without quotes or in quotes without escapes, literal blocks, and flat lists and mappings in brackets. A line is
taken only when nothing in it or around it could make YAML see something else in it.

    - func: neg(Tensor self) -> Tensor  # a remark
      tags: [core, pointwise]
"""

from __future__ import annotations

import re

from opwright.source import Source
from opwright.syntax.yamltree import MAX_DEPTH, Mapping, Node, Scalar, Sequence

#: All characters of the style.
_PRINTABLE = bytes(range(ord(" "), ord("~") + 1)) + b"\n"

#: Keys that are no names: `CPU, CUDA` and `aten::neg`.
_KEY = re.compile(r"[A-Za-z_][\w.,/ ]*(?:::[\w.]+)*", re.ASCII)

#: A literal block and its lines: none has blanks alone, and all start with the indentation of the first.
_BLOCK = re.compile(r"\|\n([ ]+)[!-~][ -~]*\n(?:\1[ ]*[!-~][ -~]*\n|\n)*(?!\1)(?=[ ]*[!-~]|\Z)")

_QUOTED = r"'[^']*'|\"[^\"\\]*\""
_WORD = rf"(?:[A-Za-z_][\w.]*|{_QUOTED})"
_IN_QUOTES = re.compile(_QUOTED)
_IN_BRACKETS = re.compile(_WORD, re.ASCII)
_LIST = re.compile(rf"\[ *(?:{_WORD}(?: *, *{_WORD})*)? *\]", re.ASCII)
_MAPPING = re.compile(rf"\{{ *(?:{_WORD}: +{_WORD}(?: *, *{_WORD}: +{_WORD})*)? *\}}", re.ASCII)

#: What a plain scalar starts with here.
_FIRST = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")

#: A key that is longer is none in YAML.
_KEY_SIZE = 1000

Fields = dict[str, tuple[Scalar, Node]]


def read_plain(source: Source, text: str) -> Node | None:
    """The root of the document in `text`, an excerpt of `source` with the same places; None for another style."""
    if not text.isascii() or text.encode("ascii").translate(None, _PRINTABLE):
        return None
    tree = _Tree(source, text)
    end = 0
    for line in text.split("\n"):
        start, end = end, end + len(line) + 1
        content = line.lstrip(" ")
        if content and content[0] != "#" and start >= tree.end and not tree.take(line, content, start):
            return None
    return tree.finished()


def _key(text: str) -> str:
    """The key that the text before a colon is; empty for none."""
    if text.isidentifier() and len(text) <= _KEY_SIZE:
        return text
    key = text.rstrip(" ")
    return key if _KEY.fullmatch(key) and len(text) <= _KEY_SIZE else ""


class _Tree:
    """The collections that are open, each with the column of its keys or dashes.

    `fields` or `items` are those of the innermost one, and `column` is that of its keys. `key` is the last of them
    while its value is to come; if none comes, that is where `nothing_at` says. What is before `end` has been read.
    """

    __slots__ = ("column", "columns", "end", "fields", "items", "key", "nodes", "nothing_at", "source", "text")

    def __init__(self, source: Source, text: str) -> None:
        self.source = source
        self.text = text
        self.end = 0
        self.nodes: list[Sequence | Mapping] = []
        self.columns: list[int] = []
        self.column = -1
        self.fields: Fields = {}
        self.items: list[Node] = []
        self.key: Scalar | None = None
        self.nothing_at = 0

    def take(self, line: str, content: str, start: int) -> bool:
        """Read the content of a line, which starts at `start`; False when it is in another style."""
        dash = -1
        if content[0] == "-":
            dash = len(line) - len(content)
            content = content[1:].lstrip(" ")
            if not content or line[dash + 1] != " ":
                return False
        column = len(line) - len(content)
        name, colon, rest = content.partition(": ")
        if colon:
            rest = rest.lstrip(" ")
        elif content[-1] == ":":
            name = content[:-1]
        else:
            return dash >= 0 and self.take_item(content, start, dash, column)
        colon_at = start + column + len(name)
        name = _key(name)
        if not name or ((dash >= 0 or self.key or column != self.column) and not self.enter(start, dash, column)):
            return False
        if name in self.fields:
            return False
        key = Scalar(self.source, start + column, start + column + len(name), name, True, None)
        if not rest or rest[0] == "#":
            self.key, self.nothing_at = key, colon_at + 1
            return True
        value = self.value(rest, start + len(line) - len(rest))
        if value is None:
            return False
        self.fields[name] = (key, value)
        return True

    def take_item(self, content: str, start: int, dash: int, column: int) -> bool:
        """Read an item that is no mapping."""
        value = self.value(content, start + column) if self.enter(start, dash, -1) else None
        if value is None:
            return False
        self.items.append(value)
        return True

    def enter(self, start: int, dash: int, column: int) -> bool:
        """Go to the collection that an item or a key belongs to; False when there is none.

        They are in the columns `dash` and `column` of the line at `start`; -1 stands for what there is not.
        """
        if dash >= 0:
            if self.goes_deeper(dash, is_item=True):
                self.open_list(dash, start)
            elif not self.leave(dash, Sequence):
                return False
            if column >= 0:
                self.open_mapping(column, start)
        elif self.goes_deeper(column, is_item=False):
            self.open_mapping(column, start)
        elif not self.leave(column, Mapping):
            return False
        self.column = column
        return len(self.nodes) < MAX_DEPTH

    def goes_deeper(self, column: int, *, is_item: bool) -> bool:
        """Whether a new collection starts. The dashes of a list may be in the column of its key."""
        if self.key:
            return column > self.columns[-1] or (is_item and column == self.columns[-1])
        return not self.nodes

    def open_list(self, column: int, start: int) -> None:
        """Go into a new list."""
        node = Sequence(self.source, start + column, 0, [])
        self.hold(node, column)
        self.items = node.items

    def open_mapping(self, column: int, start: int) -> None:
        """Go into a new mapping."""
        node = Mapping(self.source, start + column, 0, {})
        self.hold(node, column)
        self.fields = node.fields

    def hold(self, node: Sequence | Mapping, column: int) -> None:
        """Put a collection where it belongs, and keep it open."""
        if self.key:
            self.fields[self.key.value] = (self.key, node)
            self.key = None
        elif self.nodes:
            self.items.append(node)
        self.nodes.append(node)
        self.columns.append(column)

    def leave(self, column: int, kind: type[Sequence | Mapping]) -> bool:
        """Go out to the collection in a column; False when there is none of that kind."""
        self.end_value()
        nodes, columns = self.nodes, self.columns
        while nodes and (column < columns[-1] or (column == columns[-1] and type(nodes[-1]) is not kind)):
            self.close()
        if not nodes or column != columns[-1]:
            return False  # or the value of the last line goes on
        node = nodes[-1]
        if isinstance(node, Sequence):
            self.items = node.items
        else:
            self.fields = node.fields
        return True

    def end_value(self) -> None:
        """Give a key that has no value an empty one."""
        if self.key:
            nothing = Scalar(self.source, self.nothing_at, self.nothing_at, "", True, None)
            self.fields[self.key.value] = (self.key, nothing)
            self.key = None

    def close(self) -> Sequence | Mapping:
        """Leave the innermost collection, which ends where its last value does."""
        self.columns.pop()
        node = self.nodes.pop()
        last = node.items[-1] if isinstance(node, Sequence) else next(reversed(node.fields.values()))[1]
        node.stop = last.stop
        return node

    def finished(self) -> Node | None:
        """The root, once everything is read."""
        self.end_value()
        root = None
        while self.nodes:
            root = self.close()
        return root

    def value(self, rest: str, start: int) -> Node | None:
        """The value that starts in a line; None for one in another style."""
        if "#" in rest:
            rest = rest.partition(" #")[0]
        if rest[-1] == " ":
            rest = rest.rstrip(" ")
        if rest[0] in _FIRST:
            if ":" in rest and (": " in rest or rest[-1] == ":"):
                return None
            return Scalar(self.source, start, start + len(rest), rest, True, None)
        if _IN_QUOTES.fullmatch(rest):
            return self.word(rest, start)
        return self.block(start) if rest == "|" else self.in_brackets(rest, start)

    def block(self, start: int) -> Node | None:
        """A literal block in the lines that follow."""
        lines = _BLOCK.match(self.text, start)
        if lines is None or len(lines[1]) <= self.columns[-1]:
            return None
        self.end = lines.end()
        value = "\n".join([line[len(lines[1]) :] for line in lines[0].split("\n")[1:]])
        return Scalar(self.source, start, self.end, value.rstrip("\n") + "\n", False, None)

    def in_brackets(self, rest: str, start: int) -> Node | None:
        """A flat list or mapping."""
        is_list = rest[0] == "["
        if not (_LIST if is_list else _MAPPING).fullmatch(rest):
            return None
        words = [self.word(word.group(), start + word.start()) for word in _IN_BRACKETS.finditer(rest)]
        stop = start + len(rest)
        if is_list:
            return Sequence(self.source, start, stop, [*words])
        fields: Fields = {key.value: (key, value) for key, value in zip(words[::2], words[1::2], strict=True)}
        return Mapping(self.source, start, stop, fields) if 2 * len(fields) == len(words) else None

    def word(self, text: str, start: int) -> Scalar:
        """A scalar with or without quotes."""
        is_plain = text[0] not in "'\""
        return Scalar(self.source, start, start + len(text), text if is_plain else text[1:-1], is_plain, None)
