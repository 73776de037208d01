"""When output is in color."""

from __future__ import annotations

import io
import sys
from typing import Literal

import pytest

from opwright.report.color import use_color


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


#: The console of Windows is asked for its handle, which this stream does not have.
ON_TERMINAL = sys.platform != "win32"


@pytest.mark.parametrize(
    ("choice", "terminal", "environ", "expected"),
    [
        ("auto", True, {}, ON_TERMINAL),
        ("auto", False, {}, False),
        ("always", False, {"NO_COLOR": "1", "TERM": "dumb"}, True),
        ("never", True, {"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}, False),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"NO_COLOR": "0"}, False),
        ("auto", True, {"NO_COLOR": ""}, ON_TERMINAL),
        ("auto", True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ("auto", False, {"FORCE_COLOR": "1"}, True),
        ("auto", False, {"FORCE_COLOR": "0"}, False),
        ("auto", False, {"FORCE_COLOR": ""}, False),
        ("auto", True, {"FORCE_COLOR": "0"}, ON_TERMINAL),
        ("auto", False, {"CLICOLOR_FORCE": "1"}, True),
        ("auto", False, {"CLICOLOR_FORCE": "0"}, False),
        ("auto", False, {"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        ("auto", True, {"TERM": "dumb"}, False),
        ("auto", True, {"TERM": "xterm-256color"}, ON_TERMINAL),
    ],
)
def test_use_color(
    choice: Literal["auto", "always", "never"], terminal: bool, environ: dict[str, str], expected: bool
) -> None:
    stream = Terminal() if terminal else io.StringIO()
    assert use_color(choice, stream, environ) is expected


def test_a_closed_stream_has_no_color() -> None:
    stream = Terminal()
    stream.close()
    assert use_color("auto", stream, {}) is False
