"""What a benchmark is made of, as values: programs that take turns, and which of them are put side by side.

In: nothing. Out: the classes that `cases.py` fills, `measuring.py` runs and `report.py` shows.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from opwright.values import Value

#: In the options of a program, the folder to write to.
OUT = "{out}"


class BenchmarkError(Exception):
    """Something could not be measured; the text says what and why."""


class Setting(Value):
    """What all cases share: the folder with the package torchgen and its release, and a folder to make files in."""

    root: Path
    release: str
    #: Whether this is the torchgen of the installed torch; Opwright need not be told the release then.
    is_installed: bool
    scratch: Path
    #: What Opwright can be asked for, besides what it has always had.
    has_force: bool = False
    #: Whether torchgen is run on five and ten times the operators, which takes it many minutes.
    grows_torchgen: bool = False

    @property
    def torchgen(self) -> Path:
        """The package."""
        return self.root / "torchgen"

    @property
    def source(self) -> Path:
        """PyTorch's own operators and templates."""
        return self.torchgen / "packaged" / "ATen"


class Program(Value):
    """What is run: how Python is told to start it, and the options; and how many times when it is its turn.

    A short run falls into one moment of a machine that others use too, and several runs do not.
    """

    name: str
    start: tuple[str, ...]
    options: tuple[str, ...] = ()
    times: int = 1


class Target(Value):
    """What a ratio is to be, and what would be better still. A limit is for a ratio that is to be small."""

    bound: float
    aim: float | None = None
    is_limit: bool = False

    def verdict(self, ratio: float) -> str:
        """Whether the ratio is as it should be: `aim`, `yes` or `no`."""
        if self.aim is not None and self._holds(ratio, self.aim):
            return "aim"
        return "yes" if self._holds(ratio, self.bound) else "no"

    def _holds(self, ratio: float, bound: float) -> bool:
        return ratio <= bound if self.is_limit else ratio >= bound


class Comparison(Value):
    """A row: a program of ours, and what it is put beside; their ratio is to reach the targets.

    `against` is the name of a program of the scenario, or, for one that is not run, says so.
    """

    case: str
    ours: str
    against: str
    time: Target | None = None
    memory: Target | None = None


class Scenario(Value):
    """Programs that take turns, all on the same input.

    Each run writes to a new folder; with `keeps_folders` to what the last run of the same program has left, and all
    programs must then rewrite the same files. Before each round `edit`, if there is one, changes the input, and every
    program then runs once.
    """

    title: str
    programs: tuple[Program, ...]
    rows: tuple[Comparison, ...]
    keeps_folders: bool = False
    edit: Callable[[], None] | None = None
