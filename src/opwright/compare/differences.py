"""The first difference between two generated files, in the way of comparing that fits their name.

In: two texts or files. Out: None when they say the same, otherwise a `Difference` with what stands there in both.

    token_difference("int f();", "int g();").place  ->  "token 2"

C++ is compared by tokens, `Declarations.yaml` as data, and `RegistrationDeclarations.h` by lines, because its comments
are data too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from opwright.cpp.tokens import Token, code_lines, sorted_braces, tokenize, tokenize_with_lines
from opwright.diagnostics import Diagnostics
from opwright.source import Source
from opwright.syntax.yaml_library import constructed
from opwright.syntax.yaml_reading import read_yaml
from opwright.syntax.yamltree import Mapping, Node, Scalar, describe
from opwright.syntax.yamltree import Sequence as Items
from opwright.values import Value

DECLARATIONS_YAML = "Declarations.yaml"
REGISTRATION_DECLARATIONS = "RegistrationDeclarations.h"

#: How many tokens are shown on both sides of the one that differs.
CONTEXT = 8
#: A token is shown up to this many characters when it is not the one that differs.
LONGEST_AROUND = 60


class Side(Value):
    """One of the two texts at a difference: the line (from 1), and what stands there, between `before` and `after`;
    None when the text, or the preprocessor line, is at its end."""

    line: int
    text: str | None
    before: str = ""
    after: str = ""

    def __str__(self) -> str:
        marked = "end" if self.text is None else self.text
        return f"line {self.line}: " + " ".join(filter(None, (self.before, f">>>{marked}<<<", self.after)))


class Difference(Value):
    """Where two texts begin to differ: a token (`token 12`), a line, or a value of a YAML document; and both sides."""

    place: str
    expected: Side
    actual: Side

    def __str__(self) -> str:
        return f"{self.place} differs\n  expected {self.expected}\n  actual   {self.actual}"


def file_difference(expected: Path, actual: Path, *, braces_as_sets: bool = False) -> Difference | None:
    """Compare two generated files in the way that fits their name; see `token_difference` for `braces_as_sets`."""
    left_bytes, right_bytes = expected.read_bytes(), actual.read_bytes()
    if left_bytes == right_bytes:
        return None
    left, right = (content.decode("utf-8", "surrogateescape") for content in (left_bytes, right_bytes))
    if expected.name == DECLARATIONS_YAML:
        return yaml_difference(left, right)
    if expected.name == REGISTRATION_DECLARATIONS:
        return line_difference(left, right)
    return token_difference(left, right, braces_as_sets=braces_as_sets)


def token_difference(
    expected: str, actual: str, *, braces_as_sets: bool = False, context: int = CONTEXT
) -> Difference | None:
    """Compare two C++ texts by tokens, with `context` tokens shown on both sides of the difference.

    With `braces_as_sets`, the order of the items in innermost braces does not count.
    """
    code = code_lines(expected)
    if code is not None and code == code_lines(actual):
        return None
    left, right = tokenize(expected), tokenize(actual)
    if braces_as_sets:
        left, right = sorted_braces(left), sorted_braces(right)
    index = _first_unequal(left, right)
    if index is None:
        return None
    lines = [[token.line for token in tokenize_with_lines(text)] for text in (expected, actual)]
    found = Difference(
        f"token {index + 1}", _side(left, lines[0], index, context), _side(right, lines[1], index, context)
    )
    return _inside_directives(found, context)


def _inside_directives(found: Difference, context: int) -> Difference:
    """Where two preprocessor lines begin to differ, for one of them may have thousands of words."""
    left, right = ((side.text or "").split(" ") for side in (found.expected, found.actual))
    index = _first_unequal(left, right)
    if index is None or not (left[0].startswith("#") and right[0].startswith("#")):
        return found
    return Difference(
        f"{found.place}, word {index + 1}",
        _side(left, [found.expected.line] * len(left), index, context),
        _side(right, [found.actual.line] * len(right), index, context),
    )


def line_difference(expected: str, actual: str) -> Difference | None:
    """Compare two texts by their data lines; see `data_lines`."""
    left, right = data_lines(expected), data_lines(actual)
    left_texts, right_texts = [line.text for line in left], [line.text for line in right]
    index = _first_unequal(left_texts, right_texts)
    if index is None:
        return None
    return Difference(
        f"data line {index + 1}",
        _side(left_texts, [line.line for line in left], index, 0),
        _side(right_texts, [line.line for line in right], index, 0),
    )


def data_lines(text: str) -> list[Token]:
    """The lines of RegistrationDeclarations.h that hold data: all but empty ones and mere comments.

    The comment at the end of a declaration is JSON that other tools read, so it is part of the line.
    """
    lines = (Token(line.strip(), number) for number, line in enumerate(text.splitlines(), 1))
    return [line for line in lines if line.text and not line.text.startswith("//")]


def yaml_difference(expected: str, actual: str) -> Difference | None:
    """Compare two YAML texts as data; by lines when one of them is faulty."""
    faults = Diagnostics()
    left, right = (read_yaml(Source(DECLARATIONS_YAML, text), faults) for text in (expected, actual))
    if left is None or right is None or faults.items:
        return line_difference(expected, actual)
    return _node_difference(left, right, "$")


def _first_unequal(expected: Sequence[str], actual: Sequence[str]) -> int | None:
    """Index of the first place at which two lists differ, or None."""
    if expected == actual:
        return None
    for index, (left, right) in enumerate(zip(expected, actual, strict=False)):
        if left != right:
            return index
    return min(len(expected), len(actual))


def _side(texts: Sequence[str], lines: Sequence[int], index: int, context: int) -> Side:
    """What stands at `index`, with `context` texts on both sides; `lines` are those of the texts."""
    before = _joined(texts[max(0, index - context) : index])
    if index >= len(texts):
        return Side(lines[-1] if lines else 1, None, before)
    return Side(lines[index], texts[index], before, _joined(texts[index + 1 : index + 1 + context]))


def _joined(texts: Sequence[str]) -> str:
    """What stands around a difference, each piece cut to a length that leaves room for the others."""
    return " ".join(text if len(text) <= LONGEST_AROUND else f"{text[:LONGEST_AROUND]}..." for text in texts)


def _node_difference(expected: Node, actual: Node, place: str) -> Difference | None:
    """The first place at which two YAML values differ. A different type or order of keys is a difference."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        if list(expected.fields) != list(actual.fields):
            return _differ(f"{place} keys", expected, actual)
        pairs = [(f"{place}.{key}", value, actual.fields[key][1]) for key, (_, value) in expected.fields.items()]
    elif isinstance(expected, Items) and isinstance(actual, Items):
        items = zip(expected.items, actual.items, strict=False)
        pairs = [(_item_place(place, index, left), left, right) for index, (left, right) in enumerate(items)]
    else:
        same = isinstance(expected, Scalar) and isinstance(actual, Scalar) and _is_equal(expected, actual)
        return None if same else _differ(place, expected, actual)
    for where, left, right in pairs:
        found = _node_difference(left, right, where)
        if found is not None:
            return found
    if isinstance(expected, Items) and isinstance(actual, Items) and len(expected.items) != len(actual.items):
        return _differ(f"{place} length", expected, actual)
    return None


def _is_equal(expected: Scalar, actual: Scalar) -> bool:
    """Whether two scalars stand for the same value."""
    if expected.kind != actual.kind:
        return False
    return expected.value == actual.value or repr(constructed(expected)) == repr(constructed(actual))


def _item_place(place: str, index: int, item: Node) -> str:
    """The place of a list item, with the schema if it has one."""
    schema = item.fields.get("schema_string") if isinstance(item, Mapping) else None
    name = schema[1].value.partition("(")[0] if schema and isinstance(schema[1], Scalar) else ""
    return f"{place}[{index}]({name})" if name else f"{place}[{index}]"


def _differ(place: str, expected: Node, actual: Node) -> Difference:
    return Difference(place, _node_side(expected), _node_side(actual))


def _node_side(node: Node) -> Side:
    return Side(node.place.begin[0], _shown(node))


def _shown(node: Node) -> str:
    """A value as far as it fits into a line."""
    if isinstance(node, Scalar):
        return f"{node.kind} {node.value!r}"
    if isinstance(node, Mapping):
        return f"keys {', '.join(node.fields)}"
    return f"{describe(node)} of {len(node.items)}"
