"""How long each stage of a run takes and how much text it makes.

In: stages as they are entered and left. Out: rows for a table, and word of each stage for who wants to show it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from opwright.values import Value, made


class Stage(Value, frozen=False):
    """One stage, entered as often as there is something to do for it.

    `seconds` is its wall time, without that of stages inside it, and `size` what it made: characters of text, or bytes
    where it writes.
    """

    name: str
    stats: Stats
    seconds: float = 0.0
    size: int = 0

    def __enter__(self) -> Stage:
        self.stats.change(self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stats.change(None)


def _unwatched(name: str) -> None:
    """Nobody looks on."""


class Stats(Value, frozen=False):
    """The stages of a run by name, in order.

    `watch` is told the name of the stage at work whenever that changes, and none when there is none.
    """

    stages: dict[str, Stage] = made(default_factory=dict)
    watch: Callable[[str], None] = _unwatched
    _open: list[Stage] = made(default_factory=list)
    _since: float = 0.0

    def stage(self, name: str) -> Stage:
        """The stage of this name: what happens inside its `with` block is timed; set `size` of what it gives."""
        found = self.stages.get(name)
        if found is None:
            found = self.stages[name] = Stage(name, self)
        return found

    def change(self, entered: Stage | None) -> None:
        """Stop the time of the stage at work; go on with the one that is entered, or else with the one around it."""
        now, stages = time.perf_counter(), self._open
        if stages:
            stages[-1].seconds += now - self._since
        self._since = now
        if entered is not None:
            stages.append(entered)
        else:
            stages.pop()
        if self.watch is not _unwatched:
            self.watch(stages[-1].name if stages else "")
