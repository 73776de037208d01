"""The figures of a run, as a table for people and as a section of RESULTS.md.

In: a `Report`. Out: text. The newest section of RESULTS.md stands first, and older ones stay.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Sequence
from datetime import date

import opwright
from benchmarks.measuring import Line
from opwright.report.tables import table
from opwright.values import Value

HEAD = ("case", "against", "of", "theirs", "Opwright", "ratio", "target", "aim", "holds")
UNITS = {"time": "s", "memory": "MiB"}


class Report(Value):
    """A run: when, on what kind of machine, of what, and what has come of it."""

    day: str
    machine: str
    conditions: str
    lines: Sequence[Line]
    notes: Sequence[str]


def machine() -> str:
    """The kind of machine, without a name: processor, system, Python."""
    system = {"Darwin": "macOS"}.get(platform.system(), platform.system())
    return f"{platform.machine()} with {os.cpu_count()} cores, {system}, Python {platform.python_version()}"


def load() -> str:
    """How busy the machine is at the moment: programs that want to run, on average of the last minute."""
    return f"load {os.getloadavg()[0]:.1f} at the start"


def conditions(torchgen: str, rounds: int, place: str, busy: str) -> str:
    """What else the figures depend on; `torchgen` is its release, `place` says where the files went."""
    counted = f"{rounds} round" + ("s" if rounds != 1 else "")
    return f"torchgen {torchgen}, Opwright {opwright.__version__}; {counted}, files {place}, {busy}"


def today() -> str:
    """The date, as in 2026-01-31."""
    return date.today().isoformat()


def cells(line: Line) -> tuple[str, ...]:
    """A row of the table."""
    target = line.target
    bounds = [target and target.bound, target and target.aim]
    sign = "≤ " if target and target.is_limit else "≥ "
    shown = [f"{sign}{bound:g}" if bound is not None else "" for bound in bounds]
    holds = target.verdict(line.ratio) if target and line.ratio is not None else ""
    ratio = "" if line.ratio is None else f"{line.ratio:.1f}"
    figures = (_figure(line, line.theirs), _figure(line, line.ours), ratio)
    return (line.case, line.against, line.what, *figures, *shown, holds)


def _figure(line: Line, value: float | None) -> str:
    digits = 3 if line.what == "time" else 1
    return "" if value is None else f"{value:.{digits}f} {UNITS[line.what]}"


def for_people(report: Report) -> str:
    """The run as text."""
    shown = table(HEAD, map(cells, report.lines)).rstrip()
    return "\n".join([report.machine, report.conditions, "", shown, *(["", *report.notes] if report.notes else [])])


def section(report: Report) -> str:
    """The run as a section of RESULTS.md."""
    return "\n".join([f"## {report.day}", "", f"{report.machine}; {report.conditions}.", "", *_markdown(report), ""])


def _markdown(report: Report) -> Iterator[str]:
    yield from ("| " + " | ".join(row) + " |" for row in (HEAD, ["---"] * 3 + ["---:"] * 5 + ["---"]))
    yield from ("| " + " | ".join(cells(line)) + " |" for line in report.lines)
    if report.notes:
        yield ""
        yield from (f"- {note}." for note in report.notes)


def with_section(results: str, added: str) -> str:
    """The text of RESULTS.md with one more section, before all others."""
    head, mark, older = results.partition("\n## ")
    return f"{head.rstrip()}\n\n{added}{mark}{older}"
