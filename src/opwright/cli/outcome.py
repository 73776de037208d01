"""What every verb that makes files does with them: report, print, compare, write, and say what happened.

In: options, diagnostics, and finished files with their places. Out: an exit status.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from opwright.cli.common import MACHINE_FORMATS, UsageError, report_format, say, show, write
from opwright.cli.main import DONE, FAULTY, MISUSED
from opwright.diagnostics import Diagnostics
from opwright.output.delivery import Delivery, Run, deliver
from opwright.output.depfile import SUFFIX, depfile, loaded_modules
from opwright.output.lists import FORMS, group, outputs_text
from opwright.output.manifest import Leftover, obsolete
from opwright.output.tree import Change, Output, Written, stale, write_files
from opwright.stats import Stats


def add_outcome_options(parser: argparse.ArgumentParser, dry_run: str, *spellings: str) -> None:
    """What is done with the files instead of writing them; `dry_run` is the help of that option.

    It has other `spellings` where torchgen has.
    """
    harmless = parser.add_mutually_exclusive_group()
    harmless.add_argument("--dry-run", *spellings, action="store_true", help=dry_run)
    harmless.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 and a diff when files on disk are stale"
    )
    harmless.add_argument(
        "--print-outputs", choices=FORMS, help="make and write nothing; print the paths of all files that would be made"
    )
    parser.add_argument("--prune", action="store_true", help="remove files of earlier runs that are not made any more")


def add_depfile_option(parser: argparse.ArgumentParser) -> None:
    """`--depfile`."""
    parser.add_argument(
        "--depfile",
        metavar="FILE.d",
        help="write what was read in the syntax of Make; the target is FILE",
    )


def add_volume_options(parser: argparse.ArgumentParser) -> None:
    """`--stats`, `-q` and `-v`."""
    parser.add_argument("--stats", action="store_true", help="show time and size by stage")
    volume = parser.add_mutually_exclusive_group()
    volume.add_argument("-q", "--quiet", action="store_true", help="print diagnostics only")
    volume.add_argument("-v", "--verbose", action="store_true", help="name every file and what happened to it")


def refuse_depfile(options: argparse.Namespace) -> None:
    """Refuse a name of a depfile from which its target cannot be told. Raises `UsageError`."""
    if options.depfile is not None and Path(options.depfile).suffix != SUFFIX:
        raise UsageError(
            f"'{options.depfile}' does not end in {SUFFIX}; without that, a depfile is called like its target"
        )


def report(options: argparse.Namespace, faults: Diagnostics) -> int:
    """Show the diagnostics, if there are any, and return the exit status that they call for."""
    # A run without diagnostics prints none, but a machine format is a document even when it is empty.
    if faults.items or report_format(options) in MACHINE_FORMATS:
        show(faults, options, results=False)
    if faults.has_unreadable_files:
        return MISUSED
    if faults.has_errors:
        say("nothing was written")
        return FAULTY
    return DONE


def print_outputs(options: argparse.Namespace, planned: Sequence[Output], places: Sequence[Path], stats: Stats) -> int:
    """Print where files would go; the exit status."""
    names = [place.as_posix() for place in places]
    write(outputs_text(group(planned, names), options.print_outputs), report_format(options) in MACHINE_FORMATS)
    if options.stats:
        show_stats(stats)
    return DONE


def deliver_run(
    options: argparse.Namespace,
    run: Run,
    lists: Sequence[tuple[Path, str]],
    head: Mapping[str, object],
    inputs: Sequence[Path],
    stats: Stats,
) -> int:
    """Compare the files of a run with those on disk, or write them; the exit status.

    `lists` are files beside them that are always written, `head` says in the manifests how they were made, and
    `inputs` is what was read.
    """
    for manifest in run.manifests:
        if manifest.problem:
            say(f"{manifest.path.as_posix()} is ignored: {manifest.problem}")
    if options.check:
        return compare(options, [*run.placed(), *lists], run.leftovers(), stats)
    with stats.stage("write") as stage:
        delivery = deliver(run, head, pruning=options.prune, dry_run=options.dry_run)
        listed = write_files(lists, dry_run=False)
        if options.depfile and not options.dry_run:
            listed += write_files(
                [depfile(Path(options.depfile), [*inputs, *loaded_modules("opwright")])], dry_run=False
            )
        stage.size = sum(one.size for one in [*delivery.written, *listed] if one.change is not Change.UNCHANGED)
    summarize(options, delivery, listed, stats)
    return DONE


def compare(
    options: argparse.Namespace, expected: Sequence[tuple[Path, str]], left: Sequence[Leftover], stats: Stats
) -> int:
    """Compare what files should hold with what they do, show what differs or is left over, and return the status."""
    with stats.stage("compare"):
        differing = [*stale(expected), *[(one.path, obsolete(one)) for one in left]]
    to_stderr = report_format(options) in MACHINE_FORMATS
    paths = [*[path for path, _ in expected], *[one.path for one in left]]
    if options.verbose:
        different = {path for path, _ in differing}
        for path in paths:
            write(f"{'stale' if path in different else 'fresh'} {path.as_posix()}\n", to_stderr)
    for _, diff in differing:
        write(diff, to_stderr)
    if options.stats:
        show_stats(stats)
    if not options.quiet:
        verb = "is" if len(differing) == 1 else "are"
        say(f"{len(differing)} of {len(paths)} files {verb} stale" if differing else f"{len(paths)} files are fresh")
    return FAULTY if differing else DONE


def summarize(options: argparse.Namespace, delivery: Delivery, listed: Sequence[Written], stats: Stats) -> None:
    """Say what was written and removed, and where it is; `listed` are the lists beside the files."""
    to_stderr = report_format(options) in MACHINE_FORMATS
    if options.verbose:
        for one in [*delivery.written, *listed]:
            write(f"{one.change.value} {one.path.as_posix()}\n", to_stderr)
        for leftover in delivery.removed:
            write(f"removed {leftover.path.as_posix()}\n", to_stderr)
    if options.prune:
        for leftover in delivery.kept:
            say(f"{leftover.path.as_posix()} is not made any more, but it was edited, so it is kept")
    if options.stats:
        show_stats(stats)
    if not options.quiet:
        write(summary(options, delivery), to_stderr)
        if delivery.kept and not options.prune:
            say(f"{len(delivery.kept)} more of earlier runs are not made any more; --prune removes them")


def summary(options: argparse.Namespace, delivery: Delivery) -> str:
    """How many files there are, and what happened to them."""
    count = {change: sum(one.change is change for one in delivery.written) for change in Change}
    changed = count[Change.CREATED] + count[Change.CHANGED]
    would = "would be " if options.dry_run else ""
    removed = f", {len(delivery.removed)} {would}removed" if options.prune else ""
    return (
        f"{len(delivery.written)} files for {Path(options.install_dir).as_posix()}: {changed} {would}written, "
        f"{count[Change.UNCHANGED]} unchanged{removed}\n"
    )


def show_stats(stats: Stats) -> None:
    """Print time and size by stage as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table("stage", "ms", "kB")
    for column in table.columns[1:]:
        column.justify = "right"
    for stage in stats.stages:
        table.add_row(stage.name, f"{stage.seconds * 1000:.1f}", f"{stage.size / 1000:.0f}" if stage.size else "")
    table.add_section()
    table.add_row("all", f"{sum(stage.seconds for stage in stats.stages) * 1000:.1f}", "")
    Console(stderr=True).print(table)
