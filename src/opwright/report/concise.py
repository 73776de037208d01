"""One line for each diagnostic, in the form that editors and `grep` know.

In: diagnostics. Out: `path:line:col: severity[code]: message` lines; without a place, `path: ...`.

    ops.yaml:3:9: error[unknown-type]: 'Tensr' is not a type of PyTorch 2.13
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from opwright.report.characters import visible

if TYPE_CHECKING:
    from opwright.diagnostics import Diagnostic
    from opwright.source import Place


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """The lines, each with a line end."""
    return "".join(
        f"{location(item.path, item.place)}: {item.severity.value}[{item.code}]: {visible(item.message)}\n"
        for item in diagnostics
    )


def location(path: str, place: Place | None) -> str:
    """`path:line:col`, or only the path when there is no place."""
    if place is None:
        return visible(path)
    line, column = place.begin
    return f"{visible(path)}:{line}:{column}"
