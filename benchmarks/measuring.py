"""Running torchgen and Opwright in turns, and what comes of it as a table.

In: the command lines of both programs. Out: the median wall and CPU time and peak memory of each, for a run into a new
folder and for a second run into the same folder, and their ratio.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[1]
KINDS = ("new folder", "no change")


class Times(NamedTuple):
    """What one run took: seconds on the clock, and of the processor with all child processes, and MiB at most."""

    wall: float
    cpu: float
    memory: float


UNITS = {"wall": "s", "cpu": "s", "memory": "MiB"}
#: The bytes that systems count memory in.
MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024


def environment() -> dict[str, str]:
    """What both programs run in. Opwright is taken from the checkout if it is not installed."""
    result = {**os.environ, "PYTHONHASHSEED": "0"}
    result.pop("PYTHONDONTWRITEBYTECODE", None)  # installed programs have their bytecode
    if importlib.util.find_spec("opwright") is None:
        paths = [str(CHECKOUT / "src"), result.get("PYTHONPATH", "")]
        result["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    return result


def packaged_source() -> Path:
    """The source folder of the installed torchgen. Exits if there is none."""
    found = importlib.util.find_spec("torchgen")
    if found is None or not found.submodule_search_locations:
        sys.exit("no torchgen is installed; install the extra 'torch'")
    return Path(next(iter(found.submodule_search_locations))) / "packaged" / "ATen"


def measure(command: Sequence[str], folder: Path) -> Times:
    """Run a command in `folder` and wait for it. Exits, with what it printed, if it fails."""
    with tempfile.TemporaryFile() as printed:
        start = time.perf_counter()
        child = subprocess.Popen(command, cwd=folder, env=environment(), stdout=printed, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            printed.seek(0)
            sys.exit(f"failed: {' '.join(command)}\n{printed.read().decode(errors='replace')[-3000:]}")
    return Times(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * MEMORY_UNIT / 2**20)


def one_round(programs: dict[str, list[str]], times: dict[tuple[str, str], list[Times]]) -> None:
    """Run every program twice into a new folder of its own, and add the times to `times[kind, program]`."""
    for name, command in programs.items():
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            filled = [part.replace("{out}", str(folder / "out")) for part in command]
            for kind in KINDS:
                times.setdefault((kind, name), []).append(measure(filled, folder))


def table(times: dict[tuple[str, str], list[Times]]) -> str:
    """Medians and ratios as text."""
    lines = [f"{'':10}  {'':6}  {'torchgen':>12}  {'opwright':>12}  {'ratio':>7}"]
    for kind in KINDS:
        for field in Times._fields:
            theirs, ours = (
                median(getattr(run, field) for run in times[kind, name]) for name in ("torchgen", "opwright")
            )
            unit = UNITS[field]
            lines.append(f"{kind:10}  {field:6}  {theirs:8.2f} {unit:3}  {ours:8.2f} {unit:3}  {theirs / ours:6.1f}x")
    return "\n".join(lines)


def compare(programs: dict[str, list[str]], rounds: int) -> None:
    """Measure both programs that often and print the table; `{out}` in a command stands for the folder to write to."""
    # Let Python write its compiled modules before anything is measured.
    with tempfile.TemporaryDirectory() as scratch:
        for command in programs.values():
            measure([part.replace("{out}", str(Path(scratch) / "out")) for part in command], CHECKOUT)
    times: dict[tuple[str, str], list[Times]] = {}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        one_round(programs, times)
    print(table(times))


def rounds_option(parser: argparse.ArgumentParser) -> None:
    """`--rounds`."""
    parser.add_argument("--rounds", type=int, default=3, help="how often to measure each program (default: 3)")
