"""The result of `opwright verify` as a value.

In: both runs and the compared files. Out: what came of it all, and the figures that a report shows.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum
from pathlib import Path

from opwright.compare.programs import Run, Torchgen
from opwright.compare.trees import ComparedFile, Status
from opwright.values import Value


class Outcome(Enum):
    """What came out for the whole; nothing is compared when one of the programs does not accept the input."""

    SAME = "same"
    DIFFERENT = "different"
    INPUT_ERRORS = "input_errors"
    TORCHGEN_FAILED = "torchgen_failed"


class Verification(Value):
    """Both programs on the same source with the same options.

    `release` is the release that Opwright follows, `options` are those that both programs were given. `torchgen_run`
    is None when Opwright found errors in the input, and `files` is empty unless both programs came to their end.
    """

    source: Path
    release: str
    options: tuple[str, ...]
    torchgen: Torchgen
    opwright_run: Run
    torchgen_run: Run | None
    files: tuple[ComparedFile, ...] = ()

    @property
    def outcome(self) -> Outcome:
        if self.torchgen_run is None:
            return Outcome.INPUT_ERRORS
        if self.torchgen_run.status:
            return Outcome.TORCHGEN_FAILED
        return Outcome.SAME if all(file.status is Status.SAME for file in self.files) else Outcome.DIFFERENT

    @property
    def totals(self) -> Counter[Status]:
        """How many files have which status."""
        return Counter(file.status for file in self.files)

    @property
    def wall_ratio(self) -> float | None:
        """How many times as long torchgen took on the clock."""
        return None if self.torchgen_run is None else self.torchgen_run.wall / self.opwright_run.wall

    @property
    def cpu_ratio(self) -> float | None:
        """How many times as long torchgen took of the processor; None where the system does not tell."""
        theirs, ours = self.torchgen_run and self.torchgen_run.cpu, self.opwright_run.cpu
        return theirs / ours if theirs and ours else None
