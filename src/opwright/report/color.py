"""Whether to write in color.

In: the user's choice, the stream and the environment. Out: yes or no.

    use_color("auto", sys.stderr, {"NO_COLOR": "1"})  ->  False
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TextIO


def use_color(choice: Literal["auto", "always", "never"], stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Decide for `stream`: `choice` (the option `--color`) beats the environment, which beats what the stream is.

    In the environment NO_COLOR comes first, then FORCE_COLOR and CLICOLOR_FORCE ("0" and empty do not count), then
    TERM=dumb.
    """
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    if any(environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    if environ.get("TERM") == "dumb":
        return False
    return not stream.closed and stream.isatty() and _understands_escapes(stream)


def plain(text: str) -> str:
    """A text without color; all else that could be a sequence for terminals is made visible before it gets here."""
    return re.sub(r"\x1b\[[\d;]*m", "", text) if "\x1b" in text else text


def _understands_escapes(stream: TextIO) -> bool:
    """Whether the terminal acts on escape sequences; a Windows console does so only after it is asked to."""
    if sys.platform == "win32":
        import ctypes
        import msvcrt

        try:
            handle = ctypes.c_void_p(msvcrt.get_osfhandle(stream.fileno()))
        except (OSError, ValueError):
            return False
        mode = ctypes.c_ulong()
        console = ctypes.windll.kernel32
        enable_virtual_terminal_processing = 4
        return bool(
            console.GetConsoleMode(handle, ctypes.byref(mode))
            and console.SetConsoleMode(handle, mode.value | enable_virtual_terminal_processing)
        )
    else:
        return True
