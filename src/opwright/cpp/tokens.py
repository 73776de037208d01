"""C++ texts as tokens: what they say, apart from how they are laid out.

In: a C++ text. Out: its tokens, with or without the lines they stand on; or its lines of code, a form that costs a
tenth and is the same only if the tokens are.

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
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

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
    | (?:u8|[uUL])?"(?:[^"\\\n]|\\[^\n])*"
    | (?:u8|[uUL])?'(?:[^'\\\n]|\\[^\n])*'
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

# A line with those that it continues on: a comment, or code from its first character on.
_REST = r"[^\\\n]*(?:\\\n?[^\\\n]*)*"
_CODE_LINE = re.compile(rf"^[ \t]*(?://{_REST}|(?=[^ \t\n])({_REST}))", re.MULTILINE)
_OPEN_COMMENT = re.compile(r"/\*(?!.*\*/)")


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
    return _directive(line) if line.startswith("#") and len(line) > 1 else line


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


def code_lines(text: str) -> list[str] | None:
    """The lines of a text without their indentation, and without empty and comment lines.

    Texts with equal lines have equal tokens: what reaches beyond a line stays in one item (a continued line), or there
    are no lines to compare, hence None (a raw string, a comment that goes on behind its line).
    """
    text = _unix(text)
    if 'R"' in text or _OPEN_COMMENT.search(text):
        return None
    return list(filter(None, _CODE_LINE.findall(text)))


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
