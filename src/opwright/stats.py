"""How long each stage of a run takes and how much text it makes.

In: stages as they are entered and left. Out: rows for a table, and word of each stage for who wants to show it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from opwright.values import Value, made


class Stage(Value, frozen=False):
    """One stage: seconds of wall time, and the size of what it made: characters of text, or bytes where it writes."""

    name: str
    seconds: float = 0.0
    size: int = 0


def _unwatched(name: str) -> None:
    """Nobody looks on."""


class Stats(Value, frozen=False):
    """The stages of a run in order. `watch` is told the name of a stage that is entered, and none when it is left."""

    stages: list[Stage] = made(default_factory=list)
    watch: Callable[[str], None] = _unwatched

    @contextmanager
    def stage(self, name: str) -> Iterator[Stage]:
        """Time what happens inside the `with` block; set `size` of what it gives."""
        stage = Stage(name)
        self.stages.append(stage)
        self.watch(name)
        start = time.perf_counter()
        try:
            yield stage
        finally:
            stage.seconds = time.perf_counter() - start
            self.watch("")
