"""Compare generated files by what they mean, not by how they are laid out.

In: two texts, or two folders and the names of files in both. Out: nothing when they say the same, otherwise a
readable text that shows the first tokens (lines, values) that differ.

>>> tokenize("int  f( ) ; // comment")
['int', 'f', '(', ')', ';']
>>> tokenize("#include  <a.h>\\nx")
['#include <a.h>', 'x']

The rules: C++ comments and white space do not count, every punctuation character is a token of its own (so `>>` and
`> >` are the same), and a preprocessor line is one token, because its end is part of its meaning.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import yaml

REGISTRATION_DECLARATIONS = "RegistrationDeclarations.h"
DECLARATIONS_YAML = "Declarations.yaml"

# What may hide a comment or a line continuation. Each branch starts with a plain character, which lets the regular
# expression engine skip quickly to the next one; what has to stand before is therefore looked at afterwards.
_HIDING = re.compile(
    r"""
      R"(?:(?<!\wR")|(?<=(?<!\w)[uUL]R")|(?<=(?<!\w)u8R"))(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"
    | "(?:[^"\\\n]|\\.)*"
    | '(?:[^'\\\n]|\\.)*'
    | [0-9](?<!\w[0-9])(?:'?\w)*
    | /\*.*?\*/
    | //(?:\\\n|[^\n])*
    | \\\n
    """,
    re.VERBOSE | re.DOTALL,
)

_LINE = r"^[ \t]*\#[^\n]*"
_RAW = r"(?:u8|[uUL])?R\"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)\""
_OTHER = r"""
      [A-Za-z_]\w*(?!["'\w])
    | [^\w\s"'.]
    | (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"
    | (?:u8|[uUL])?'(?:[^'\\\n]|\\.)*'
    | \.?[0-9](?:[eEpP][+-]|'?\w|\.)*
    | \w+
    | ["'.]
    """

# Most texts have no raw strings, and without a group in the expression all tokens come out in one call.
_FLAGS = re.VERBOSE | re.DOTALL | re.MULTILINE
_TOKEN = re.compile(f"{_LINE} | {_OTHER}", _FLAGS)
_TOKEN_OR_RAW = re.compile(f"{_LINE} | {_RAW} | {_OTHER}", _FLAGS)

_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(\w*)")
_INCLUDES = frozenset({"include", "include_next", "import"})


class Token(NamedTuple):
    """One token and the line (from 1) on which it starts."""

    text: str
    line: int


class _Spliced(NamedTuple):
    """Text without comments and line continuations, and the offsets in it at which newlines were taken out."""

    text: str
    removed: list[int]


def _splice(text: str) -> _Spliced:
    """Do what a compiler does before it makes tokens: join continued lines, turn each comment into one blank."""
    pieces: list[str] = []
    removed: list[int] = []
    length = 0
    start = 0
    for match in _HIDING.finditer(text):
        found = match.group()
        if found.startswith(("//", "/*")):
            replacement = " "
        elif "\\\n" in found and not found.startswith("R"):
            replacement = found.replace("\\\n", "")
        else:
            continue
        pieces += (text[start : match.start()], replacement)
        length += match.start() - start + len(replacement)
        start = match.end()
        removed += [length] * (found.count("\n") - replacement.count("\n"))
    pieces.append(text[start:])
    return _Spliced("".join(pieces), removed)


@lru_cache(maxsize=65536)
def _directive(line: str) -> str:
    """One preprocessor line in a normal form: tokens with one blank between them.

    `#define F(x)` and `#define F (x)` mean different things, so no blank is put before a parenthesis that
    touches the name of a macro. The path of an `#include <...>` stays as it is.
    """
    head = _DIRECTIVE.match(line)
    assert head is not None
    word, rest = head.group(1), line[head.end() :].strip()
    if word in _INCLUDES and rest.startswith("<"):
        return f"#{word} {rest}"
    parts = [match.group() for match in _TOKEN_OR_RAW.finditer(" " + rest)]
    if word == "define" and re.match(r"\w+\(", rest):
        parts[0:2] = [parts[0] + "("]
    return " ".join([f"#{word}", *parts])


def _shown(token: str) -> str:
    """The token as it is compared: preprocessor lines in their normal form, all else unchanged."""
    line = token.lstrip(" \t") if token[0] in "# \t" else token
    return _directive(line) if line.startswith("#") and len(line) > 1 else token


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n") if "\r" in text else text


def tokenize(text: str) -> list[str]:
    """The C++ tokens of a text, in order."""
    spliced = _splice(_unix(text)).text
    if 'R"' in spliced:
        found = [match.group() for match in _TOKEN_OR_RAW.finditer(spliced)]
    else:
        found = _TOKEN.findall(spliced)
    return [_shown(token) if token[0] in "# \t" else token for token in found]


def tokenize_with_lines(text: str) -> list[Token]:
    """The C++ tokens of a text with their lines. Slower than `tokenize`; for messages."""
    spliced = _splice(_unix(text))
    tokens = []
    newlines, last = 0, 0
    for match in _TOKEN_OR_RAW.finditer(spliced.text):
        newlines += spliced.text.count("\n", last, match.start())
        last = match.start()
        line = 1 + newlines + bisect_right(spliced.removed, match.start())
        tokens.append(Token(_shown(match.group()), line))
    return tokens


def _first_unequal(expected: list[str], actual: list[str]) -> int | None:
    """Index of the first place at which two lists differ, or None."""
    if expected == actual:
        return None
    for index, (left, right) in enumerate(zip(expected, actual, strict=False)):
        if left != right:
            return index
    return min(len(expected), len(actual))


def _around(label: str, tokens: list[Token], index: int, context: int) -> str:
    """One line of a message: where `tokens` differ at `index`, with `context` tokens on both sides."""
    before = " ".join(token.text for token in tokens[max(0, index - context) : index])
    if index >= len(tokens):
        line = tokens[-1].line if tokens else 1
        return f"  {label:8} line {line}: {before} >>>end of file<<<"
    after = " ".join(token.text for token in tokens[index + 1 : index + 1 + context])
    return f"  {label:8} line {tokens[index].line}: {before} >>>{tokens[index].text}<<< {after}"


def first_difference(expected: str, actual: str, context: int = 8) -> str | None:
    """Compare two C++ texts by tokens.

    Returns None if they are the same, otherwise a text with the first tokens that differ, `context` tokens
    around them, and the lines they stand on in both texts.
    """
    if expected == actual:
        return None
    index = _first_unequal(tokenize(expected), tokenize(actual))
    if index is None:
        return None
    return "\n".join(
        [
            f"token {index + 1} differs",
            _around("expected", tokenize_with_lines(expected), index, context),
            _around("actual", tokenize_with_lines(actual), index, context),
        ]
    )


def _sorted_items(tokens: list[str]) -> list[str]:
    """`[b, ",", a]` as `[a, ",", b]`."""
    items: list[list[str]] = [[]]
    for token in tokens:
        if token == ",":
            items.append([])
        else:
            items[-1].append(token)
    return [token for item in sorted(items) for token in (",", *item)][1:]


def sorted_braces(tokens: Iterable[str]) -> list[str]:
    """Sort the comma-separated items of every innermost `{a, b}` that holds no statement.

    For files whose reference has lists in an order that changes from run to run.
    """
    result: list[str] = []
    opened: int | None = None
    for token in tokens:
        if token == "{":
            opened = len(result)
        elif token == ";":
            opened = None
        elif token == "}" and opened is not None:
            result[opened + 1 :] = _sorted_items(result[opened + 1 :])
            opened = None
        result.append(token)
    return result


def _brace_difference(expected: str, actual: str, context: int) -> str | None:
    """As `first_difference`, but brace lists count as sets."""
    if expected == actual:
        return None
    left, right = sorted_braces(tokenize(expected)), sorted_braces(tokenize(actual))
    index = _first_unequal(left, right)
    if index is None:
        return None
    lines = tokenize_with_lines(expected), tokenize_with_lines(actual)
    shown = [
        [Token(text, place.line) for text, place in zip(texts, places, strict=True)]
        for texts, places in zip((left, right), lines, strict=True)
    ]
    return "\n".join(
        [
            f"token {index + 1} differs (brace lists sorted)",
            _around("expected", shown[0], index, context),
            _around("actual", shown[1], index, context),
        ]
    )


def data_lines(text: str) -> list[Token]:
    """The lines of RegistrationDeclarations.h that hold data: all but empty ones and mere comments.

    The comment at the end of a declaration is JSON that other tools read, so it is part of the line.
    """
    lines = (Token(line.strip(), number) for number, line in enumerate(text.splitlines(), 1))
    return [line for line in lines if line.text and not line.text.startswith("//")]


def line_difference(expected: str, actual: str) -> str | None:
    """Compare two texts by their data lines; see `data_lines`."""
    left, right = data_lines(expected), data_lines(actual)
    index = _first_unequal([line.text for line in left], [line.text for line in right])
    if index is None:
        return None
    return "\n".join(
        [f"data line {index + 1} differs", _around("expected", left, index, 0), _around("actual", right, index, 0)]
    )


def _item(place: str, index: int, value: object) -> str:
    """The place of a list item, with the schema if it has one."""
    schema = value.get("schema_string", "").partition("(")[0] if isinstance(value, dict) else ""
    return f"{place}[{index}]({schema})" if schema else f"{place}[{index}]"


def _value_difference(expected: object, actual: object, place: str) -> str | None:
    """The first place at which two YAML values differ. A different type or order of keys is a difference."""
    if type(expected) is not type(actual):
        return f"{place}: expected {expected!r}, actual {actual!r}"
    if isinstance(expected, dict) and isinstance(actual, dict):
        if list(expected) != list(actual):
            return f"{place}: expected keys {list(expected)}, actual keys {list(actual)}"
        pairs = [(f"{place}.{key}", expected[key], actual[key]) for key in expected]
    elif isinstance(expected, list) and isinstance(actual, list):
        pairs = [(_item(place, i, pair[0]), *pair) for i, pair in enumerate(zip(expected, actual, strict=False))]
        if len(expected) != len(actual):
            pairs.append((f"{place} length", len(expected), len(actual)))
    else:
        return None if expected == actual else f"{place}: expected {expected!r}, actual {actual!r}"
    return next((found for where, left, right in pairs if (found := _value_difference(left, right, where))), None)


def yaml_difference(expected: str, actual: str) -> str | None:
    """Compare two YAML texts as data."""
    if expected == actual:
        return None
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return _value_difference(yaml.load(expected, Loader=loader), yaml.load(actual, Loader=loader), "$")


def file_difference(expected: Path, actual: Path, *, braces_as_sets: bool = False, context: int = 8) -> str | None:
    """Compare two generated files in the way that fits their name; None if they say the same."""
    if not actual.is_file():
        return "is missing"
    left_bytes, right_bytes = expected.read_bytes(), actual.read_bytes()
    if left_bytes == right_bytes:
        return None
    left, right = left_bytes.decode("utf-8"), right_bytes.decode("utf-8")
    if expected.name == DECLARATIONS_YAML:
        return yaml_difference(left, right)
    if expected.name == REGISTRATION_DECLARATIONS:
        return line_difference(left, right)
    if braces_as_sets:
        return _brace_difference(left, right, context)
    return first_difference(left, right, context)


def compare_trees(
    expected_dir: Path, actual_dir: Path, names: Iterable[str], braces_as_sets: Collection[str] = ()
) -> dict[str, str]:
    """Compare the named files of two folders.

    `names` are paths relative to both folders, with `/`. Files named in `braces_as_sets` are compared with the
    order inside innermost braces left out. Returns, for each file that differs, what differs first in it.
    """
    differences: dict[str, str] = {}
    for name in names:
        found = file_difference(expected_dir / name, actual_dir / name, braces_as_sets=name in braces_as_sets)
        if found is not None:
            differences[name] = found
    return differences


def summary(differences: dict[str, str], most: int = 3) -> str:
    """A failure message: how many files differ, and the first difference in up to `most` of them."""
    shown = [f"{name}: {text}" for name, text in list(differences.items())[:most]]
    return "\n".join([f"{len(differences)} file(s) differ from the reference", *shown])
