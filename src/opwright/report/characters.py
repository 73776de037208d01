"""Characters as a terminal shows them.

In: text from an input file. Out: text that is safe to show, and how many columns it takes.

    visible("a\\x1b[2J")  ->  "a\\\\x1b[2J"
"""

from __future__ import annotations

from unicodedata import category, east_asian_width

TAB_STOP = 4


def visible(text: str) -> str:
    """`text` with every character that is not printable written as an escape, such as `\\x1b` or `\\u200b`.

    So an input can neither steer the terminal nor hide something from the reader: control characters, line ends,
    direction marks and odd spaces all show.
    """
    return text if text.isprintable() else "".join(map(_visible, text))


def cells(line: str) -> list[tuple[str, int]]:
    """For each character of a line of source: what to show for it, and the columns that this takes.

    Tabs become spaces, because what stands before a source line would shift its tab stops.
    """
    shown: list[tuple[str, int]] = []
    column = 0
    for character in line:
        if character == "\t":
            blank = TAB_STOP - column % TAB_STOP
            shown.append((" " * blank, blank))
        elif "!" <= character <= "~" or character == " ":
            shown.append((character, 1))
        else:
            text = _visible(character)
            shown.append((text, _width(text)))
        column += shown[-1][1]
    return shown


def width(text: str) -> int:
    """The columns that a printable `text` takes."""
    return len(text) if text.isascii() else sum(map(_width, text))


def _visible(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")


def _width(shown: str) -> int:
    """The columns of one character, or of the escape that stands for it."""
    if len(shown) > 1:
        return len(shown)
    if category(shown) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(shown) in "WF" else 1
