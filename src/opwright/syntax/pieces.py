"""Cutting the lists of a schema at their commas.

In: the text between two parentheses. Out: its pieces; commas inside brackets and strings do not cut.

    list(careful_pieces("int[2] x=[0, 1], str y='a, b'"))  ->  ["int[2] x=[0, 1]", "str y='a, b'"]
"""

from __future__ import annotations

from collections.abc import Iterator


def is_whole(piece: str) -> bool:
    """Whether brackets and quotes are closed inside `piece`, so that it was not cut in two."""
    count = piece.count
    if '"' in piece or "'" in piece:
        return False
    return count("[") == count("]") and count("(") == count(")")


def careful_pieces(body: str) -> Iterator[str]:
    """Cut at each ', ' that is outside brackets and strings."""
    start = 0
    for comma in outer_commas(body):
        if body.startswith(", ", comma):
            yield body[start:comma]
            start = comma + 2
    yield body[start:]


def outer_comma(text: str) -> int:
    """The offset of the first comma outside brackets and strings; -1 without one."""
    return next(outer_commas(text), -1) if "," in text else -1


def outer_commas(text: str) -> Iterator[int]:
    """The offsets of the commas outside brackets and strings."""
    depth, quote, escaped = 0, "", False
    for at, char in enumerate(text):
        if quote:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == quote:
                quote = ""
        elif char in "\"'":
            quote = char
        elif char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "," and depth <= 0:
            yield at
