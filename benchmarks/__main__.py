"""Measure Opwright against torchgen: `python -m benchmarks` in the checkout.

In: the names of cases; the torchgen of the installed torch, or of `--reference`. Out: a table on standard output, and
with `--record` a section in RESULTS.md. Exit status 1 when something could not be measured, 2 for wrong usage.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import report
from benchmarks.cases import CASES
from benchmarks.measuring import Outcome, environment, measure, run
from benchmarks.scenarios import BenchmarkError, Scenario, Setting

RESULTS = Path(__file__).with_name("RESULTS.md")
#: Where Linux keeps files in memory, and the space that the largest case needs.
MEMORY = Path("/dev/shm")
NEEDED = 3 * 2**30


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options, measure, print. The exit status."""
    parser = options_parser()
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(f"{name:10} {(case.__doc__ or '').partition(chr(10))[0]}" for name, case in CASES.items()))
        return 0
    if not hasattr(os, "wait4"):
        parser.error("the benchmarks do not run on Windows, where a program is not told what its children took")
    try:
        found = measured(options)
    except (BenchmarkError, OSError) as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(report.for_people(found))
    if options.record:
        results = report.with_section(RESULTS.read_text(encoding="utf-8"), report.section(found))
        RESULTS.write_text(results, encoding="utf-8", newline="\n")
    return 0


def options_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure Opwright against torchgen.")
    add = parser.add_argument
    add("cases", nargs="*", type=case_name, metavar="CASE", help=f"{', '.join(CASES)} (default: all)")
    add("--list", action="store_true", help="say what the cases are")
    add("--rounds", type=positive, default=3, metavar="N", help="how often to run everything (default: 3)")
    add("--reference", type=Path, metavar="DIR", help="a fetched torchgen, such as .references/2.0.1")
    add("--folder", type=Path, metavar="DIR", help="where to write (default: in memory if there is room)")
    add("--torchgen-growth", action="store_true", help="run torchgen on 5x and 10x the operators too")
    add("--record", action="store_true", help=f"add the table to {RESULTS.parent.name}/{RESULTS.name}")
    return parser


def case_name(text: str) -> str:
    """The name of a case."""
    if text not in CASES:
        raise argparse.ArgumentTypeError(f"there is no case '{text}', only {', '.join(CASES)}")
    return text


def positive(text: str) -> int:
    """A number from 1."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1")
    return int(text)


def measured(options: argparse.Namespace) -> report.Report:
    """Run the chosen cases. Raises BenchmarkError, or OSError when a folder cannot be written to."""
    root, release = installed() if options.reference is None else fetched(options.reference)
    folder, place = work_folder(options.folder)
    say(f"files are written below {folder}, {place}")
    conditions = report.conditions(release, options.rounds, place, report.load())
    outcomes: list[Outcome] = []
    warmed: set[tuple[str, ...]] = set()
    with tempfile.TemporaryDirectory(dir=folder, prefix="opwright-benchmarks-") as name:
        scratch = Path(name)
        setting = Setting(root, release, options.reference is None, scratch, has_force(), options.torchgen_growth)
        for case in dict.fromkeys(options.cases or CASES):
            for scenario in CASES[case](setting):
                warm_up(scenario, scratch / "warm-up", warmed)
                outcomes.append(measure(scenario, options.rounds, scratch / "runs", say))
    lines = [line for outcome in outcomes for line in outcome.lines]
    notes = [note for outcome in outcomes for note in outcome.notes]
    return report.Report(report.today(), report.machine(), conditions, lines, notes)


def say(text: str) -> None:
    """Show how far it is; standard output is for the table."""
    print(text, file=sys.stderr, flush=True)


def warm_up(scenario: Scenario, folder: Path, warmed: set[tuple[str, ...]]) -> None:
    """Run every program that has not been run in any scenario, so that Python has written its bytecode."""
    for program in scenario.programs:
        if program.start not in warmed:
            say(f"{program.name}: first run, not counted")
            run(program, folder)
            shutil.rmtree(folder)
            warmed.add(program.start)


def installed() -> tuple[Path, str]:
    """The folder with the torchgen of the installed torch, and its release. Raises BenchmarkError if there is none."""
    found = importlib.util.find_spec("torchgen")
    if found is None or not found.submodule_search_locations:
        raise BenchmarkError("no torchgen is installed; install the extra 'torch', or name one with --reference")
    version = importlib.metadata.version("torch").partition("+")[0]
    return Path(next(iter(found.submodule_search_locations))).resolve().parent, version


def fetched(reference: Path) -> tuple[Path, str]:
    """The folder of a fetched torchgen, whose name is its release. Raises BenchmarkError if there is none in it."""
    if not (reference / "torchgen" / "gen.py").is_file():
        raise BenchmarkError(f"there is no torchgen in '{reference}'; get one with tests/parity/fetch.py")
    return reference.resolve(), reference.resolve().name


def work_folder(chosen: Path | None) -> tuple[Path, str]:
    """Where the files go, and how to say that without its name."""
    if chosen is not None:
        return chosen.resolve(), "in a chosen folder"
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= NEEDED:
        return MEMORY, "in memory"
    return Path(tempfile.gettempdir()), "in the folder for temporary files"


def has_force() -> bool:
    """Whether `opwright gen` has `--force`, which makes everything anew."""
    command = [sys.executable, "-m", "opwright", "gen", "--help"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    return re.search(r"--force(?![\w-])", done.stdout) is not None


if __name__ == "__main__":
    sys.exit(main())
