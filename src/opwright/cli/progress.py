"""A line on a terminal that says which stage is at work, while a run takes longer than a second.

In: stages as they are entered and left. Out: the line, rewritten in place. It is taken away when a stage is left, so
that whatever is printed between stages finds an empty line.

    opwright gen: register dispatch keys
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

#: A run that is done within this time, in seconds, shows no line.
PATIENCE = 1.0
#: After this time, in seconds, the line may change; while thousands of files are made, stages take turns for each.
PACE = 0.1
#: How wide a terminal is that does not say it.
COLUMNS = 80


class Progress:
    """Shows stages on `stream`, a terminal, behind `title`; `clock` gives seconds."""

    __slots__ = ("_clock", "_due", "_shown", "_stream", "_title")

    def __init__(self, stream: TextIO, title: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._title, self._clock = stream, title, clock
        self._due = clock() + PATIENCE
        self._shown = ""

    def __call__(self, stage: str) -> None:
        """Show the stage that is at work; without a name, none."""
        if stage:
            now = self._clock()
            if now < self._due:
                return
            self._due = now + PACE
        text = f"{self._title}: {stage}"[: self._columns() - 1] if stage else ""
        if text or self._shown:
            # Blanks, not an escape sequence, take away the old line: every terminal knows them.
            blank = f"\r{' ' * len(self._shown)}\r" if self._shown else ""
            with suppress(OSError, ValueError):  # a terminal that has gone away is no reason to stop
                self._stream.write(blank + text)
                self._stream.flush()
        self._shown = text

    def _columns(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or COLUMNS
        except (OSError, ValueError):
            return COLUMNS
