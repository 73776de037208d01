"""`opwright gen`: reads a library's operators and writes the C++ around their kernels.

Takes the options of `python -m torchgen.gen` by the same spellings, and some of its own.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from opwright import __version__
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
    add_build_options,
    add_content_options,
    add_output_options,
    add_own_options,
    content_options,
    kept_keys,
    refuse_options,
)
from opwright.cli.main import DONE, FAULTY, MISUSED
from opwright.diagnostics import Diagnostics
from opwright.locate import Located, NotFoundError, locate
from opwright.options import FURTHER_STEPS, STEPS
from opwright.output.delivery import Delivery, Run, deliver
from opwright.output.depfile import depfile, loaded_modules
from opwright.output.lists import LISTED, dependency_lists, group, outputs_text
from opwright.output.manifest import Leftover, obsolete, read_manifest
from opwright.output.tree import Change, Output, OutputFile, WriteError, Written, stale, write_files
from opwright.stats import Stats

if TYPE_CHECKING:
    from opwright.model.model import Model
    from opwright.options import GenOptions
    from opwright.releases.release import Release

    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]


def add_verb(verbs: Verbs) -> None:
    """Declare the verb and its options."""
    parser = verbs.add_parser(
        "gen",
        help="generate the C++ of an operator library",
        description="Generate the C++ around the kernels of an operator library: the operator API, public functions, "
        "tensor methods, kernel headers, registrations, functionalization, vmap plumbing, AOT-inductor shims and "
        "Declarations.yaml. Only files that differ are written.",
    )
    add_source_options(parser)
    add_output_options(parser)
    add_build_options(parser)
    add_content_options(parser)
    add_own_options(parser)
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
    from opwright import pipeline

    devices = kept_keys(options, located.release)
    if not options.quiet:
        say(f"source: {located.folder.as_posix()} ({located.origin})")
        say(f"release: PyTorch {located.release.name} ({located.release_origin})")
        if not located.release.has_kernel_files:
            say("kernel headers, registrations, functionalization, ufunc and vmap files of it are not made yet")
    faults, stats = Diagnostics(), Stats()
    model = pipeline.read_model(located.native, located.tags, located.release, faults, devices, stats)
    wanted = None if model is None or faults.has_errors else content_options(options, model, faults)
    if model is None or wanted is None:
        return report(options, faults)
    if options.print_outputs:
        artifacts = pipeline.plan(model, wanted, located.templates, faults, stats)
        planned = [file for _, files in artifacts for file in files if not file.is_checked_in]
        return report(options, faults) or print_outputs(options, planned, stats)
    lists = [options.op_selection_yaml_path, options.aoti_ops or model.release.shim_list]
    inputs = [located.native, located.tags, *map(Path, filter(None, lists))]
    made = pipeline.generate(model, wanted, located.templates, faults, stats, inputs)
    compare_checked_in(options, [file for file in made if file.is_checked_in], faults)
    files = [file for file in made if not file.is_checked_in]
    return report(options, faults) or finish(options, model, wanted, files, inputs, stats)


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


def finish(
    options: argparse.Namespace,
    model: Model,
    wanted: GenOptions,
    files: Sequence[OutputFile],
    inputs: Sequence[Path],
    stats: Stats,
) -> int:
    """Compare the files with those on disk, or write them; the exit status."""
    release, folder, places = model.release, Path(options.install_dir), final_places(options, files)
    manifests = [read_manifest(folder, step) for step in (*STEPS, *FURTHER_STEPS)]
    run = Run(folder, wanted.steps, files, places, moved_files(options, files), manifests)
    for manifest in manifests:
        if manifest.problem:
            say(f"{manifest.path.as_posix()} is ignored: {manifest.problem}")
    lists = file_lists(options, release, files, places)
    if options.selection_report and not options.dry_run:
        from opwright.model.selection_report import selection_report

        lists.append((Path(options.selection_report), selection_report(model, wanted.selection, wanted.is_on).json()))
    if options.check:
        return compare(options, [*run.placed(), *lists], run.leftovers(), stats)
    head = {"generator": f"opwright {__version__}", "release": release.name, "options": wanted.described()}
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


def compare_checked_in(options: argparse.Namespace, files: Sequence[OutputFile], faults: Diagnostics) -> None:
    """Report the files that are checked in and not as they would be made; one that is missing is only remarked on."""
    placed = list(zip(final_places(options, files), [file.text for file in files], strict=True))
    there = [(path, text) for path, text in placed if os.path.lexists(path)]
    for path, diff in stale(there, any_line_ends=True):
        message = "this header is not the one that the listed operators give"
        update = "if compiled models can do with the new one, write it with --update-aoti-c-shim; it would change so:"
        faults.file_error("aoti-stale-header", message, path.as_posix(), f"{update}\n{diff.rstrip()}")
    missing = [path for path, _ in placed if not os.path.lexists(path)]
    if missing and not options.quiet:
        folder, names = missing[0].parent.as_posix(), ", ".join(path.name for path in missing)
        say(f"not found in {folder}, and written only with --update-aoti-c-shim: {names}")


def moved_files(options: argparse.Namespace, files: Sequence[Output]) -> dict[str, Path]:
    """The places of those of `files` that go to other folders than that of `-d`."""
    shims = Path(options.aoti_install_dir or AOTI_FOLDER)
    moved = {file.path: shims / file.path.removeprefix("aoti/") for file in files if file.family == "aoti"}
    if options.headeronly_install_dir is not None:
        moved["core/enum_tag.h"] = Path(options.headeronly_install_dir) / "enum_tag.h"
    return moved


def final_places(options: argparse.Namespace, files: Sequence[Output]) -> list[Path]:
    """Where files go, in their order.

    Refuses operators whose headers have the same name, such as `x_ops.h` for the operators `x` and `x_ops`. Names that
    differ only in case are one file where the system says so.
    """
    folder, moved = Path(options.install_dir), moved_files(options, files)
    seen: dict[str, Path] = {}
    for file in files:
        place = moved.get(file.path) or folder / file.path
        if seen.setdefault(os.path.normcase(place), place) is not place:
            raise UsageError(
                f"two files would be called '{file.path}'; rename an operator, or do without --per-operator-headers"
            )
    return list(seen.values())


def print_outputs(options: argparse.Namespace, planned: Sequence[Output], stats: Stats) -> int:
    """Print where files would go; the exit status."""
    names = [place.as_posix() for place in final_places(options, planned)]
    write(outputs_text(group(planned, names), options.print_outputs), report_format(options) in MACHINE_FORMATS)
    if options.stats:
        show_stats(stats)
    return DONE


def file_lists(
    options: argparse.Namespace, release: Release, files: Sequence[Output], places: Sequence[Path]
) -> list[tuple[Path, str]]:
    """The lists of files that `-o` asks for, with their own places."""
    if options.output_dependencies is None:
        return []
    if release.joined_lists:
        names = [f"{options.install_dir}/{file.path}" for file in files]
    else:
        names = [place.as_posix() for place in places]
    families = (*LISTED, "xpu") if options.xpu else LISTED
    target = Path(options.output_dependencies)
    return dependency_lists(target, group(files, names), families, joined=release.joined_lists)


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
