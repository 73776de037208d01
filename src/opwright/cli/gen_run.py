"""What `opwright gen` does when there is something to do: read, generate, compare, write.

In: a parsed command line. Out: files, and an exit status.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from opwright import __version__, pipeline
from opwright.cli.common import USUALLY, UsageError, remark, say, say_source
from opwright.cli.gen_content import content_options, kept_keys
from opwright.cli.gen_options import AOTI_FOLDER
from opwright.cli.main import MISUSED
from opwright.cli.outcome import deliver_run, print_outputs, report
from opwright.diagnostics import Diagnostics
from opwright.inputs import Inputs
from opwright.locate import Located, NotFoundError, locate
from opwright.model.model import Model
from opwright.options import FURTHER_STEPS, STEPS, GenOptions
from opwright.output.delivery import Run
from opwright.output.lists import LISTED, dependency_lists, group
from opwright.output.manifest import read_manifest
from opwright.output.tree import Output, OutputFile, WriteError, stale
from opwright.releases.release import Release
from opwright.stats import Stats


def run(options: argparse.Namespace, inputs: Inputs, stats: Stats) -> int:
    """Generate and return the exit status."""
    try:
        with stats.stage("locate"):
            located = locate(options.source_path, options.release, inputs=inputs)
        return generate(options, located, inputs, stats)
    except (NotFoundError, UsageError) as error:
        say(f"opwright gen: {error}")
    except WriteError as error:
        say(f"opwright gen: {error.path}: {error.message}")
    return MISUSED


def generate(options: argparse.Namespace, located: Located, inputs: Inputs, stats: Stats) -> int:
    """Read, generate and write; nothing is written when there are errors."""
    devices = kept_keys(options, located.release)
    say_source(options, located)
    faults = Diagnostics()
    native, tags = inputs.source(located.native), inputs.source(located.tags)
    model = pipeline.read_model(native, tags, located.release, faults, devices, stats)
    wanted = None if model is None or faults.has_errors else content_options(options, model, faults, inputs)
    if model is None or wanted is None:
        return report(options, faults)
    if options.print_outputs:
        artifacts = pipeline.plan(model, wanted, located.templates, faults, stats)
        planned = [file for _, files in artifacts for file in files if not file.is_checked_in]
        return report(options, faults) or print_outputs(options, planned, final_places(options, planned), stats)
    made = pipeline.generate(model, wanted, located.templates, faults, stats, inputs)
    compare_checked_in(options, [file for file in made if file.is_checked_in], faults, inputs)
    files = [file for file in made if not file.is_checked_in]
    return report(options, faults) or finish(options, model, wanted, files, inputs, stats)


def finish(
    options: argparse.Namespace,
    model: Model,
    wanted: GenOptions,
    files: Sequence[OutputFile],
    inputs: Inputs,
    stats: Stats,
) -> int:
    """Compare the files with those on disk, or write them; the exit status."""
    release, folder, places = model.release, Path(options.install_dir), final_places(options, files)
    manifests = [read_manifest(folder, step) for step in (*STEPS, *FURTHER_STEPS)]
    run = Run(folder, wanted.steps, files, places, moved_files(options, files), manifests)
    lists = file_lists(options, release, files, places)
    if options.selection_report and not options.dry_run:
        from opwright.model.selection_report import selection_report

        lists.append((Path(options.selection_report), selection_report(model, wanted.selection, wanted.is_on).json()))
    head = {"generator": f"opwright {__version__}", "release": release.name, "options": wanted.described()}
    return deliver_run(options, run, lists, head, inputs, stats)


def compare_checked_in(
    options: argparse.Namespace, files: Sequence[OutputFile], faults: Diagnostics, inputs: Inputs
) -> None:
    """Report the files that are checked in and not as they would be made; one that is missing is only remarked on."""
    placed = list(zip(final_places(options, files), [file.text for file in files], strict=True))
    for path, _ in placed:
        inputs.look("content", path)
    there = [(path, text) for path, text in placed if os.path.lexists(path)]
    for path, diff in stale(there, any_line_ends=True):
        message = "this header is not the one that the listed operators give"
        update = "if compiled models can do with the new one, write it with --update-aoti-c-shim; it would change so:"
        faults.file_error("aoti-stale-header", message, path.as_posix(), f"{update}\n{diff.rstrip()}")
    missing = [path for path, _ in placed if not os.path.lexists(path)]
    if missing:
        folder, names = missing[0].parent.as_posix(), ", ".join(path.name for path in missing)
        text = f"not found in {folder}, and written only with --update-aoti-c-shim: {names}\n"
        remark(options, text, volume=USUALLY)


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
