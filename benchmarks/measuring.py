"""Running programs in turns, and what comes of it.

In: a scenario, how often to run it, a folder to work in. Out: an `Outcome`, with a line for each row of the scenario,
for time and for memory: the medians of both programs, and their ratio.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from statistics import median

from benchmarks.scenarios import OUT, BenchmarkError, Comparison, Program, Scenario, Target
from opwright.output.tree import HIDDEN
from opwright.values import Value

ONE_RUN = Path(__file__).with_name("one_run.py").resolve()
#: Where Opwright is in the checkout.
CODE = Path(__file__).resolve().parents[1] / "src"


class Used(Value):
    """What one run took: seconds of the processor, user and system, with child processes; and MiB of memory at most."""

    time: float
    memory: float


class Line(Value):
    """Two medians side by side, in the unit of `what`; the ratio is that of theirs to ours, or of a limit the inverse.

    `theirs` and `ratio` are None when the other program is not run.
    """

    case: str
    against: str
    what: str
    theirs: float | None
    ours: float
    ratio: float | None
    target: Target | None = None


class Outcome(Value):
    """What a scenario has shown, and what is worth a sentence beside the figures."""

    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()


def environment() -> dict[str, str]:
    """What all programs run in. Opwright is that of the checkout, whether another one is installed or not."""
    inherited = [str(Path(entry).absolute()) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    result = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join([str(CODE), *inherited])}
    result.pop("PYTHONDONTWRITEBYTECODE", None)  # installed programs have their bytecode
    return result


def run(program: Program, folder: Path) -> Used:
    """Run a program in `folder`, made if need be, where it writes to `out`. Raises BenchmarkError if it fails."""
    folder.mkdir(parents=True, exist_ok=True)
    printed = folder / "printed"
    command = [part.replace(OUT, str(folder / "out")) for part in (*program.start, *program.options)]
    start = [sys.executable, "-I", "-S", str(ONE_RUN), str(printed), sys.executable]
    done = subprocess.run([*start, *command], cwd=folder, env=environment(), stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise BenchmarkError(f"{program.name} could not be started")
    status, time, memory = done.stdout.split()
    if int(status):
        shown = printed.read_text(encoding="utf-8", errors="replace")[-3000:]
        raise BenchmarkError(f"{program.name} failed with exit status {int(status)}:\n{' '.join(command)}\n{shown}")
    return Used(float(time), float(memory))


def measure(scenario: Scenario, rounds: int, folder: Path, say: Callable[[str], None]) -> Outcome:
    """Run all programs of a scenario in turns, that often, in folders below `folder`; `say` is told of each round.

    Raises BenchmarkError, also when programs that keep their folders have not rewritten the same files there.
    """
    used: dict[str, list[Used]] = {program.name: [] for program in scenario.programs}
    notes: dict[str, None] = {}
    if scenario.keeps_folders:
        for program in scenario.programs:
            run(program, folder / program.name)
    for number in range(rounds):
        say(f"{scenario.title}: round {number + 1} of {rounds}")
        if scenario.edit:
            scenario.edit()
        rewritten = {}
        for program in scenario.programs:
            place = folder / program.name
            rewritten[program.name] = set[str]()
            for _ in range(1 if scenario.edit else program.times):
                before = written(place / "out")
                used[program.name].append(run(program, place))
                rewritten[program.name] |= changes(before, written(place / "out"))
                if not scenario.keeps_folders:
                    shutil.rmtree(place)
        if scenario.keeps_folders:
            count = rewritten_by_all(rewritten)
            if scenario.edit and not count:
                raise BenchmarkError(f"{scenario.title}: nothing was rewritten")
            notes[f"{scenario.title}: files rewritten by every program: {count}, the same ones"] = None
    shutil.rmtree(folder, ignore_errors=True)
    return Outcome(tuple(line for row in scenario.rows for line in lines(row, used)), tuple(notes))


def lines(row: Comparison, used: dict[str, list[Used]]) -> Iterator[Line]:
    """The lines of a row: time and memory."""
    for what, target in (("time", row.time), ("memory", row.memory)):
        ours = _median(used[row.ours], what)
        theirs = _median(used[row.against], what) if row.against in used else None
        ratio = None
        if theirs is not None:
            ratio = ours / theirs if row.time and row.time.is_limit else theirs / ours
        yield Line(row.case, row.against, what, theirs, ours, ratio, target)


def _median(runs: Sequence[Used], what: str) -> float:
    return median(used.time if what == "time" else used.memory for used in runs)


def written(folder: Path) -> dict[str, tuple[int, int]]:
    """The files below a folder, each with what changes when it is written; without what Opwright keeps for itself."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.name.startswith(HIDDEN):
            state = path.stat()
            found[path.relative_to(folder).as_posix()] = (state.st_mtime_ns, state.st_ino)
    return found


def changes(before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]) -> set[str]:
    """The files that came, went or were written again."""
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


def rewritten_by_all(rewritten: Mapping[str, Set[str]]) -> int:
    """How many files each program has rewritten. Raises BenchmarkError if it was not the same ones."""
    (first, files), *others = rewritten.items()
    for name, other_files in others:
        odd = sorted(files ^ other_files)
        if odd:
            raise BenchmarkError(f"{first} and {name} have not rewritten the same files: {', '.join(odd[:10])}")
    return len(files)
