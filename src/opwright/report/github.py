"""Diagnostics as workflow commands, which GitHub Actions turns into annotations of a change.

In: diagnostics. Out: one command for each.

    ::error file=ops.yaml,line=3,col=9,endLine=3,endColumn=14,title=opwright[unknown-type]::'Tensr' is not a type
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from opwright.report.characters import visible

if TYPE_CHECKING:
    from opwright.diagnostics import Diagnostic


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """The commands, each with a line end."""
    return "".join(f"{_command(item)}\n" for item in diagnostics)


def _command(item: Diagnostic) -> str:
    properties = {"file": item.path}
    if item.place is not None:
        (line, column), (end_line, end_column) = item.place.begin, item.place.end
        if line == end_line:
            properties |= {"line": f"{line}", "col": f"{column}", "endLine": f"{line}", "endColumn": f"{end_column}"}
        else:  # the runner refuses columns when the lines differ
            properties |= {"line": f"{line}", "endLine": f"{end_line}"}
    properties["title"] = f"opwright[{item.code}]"
    shown = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    # The log is a terminal too, so what else is in the message (not in the path, which must stay true) is made visible.
    return f"::{item.severity.value} {shown}::{visible(_data(item.advice))}"


def _data(text: str) -> str:
    """Escape a message as the runner reads it back."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
