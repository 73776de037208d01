"""Where the characters of an unquoted or folded YAML scalar came from.

In: the raw text of a scalar and its value. Out: for each offset of the value, the offset in the raw text.

    origins("'it''s'", "it's")  ->  [1, 2, 3, 5, 6]
"""

from __future__ import annotations

import re

_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^\n])")
_BLANK = " \t\r\n"


def origins(raw: str, value: str) -> list[int]:
    """Offsets into `raw`, one for each character of `value` and one for its end.

    Works for quoted, folded and literal scalars by walking both texts side by side. Where the two cannot be matched,
    the remaining characters get the last matched offset, so that a place is at worst imprecise, never absent.
    """
    quote = raw[:1] if raw[:1] in ("'", '"') else ""
    at = 1 if quote else _block_header(raw)
    offsets: list[int] = []
    for char in value:
        at, width = _match(raw, at, char, quote)
        offsets.append(min(at, len(raw)))
        at += width
    offsets.append(min(at, len(raw)))
    return offsets


def _block_header(raw: str) -> int:
    """The offset behind the `|` or `>` line of a block scalar; 0 for any other text."""
    if raw[:1] in ("|", ">"):
        return raw.find("\n") + 1 or len(raw)
    return 0


def _match(raw: str, at: int, char: str, quote: str) -> tuple[int, int]:
    """Where `char` stands at or after `at`, and how many raw characters it takes."""
    if quote == "'" and char == "'" and raw.startswith("''", at):
        return at, 2
    if quote == '"' and raw.startswith("\\", at):
        if raw.startswith("\\\n", at):  # an escaped line end stands for nothing
            return _match(raw, _skip_blank(raw, at + 2), char, quote)
        escape = _ESCAPE.match(raw, at)
        if escape:
            return at, escape.end() - at
    if raw.startswith(char, at) and not (char == " " and _folds(raw, at)):
        return at, 1
    if char in " \n":
        return at, max(1, _skip_blank(raw, at) - at)
    skipped = _skip_blank(raw, at)
    return (skipped, 1) if raw.startswith(char, skipped) else (at, 0)


def _folds(raw: str, at: int) -> bool:
    """Whether the blanks at `at` run into a line end, which folding turns into one blank."""
    while at < len(raw) and raw[at] in " \t":
        at += 1
    return raw.startswith(("\n", "\r"), at)


def _skip_blank(raw: str, at: int) -> int:
    while at < len(raw) and raw[at] in _BLANK:
        at += 1
    return at
