"""Diagnostics for people: the line of source with the faulty part underlined.

In: diagnostics. Out: for each its heading, the excerpt, the help, and the related places.

    ops.yaml:3:15: error[unknown-type]: 'Tensr' is not a type of PyTorch 2.13
        3 | - func: blend(Tensr other) -> Tensor
          |               ^^^^^ did you mean 'Tensor'?

The few escape sequences for color are written here: nothing then wraps or reflows the text, and a run that fails
inside a build does not wait for a library to be imported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from opwright.report.characters import cells, visible, width
from opwright.report.concise import location
from opwright.values import Value

if TYPE_CHECKING:
    from opwright.diagnostics import Diagnostic
    from opwright.source import Place

#: A help text goes behind the carets if the line then stays below this many columns.
HELP_COLUMNS = 140
#: A line of source with more columns than this is cut to a window.
LINE_COLUMNS = 160
#: Columns of source kept before the underlined part when a line is cut, if the rest fits.
LEAD = 40
DOTS = "..."

Paint = Callable[[str, str], str]

#: What a piece of the output is -> the parameters of the terminal's "select graphic rendition" sequence.
_STYLES = {"path": "1", "error": "1;31", "warning": "1;33", "frame": "1;34", "help": "1;32"}


def render(diagnostics: Sequence[Diagnostic], *, color: bool = False) -> str:
    """The display of all `diagnostics`, one after the other; `color` adds escape sequences and changes nothing else."""
    paint = _colored if color else _plain
    return "".join(f"{line}\n" for item in diagnostics for line in _lines(item, paint))


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """How much was found, such as "3 errors and 1 warning in 2 files"; empty when there is nothing."""
    if not diagnostics:
        return ""
    counts: dict[str, int] = {"error": 0, "warning": 0}
    for item in diagnostics:
        counts[item.severity.value] += 1
    parts = [_count(number, word) for word, number in counts.items() if number]
    return f"{' and '.join(parts)} in {_count(len({item.path for item in diagnostics}), 'file')}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _plain(style: str, text: str) -> str:
    return text


def _colored(style: str, text: str) -> str:
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def _lines(item: Diagnostic, paint: Paint) -> list[str]:
    severity = item.severity.value
    place = paint("path", location(item.path, item.place))
    lines = [f"{place}: {paint(severity, f'{severity}[{item.code}]')}: {visible(item.message)}"]
    hint, *more = [visible(line) for line in (item.help or "").split("\n")]
    if item.place is not None:
        excerpt = _excerpt(item.place, "^")
        hint_fits = excerpt.marks_end + 1 + width(hint) < HELP_COLUMNS
        lines += excerpt.lines(paint, severity, hint if hint_fits else "")
        if hint_fits:
            hint = ""
    if hint:
        lines.append(f"   {paint('frame', '=')} {paint('help', 'help')}: {hint}")
    lines += more
    for related in item.related:
        where = paint("path", location(related.place.source.path, related.place))
        lines.append(f"  {paint('frame', ':::')} {where}: {visible(related.message)}")
        lines += _excerpt(related.place, "-").lines(paint, "frame", "")
    return lines


class _Excerpt(Value):
    """A line of source as shown, and the marks below it: `indent` columns of space, then `marks`."""

    number: str
    text: str
    indent: int
    marks: str

    @property
    def marks_end(self) -> int:
        """The columns of the whole line of marks."""
        return len(self.number) + len(" | ") + self.indent + len(self.marks)

    def lines(self, paint: Paint, style: str, hint: str) -> tuple[str, str]:
        """The two lines to show; `style` is that of the marks, `hint` stands behind them."""
        text = self.text.rstrip()
        first = paint("frame", f"{self.number} |") + (f" {text}" if text else "")
        blank = " " * len(self.number)
        second = f"{paint('frame', f'{blank} |')} {' ' * self.indent}{paint(style, self.marks)}"
        return first, (f"{second} {hint}" if hint else second)


def _excerpt(place: Place, mark: str) -> _Excerpt:
    number, column = place.begin
    end_number, end_column = place.end
    line = place.source.line(number)
    # A place may start at the line end itself: the mark then stands just behind the text.
    start = min(column - 1, len(line))
    stop = min(end_column - 1, len(line)) if end_number == number else len(line)
    # All else works character by character, so a file that is one huge line is cut down first.
    low, high = 0, len(line)
    if len(line) > LINE_COLUMNS:
        low, high = max(0, start - LINE_COLUMNS), min(len(line), start + LINE_COLUMNS)
    shown = cells(line[low:high])
    start, stop = start - low, min(stop, high) - low
    first, last = 0, len(shown)
    if len(line) > LINE_COLUMNS or sum(columns for _, columns in shown) > LINE_COLUMNS:
        first, last = _window([columns for _, columns in shown], start, stop)
    before = DOTS if low + first > 0 else ""
    after = DOTS if low + last < len(line) else ""
    while first < start < len(shown) and shown[start][1] == 0:
        start -= 1  # a combining character is drawn on the one before it
    return _Excerpt(
        number=f"{number:>5}",
        text=before + "".join(text for text, _ in shown[first:last]) + after,
        indent=len(before) + sum(columns for _, columns in shown[first:start]),
        marks=mark * max(1, sum(columns for _, columns in shown[start : min(stop, last)])),
    )


def _window(columns: list[int], start: int, stop: int) -> tuple[int, int]:
    """The part of a long line to show around the characters `start` to `stop`: first index, and index behind the last.

    `columns` has the width of each character. The part to underline goes first, as far as it fits, then what stands
    before it up to `LEAD`, then what follows, and at last more from before it.
    """
    room = LINE_COLUMNS - 2 * len(DOTS)
    first = last = start

    def grow_right(limit: int) -> None:
        nonlocal last, room
        while last < limit and columns[last] <= room:
            room -= columns[last]
            last += 1

    def grow_left(keep: int) -> None:
        nonlocal first, room
        while first > 0 and room - columns[first - 1] >= keep:
            first -= 1
            room -= columns[first]

    grow_right(stop)
    grow_left(max(0, room - LEAD))
    grow_right(len(columns))
    grow_left(0)
    return first, last
