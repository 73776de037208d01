"""What every verb that makes files does with them: report, print, compare, write, and say what happened.

In: options, diagnostics, and finished files with their places. Out: an exit status.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from opwright.cli.common import MACHINE_FORMATS, report_format, say, show, write
from opwright.cli.fresh import command_of, is_recorded
from opwright.cli.main import DONE, FAULTY, MISUSED
from opwright.cli.summary import Summary, show_stats, summarize
from opwright.diagnostics import Diagnostics
from opwright.inputs import Inputs
from opwright.output.delivery import Delivery, Intake, Run, deliver
from opwright.output.depfile import depfile, loaded_modules
from opwright.output.lists import group, outputs_text
from opwright.output.manifest import Leftover, obsolete
from opwright.output.record import Record, Stamps, forget_records, record_text, wait_for_clock
from opwright.output.tree import Change, Output, OutputFile, WriteError, Written, stale, write_files
from opwright.stats import Stats

#: The stages in which files are compared and written, or only compared.
WRITE, COMPARE = "write", "compare"


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


def take_all(made: Iterable[OutputFile], place: Callable[[OutputFile], str], intake: Intake, stats: Stats) -> None:
    """Take files as they are made. Raises `WriteError`, and what `place` raises."""
    stage, same = stats.stage(COMPARE if intake.is_checking else WRITE), Change.UNCHANGED
    for file in made:
        with stage:
            written = intake.take(file, place(file))
            stage.size += written.size if written.change is not same else 0


def deliver_run(
    options: argparse.Namespace,
    run: Run,
    intake: Intake,
    lists: Sequence[tuple[Path, str]],
    head: Mapping[str, object],
    inputs: Inputs,
    stats: Stats,
    *,
    is_whole: bool = True,
) -> int:
    """Say how the files of a run differ from those on disk, or put them in place; the exit status.

    `lists` are files beside them that are always written, `head` says in the manifests how they were made, and
    `inputs` is what was read. Without `is_whole` the run has made more than these, so no record is made of it.
    """
    for manifest in run.manifests:
        if manifest.problem:
            say(f"{manifest.path.as_posix()} is ignored: {manifest.problem}")
    if options.check:
        with stats.stage(COMPARE):
            differing, left = [*intake.differing, *stale(lists)], run.leftovers()
        places = [*[file.written.path for file in run.files], *[path for path, _ in lists]]
        return compare(options, places, differing, left, stats)
    with stats.stage(WRITE) as stage:
        delivery = deliver(run, intake, head, pruning=options.prune, dry_run=options.dry_run)
        listed = write_files(lists, dry_run=False)
        if options.depfile and not options.dry_run:
            listed += write_files(
                [depfile(Path(options.depfile), [*inputs.paths, *loaded_modules("opwright")])], dry_run=False
            )
        stage.size += sum(one.size for one in listed if one.change is not Change.UNCHANGED)
    if not options.dry_run:
        is_sound = is_whole and is_recorded(options) and not any(manifest.problem for manifest in run.manifests)
        with stats.stage("record"):
            forget_records(options.install_dir, run.steps)
            problem = record_run(options, run, delivery, listed, inputs) if is_sound else None
        if problem is not None:  # all that was asked for is there; the next run will only take its time
            say(f"no record of this run is kept: {problem.path}: {problem.message}")
    summarize(options, summary_of(run.folder, delivery, listed), stats)
    return DONE


def record_run(
    options: argparse.Namespace, run: Run, delivery: Delivery, listed: Sequence[Written], inputs: Inputs
) -> WriteError | None:
    """Write the record of a run, by which the next one finds that nothing has changed; why that cannot be done."""
    folder, gone = options.install_dir, delivery.gone
    record = Record(
        command=command_of(options),
        folder=folder,
        shown=run.folder.as_posix(),
        steps=sorted(run.steps),
        sights=inputs.sights,
        files=stamps(delivery.written),
        beside=stamps(listed),
        kept=stamps(delivery.manifests),
        absent=[name for name in gone if not os.path.lexists(run.folder / name)],
        left=[] if options.prune else [one.name for one in delivery.kept],
        said=options.said,
    )
    wait_for_clock(one.time for one in [*delivery.written, *listed, *delivery.manifests])
    try:
        write_files([(Path(record.path), record_text(record))], dry_run=False)
    except WriteError as error:
        return error
    return None


def stamps(written: Sequence[Written]) -> Stamps:
    """The paths of files with the sizes and times that they have."""
    paths = [one.name for one in written]
    if os.sep != "/":
        paths = [one.shown for one in written]
    return paths, [one.size for one in written], [one.time for one in written]


def summary_of(folder: Path, delivery: Delivery, listed: Sequence[Written]) -> Summary:
    """What became of the files of a run, and of the `listed` beside them."""
    same = Change.UNCHANGED

    def each() -> list[tuple[str, str]]:
        return [(one.change.value, one.shown) for one in [*delivery.written, *listed]]

    unchanged = sum([one.change is same for one in delivery.written])
    removed, kept = ([one.path.as_posix() for one in some] for some in (delivery.removed, delivery.kept))
    return Summary(folder.as_posix(), len(delivery.written), unchanged, each, removed, kept)


def compare(
    options: argparse.Namespace,
    places: Sequence[Path],
    stale_files: Sequence[tuple[Path, str]],
    left: Sequence[Leftover],
    stats: Stats,
) -> int:
    """Show which of the files in `places` differ, each with a diff, and what is left over; return the status."""
    differing = [*stale_files, *[(one.path, obsolete(one)) for one in left]]
    to_stderr = report_format(options) in MACHINE_FORMATS
    paths = [*places, *[one.path for one in left]]
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
