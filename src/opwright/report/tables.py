"""Tables for a terminal.

In: a head and rows of cells. Out: lines with the columns aligned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Literal

#: Wide enough for every table: where to break lines is for the terminal.
WIDTH = 1000


def table(head: Sequence[str], rows: Iterable[Sequence[str]], justify: Literal["left", "right"] = "right") -> str:
    """Aligned columns: the first to the left, all others as said."""
    from rich.console import Console
    from rich.table import Table

    made = Table(*head, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in made.columns[1:]:
        column.justify = justify
    for row in rows:
        made.add_row(*row)
    console = Console(file=StringIO(), width=WIDTH, markup=False, highlight=False, emoji=False, color_system=None)
    with console.capture() as capture:
        console.print(made)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())
