"""Diagnostics as one JSON array, for scripts.

In: diagnostics. Out: an array of objects that all have the same keys; `[]` when there is nothing.

    [{"path": "ops.yaml", "line": 3, "column": 9, "end_line": 3, "end_column": 14, "severity": "error", ...}]

Lines and columns count from 1, columns in Unicode code points; the end is exclusive. All four are null when a
diagnostic concerns a file as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opwright.diagnostics import Diagnostic
    from opwright.source import Place


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """The array, and a line end. It is ASCII, so that no locale can spoil it."""
    return json.dumps([_fault(item) for item in diagnostics], indent=2) + "\n"


def _fault(item: Diagnostic) -> dict[str, object]:
    return {
        "path": item.path,
        **_range(item.place),
        "severity": item.severity.value,
        "code": item.code,
        "message": item.message,
        "help": item.help,
        "related": [
            {"path": related.place.source.path, **_range(related.place), "message": related.message}
            for related in item.related
        ],
    }


def _range(place: Place | None) -> dict[str, int | None]:
    if place is None:
        return dict.fromkeys(("line", "column", "end_line", "end_column"))
    (line, column), (end_line, end_column) = place.begin, place.end
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}
