"""Making what is planned.

In: planned files. Out: `OutputFile`s, and how long they took.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opwright.artifacts.emission import Planned
from opwright.output.tree import OutputFile
from opwright.stats import Stats


def make(planned: Iterable[Planned], name: str, step: str, stats: Stats) -> Iterator[OutputFile]:
    """The planned files with their texts; those that have none after a fault are missing."""
    with stats.stage(name) as stage:
        for item in planned:
            text = item.text()
            if text is not None:
                stage.size += len(text)
                yield OutputFile(item.path, text, item.family, item.is_umbrella, item.is_checked_in, step)
