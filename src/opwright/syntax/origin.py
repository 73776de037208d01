"""Where the characters of a quoted or folded YAML scalar came from.

In: the raw text of a scalar and its value. Out: for each character of the value, its span in the raw text.

    origins("'it''s'", "it's")  ->  [(1, 2), (2, 3), (3, 5), (5, 6), (6, 6)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

_BREAK = r"(?:\r\n|[\n\r\x85\u2028\u2029])"
_BREAKS = re.compile(_BREAK)
#: Tag, anchor and remarks in front of the scalar itself.
_PROPERTIES = re.compile(r"(?:[&!]\S*\s*(?:#[^\n]*\s*)*)*")
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
#: An escaped line end with the blanks of the next line, which both stand for nothing.
_JOINED = re.compile(rf"\\{_BREAK}[ \t]*")
_FOLD = re.compile(rf"[ \t]*{_BREAK}(?:[ \t]*{_BREAK})*[ \t]*")
_HEADER = re.compile(rf"[|>][^\n\r]*?{_BREAK}")


def origins(raw: str, value: str) -> list[Span]:
    """The span in `raw` of each character of `value`, and an empty one where the value ends.

    Works for plain, quoted, folded and literal scalars, with their tags and anchors. What folding and escaped line
    ends take out belongs to no character.
    """
    start = _PROPERTIES.match(raw)
    at = start.end() if start else 0
    header = _HEADER.match(raw, at)
    found = list(_block(raw, header.end(), value) if header else _flow(raw, at))
    # Should the two not match, places are imprecise, but there are enough of them.
    found = found[: len(value)]
    end = found[-1][1] if found else min(at, len(raw))
    return found + [(end, end)] * (len(value) + 1 - len(found))


def _flow(raw: str, at: int) -> Iterator[Span]:
    """The span of each character of a quoted or plain scalar that starts at `at`."""
    quote = raw[at : at + 1] if raw[at : at + 1] in ("'", '"') else ""
    at += len(quote)
    while at < len(raw):
        char = raw[at]
        if char == quote and not (quote == "'" and raw.startswith("''", at)):
            return
        fold = _FOLD.match(raw, at)
        if fold:
            yield from _folded_breaks(raw, at, fold.end())
            at = fold.end()
        elif char == "\\" and quote == '"' and (joined := _JOINED.match(raw, at)):
            at = joined.end()
            while (more := _FOLD.match(raw, at)) is not None:  # empty lines behind it are kept
                yield from (found.span() for found in _BREAKS.finditer(raw, at, more.end()))
                at = more.end()
        else:
            escape = _ESCAPE.match(raw, at) if quote == '"' else None
            stop = escape.end() if escape else at + 1 + (char == quote)
            yield at, stop
            at = stop


def _folded_breaks(raw: str, at: int, stop: int) -> Iterator[Span]:
    """The characters that line ends and the blanks around them become: one blank, or all line ends but the first."""
    breaks = [found.span() for found in _BREAKS.finditer(raw, at, stop)]
    if raw[breaks[0][0]] in "\u2028\u2029":  # these are kept
        yield breaks[0]
    elif len(breaks) == 1:
        yield at, stop
    yield from breaks[1:]


def _block(raw: str, at: int, value: str) -> Iterator[Span]:
    """The span of each character of a literal or folded scalar whose lines start at `at`."""
    indent = _indent(raw[at:], value)
    done = 0
    breaks: list[Span] = []
    while done < len(value):
        line = at
        while at - line < indent and raw.startswith(" ", at):
            at += 1
        found = _BREAKS.search(raw, at)
        stop = found.start() if found else len(raw)
        if stop > at:  # a line with content: first what the line ends in front of it became
            kept = len(value) - done - len(value[done:].lstrip("\n\u2028\u2029"))
            if breaks:
                became = breaks[-kept:] if kept else breaks[:1]
                yield from became
                done += len(became)
            breaks = []
            size = min(stop - at, len(value) - done)
            yield from ((each, each + 1) for each in range(at, at + size))
            done += size
        if not found:
            break
        breaks.append(found.span())
        at = found.end()
    yield from breaks[: len(value) - done]


def _indent(lines: str, value: str) -> int:
    """How many blanks each line of a block scalar starts with that are not part of it."""
    own = next((line for line in _BREAKS.split(lines) if line.strip(" ")), "")
    kept = next((line for line in _BREAKS.split(value) if line.strip(" ")), "")
    return max(0, len(own) - len(own.lstrip(" ")) - (len(kept) - len(kept.lstrip(" "))))
