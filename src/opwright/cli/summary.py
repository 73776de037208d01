"""What a run says at its end: what became of its files, in numbers or one by one, and the table of stages.

In: a `Summary`. Out: lines on standard output and standard error.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from opwright.cli.common import MACHINE_FORMATS, report_format, say, write
from opwright.stats import Stats
from opwright.values import Value

#: What became of a file that was right already.
UNCHANGED = "unchanged"


class Summary(Value):
    """How many files there are for a folder, and how many of them were right already.

    `each` gives what became of each file in a word, with its path, also for files beside those that are counted.
    `removed` and `kept` are the files of earlier runs that are not made any more.
    """

    folder: str
    count: int
    unchanged: int
    each: Callable[[], list[tuple[str, str]]]
    removed: Sequence[str]
    kept: Sequence[str]


def summarize(options: argparse.Namespace, summary: Summary, stats: Stats) -> None:
    """Say what was written and removed, and where it is."""
    to_stderr = report_format(options) in MACHINE_FORMATS
    if options.verbose:
        removed = [("removed", path) for path in summary.removed]
        write("".join(f"{word} {path}\n" for word, path in [*summary.each(), *removed]), to_stderr)
    if options.prune:
        for path in summary.kept:
            say(f"{path} is not made any more, but it was edited, so it is kept")
    if options.stats:
        show_stats(stats)
    if not options.quiet:
        write(in_numbers(options, summary), to_stderr)
        if summary.kept and not options.prune:
            say(f"{len(summary.kept)} more of earlier runs are not made any more; --prune removes them")


def in_numbers(options: argparse.Namespace, summary: Summary) -> str:
    """How many files there are, and what happened to them."""
    count, unchanged = summary.count, summary.unchanged
    would = "would be " if options.dry_run else ""
    removed = f", {len(summary.removed)} {would}removed" if options.prune else ""
    return f"{count} files for {summary.folder}: {count - unchanged} {would}written, {unchanged} unchanged{removed}\n"


def show_stats(stats: Stats) -> None:
    """Print time and size by stage as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table("stage", "ms", "kB")
    for column in table.columns[1:]:
        column.justify = "right"
    for stage in stats.stages.values():
        table.add_row(stage.name, f"{stage.seconds * 1000:.1f}", f"{stage.size / 1000:.0f}" if stage.size else "")
    table.add_section()
    table.add_row("all", f"{sum(stage.seconds for stage in stats.stages.values()) * 1000:.1f}", "")
    Console(stderr=True).print(table)
