"""`opwright gen`: reads a library's operators and writes the C++ around their kernels.

Takes the options of `python -m torchgen.gen` by the same spellings, and some of its own.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from opwright.cli.common import (
    MACHINE_FORMATS,
    UsageError,
    add_report_options,
    add_source_options,
    report_format,
    say,
    show,
    write,
)
from opwright.cli.gen_options import (
    AOTI_FOLDER,
    add_content_options,
    add_later_options,
    add_output_options,
    add_own_options,
    content_options,
    kept_keys,
    refuse_options,
)
from opwright.cli.main import DONE, FAULTY, MISUSED
from opwright.diagnostics import Diagnostics
from opwright.locate import Located, NotFoundError, locate
from opwright.output.tree import Change, OutputFile, WriteError, Written, stale, write_files
from opwright.stats import Stats

if TYPE_CHECKING:
    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]


def add_verb(verbs: Verbs) -> None:
    """Declare the verb and its options."""
    parser = verbs.add_parser(
        "gen",
        help="generate the C++ of an operator library",
        description="Generate the C++ around the kernels of an operator library: the operator API, public functions, "
        "tensor methods, schema registrations, AOT-inductor shims and Declarations.yaml. Only files that differ are "
        "written.",
    )
    add_source_options(parser)
    add_output_options(parser)
    add_content_options(parser)
    add_own_options(parser)
    add_later_options(parser)
    add_report_options(parser)
    parser.add_argument("--stats", action="store_true", help="show time and size by stage")
    volume = parser.add_mutually_exclusive_group()
    volume.add_argument("-q", "--quiet", action="store_true", help="print diagnostics only")
    volume.add_argument("-v", "--verbose", action="store_true", help="name every file and what happened to it")
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Generate and return the exit status."""
    try:
        refuse_options(options)
        located = locate(options.source_path, options.release)
        return generate(options, located)
    except (NotFoundError, UsageError) as error:
        say(f"opwright gen: {error}")
    except WriteError as error:
        say(f"opwright gen: {error.path}: {error.message}")
    return MISUSED


def generate(options: argparse.Namespace, located: Located) -> int:
    """Read, generate and write; nothing is written when there are errors."""
    devices = kept_keys(options, located.release)
    if not options.quiet:
        say(f"source: {located.folder.as_posix()} ({located.origin})")
        say(f"release: PyTorch {located.release.name} ({located.release_origin})")
    faults, stats = Diagnostics(), Stats()
    made = make_files(options, located, devices, faults, stats)
    compare_checked_in(options, [file for file in made if file.is_checked_in], faults)
    # A run without diagnostics prints none, but a machine format is a document even when it is empty.
    if faults.items or report_format(options) in MACHINE_FORMATS:
        show(faults, options, results=False)
    if faults.has_unreadable_files:
        return MISUSED
    if faults.has_errors:
        say("nothing was written")
        return FAULTY
    files = [file for file in made if not file.is_checked_in]
    placed = placed_files(options, files)
    refuse_clashes(files, placed)
    return compare(options, placed, stats) if options.check else deliver(options, placed, stats)


def make_files(
    options: argparse.Namespace, located: Located, devices: frozenset[str], faults: Diagnostics, stats: Stats
) -> list[OutputFile]:
    """All files of the run; incomplete when there are errors in `faults`."""
    from opwright import pipeline

    model = pipeline.read_model(located.native, located.tags, located.release, faults, devices, stats)
    if model is None or faults.has_errors:
        return []
    wanted = content_options(options, model, faults)
    return [] if wanted is None else pipeline.generate(model, wanted, located.templates, faults, stats)


def compare_checked_in(options: argparse.Namespace, files: Sequence[OutputFile], faults: Diagnostics) -> None:
    """Report the files that are checked in and not as they would be made; one that is missing is only remarked on."""
    placed = placed_files(options, files)
    there = [(path, text) for path, text in placed if os.path.lexists(path)]
    for path, diff in stale(there, any_line_ends=True):
        message = "this header is not the one that the listed operators give"
        update = "if compiled models can do with the new one, write it with --update-aoti-c-shim; it would change so:"
        faults.file_error("aoti-stale-header", message, path.as_posix(), f"{update}\n{diff.rstrip()}")
    missing = [path for path, _ in placed if not os.path.lexists(path)]
    if missing and not options.quiet:
        folder, names = missing[0].parent.as_posix(), ", ".join(path.name for path in missing)
        say(f"not found in {folder}, and written only with --update-aoti-c-shim: {names}")


def refuse_clashes(files: Sequence[OutputFile], placed: Sequence[tuple[Path, str]]) -> None:
    """Refuse operators whose headers have the same name, such as `x_ops.h` for the operators `x` and `x_ops`.

    `placed` tells where each of `files` goes: names that differ only in case are one file where the system says so.
    """
    seen: set[str] = set()
    for file, (path, _) in zip(files, placed, strict=True):
        key = os.path.normcase(path)
        if key in seen:
            raise UsageError(
                f"two files would be called '{file.path}'; rename an operator, or do without --per-operator-headers"
            )
        seen.add(key)


def deliver(options: argparse.Namespace, placed: Sequence[tuple[Path, str]], stats: Stats) -> int:
    """Write the files, and say what happened."""
    with stats.stage("write") as stage:
        written = write_files(placed, dry_run=options.dry_run)
        stage.size = sum(one.size for one in written if one.change is not Change.UNCHANGED)
    summarize(options, written, stats)
    return DONE


def compare(options: argparse.Namespace, placed: Sequence[tuple[Path, str]], stats: Stats) -> int:
    """Compare the files with those on disk, and show what differs."""
    with stats.stage("compare"):
        differing = stale(placed)
    to_stderr = report_format(options) in MACHINE_FORMATS
    if options.verbose:
        different = {path for path, _ in differing}
        for path, _ in placed:
            write(f"{'stale' if path in different else 'fresh'} {path.as_posix()}\n", to_stderr)
    for _, diff in differing:
        write(diff, to_stderr)
    if options.stats:
        show_stats(stats)
    if not options.quiet:
        verb = "is" if len(differing) == 1 else "are"
        say(f"{len(differing)} of {len(placed)} files {verb} stale" if differing else f"{len(placed)} files are fresh")
    return FAULTY if differing else DONE


def placed_files(options: argparse.Namespace, files: Sequence[OutputFile]) -> list[tuple[Path, str]]:
    """The places of the files on disk, in their order, each with the text that belongs there."""
    install = Path(options.install_dir)
    shims = Path(options.aoti_install_dir or AOTI_FOLDER)
    places = {
        file.path: shims / file.path.removeprefix("aoti/") if file.family == "aoti" else install / file.path
        for file in files
    }
    if options.headeronly_install_dir is not None:
        places["core/enum_tag.h"] = Path(options.headeronly_install_dir) / "enum_tag.h"
    return [(places[file.path], file.text) for file in files]


def summarize(options: argparse.Namespace, written: list[Written], stats: Stats) -> None:
    """Say what was written, and where it is."""
    to_stderr = report_format(options) in MACHINE_FORMATS
    if options.verbose:
        for one in written:
            write(f"{one.change.value} {one.path.as_posix()}\n", to_stderr)
    if options.stats:
        show_stats(stats)
    if not options.quiet:
        count = {change: sum(one.change is change for one in written) for change in Change}
        verb = "would be written" if options.dry_run else "written"
        changed = count[Change.CREATED] + count[Change.CHANGED]
        write(
            f"{len(written)} files for {Path(options.install_dir).as_posix()}: {changed} {verb}, "
            f"{count[Change.UNCHANGED]} unchanged\n",
            to_stderr,
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
