"""What `opwright gen` does when there is something to do: read, generate, compare, write.

In: a parsed command line. Out: files, and an exit status.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from opwright import __version__, pipeline, reading
from opwright.cli.common import USUALLY, UsageError, remark, say_source
from opwright.cli.gen_content import content_options, kept_keys
from opwright.cli.gen_options import AOTI_FOLDER
from opwright.cli.outcome import deliver_run, print_outputs, report, take_all
from opwright.diagnostics import Diagnostics
from opwright.inputs import Inputs
from opwright.locate import Located, locate
from opwright.model.model import Model
from opwright.options import FURTHER_STEPS, STEPS, GenOptions
from opwright.output.delivery import Intake, Run, Taken
from opwright.output.lists import LISTED, dependency_lists, group
from opwright.output.manifest import read_manifest
from opwright.output.tree import Output, OutputFile, stale
from opwright.releases.release import Release
from opwright.stats import Stats


def run(options: argparse.Namespace, inputs: Inputs, stats: Stats) -> int:
    """Generate and return the exit status. Raises `NotFoundError`, `UsageError` and `WriteError`."""
    with stats.stage("locate"):
        located = locate(options.source_path, options.release, inputs=inputs)
    return generate(options, located, inputs, stats)


def generate(options: argparse.Namespace, located: Located, inputs: Inputs, stats: Stats) -> int:
    """Read, generate and write; nothing is written when there are errors."""
    devices = kept_keys(options, located.release)
    say_source(options, located)
    faults = Diagnostics()
    native, tags = inputs.source(located.native), inputs.source(located.tags)
    model = reading.read_model(native, tags, located.release, faults, devices, stats)
    wanted = None if model is None or faults.has_errors else content_options(options, model, faults, inputs)
    if model is None or wanted is None:
        return report(options, faults)
    places = Places(options)
    if options.print_outputs:
        artifacts = pipeline.plan(model, wanted, located.templates, faults, stats)
        planned = [file for _, files in artifacts for file in files if not file.is_checked_in]
        names = [Path(places.of(file)) for file in planned]
        return report(options, faults) or print_outputs(options, planned, names, stats)
    checked_in: list[OutputFile] = []
    made = aside(checked_in, pipeline.generate(model, wanted, located.templates, faults, stats, inputs))
    with Intake(checking=options.check, dry_run=options.dry_run) as intake:
        take_all(made, places.of, intake, stats)
        compare_checked_in(options, [(Path(places.of(file)), file.text) for file in checked_in], faults, inputs)
        return report(options, faults) or finish(options, model, wanted, intake, places, inputs, stats)


def aside(checked_in: list[OutputFile], made: Iterable[OutputFile]) -> Iterator[OutputFile]:
    """The files of a run without those that are checked in, which are added to a list."""
    for file in made:
        if file.is_checked_in:
            checked_in.append(file)
        else:
            yield file


def finish(
    options: argparse.Namespace,
    model: Model,
    wanted: GenOptions,
    intake: Intake,
    places: Places,
    inputs: Inputs,
    stats: Stats,
) -> int:
    """Say how the files differ from those on disk, or put them in place; the exit status."""
    release, folder = model.release, Path(options.install_dir)
    manifests = [read_manifest(folder, step) for step in (*STEPS, *FURTHER_STEPS)]
    run = Run(folder, wanted.steps, intake.files, places.moved, manifests)
    lists = file_lists(options, release, intake.files)
    if options.selection_report and not options.dry_run:
        from opwright.model.selection_report import selection_report

        lists.append((Path(options.selection_report), selection_report(model, wanted.selection, wanted.is_on).json()))
    head = {"generator": f"opwright {__version__}", "release": release.name, "options": wanted.described()}
    return deliver_run(options, run, intake, lists, head, inputs, stats)


def compare_checked_in(
    options: argparse.Namespace, placed: Sequence[tuple[Path, str]], faults: Diagnostics, inputs: Inputs
) -> None:
    """Report the files that are checked in and not as they would be made; one that is missing is only remarked on."""
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


class Places:
    """Where files go. `moved` has those that do not go to the folder of `-d`, by their paths."""

    def __init__(self, options: argparse.Namespace) -> None:
        folder = Path(options.install_dir)
        #: What stands before the names of files in the folder; nothing for the current one.
        self.start = os.path.join(folder, "") if folder.parts else ""  # noqa: PTH118 - a Path has no end like that
        self.shims = Path(options.aoti_install_dir or AOTI_FOLDER)
        self.header_only = options.headeronly_install_dir
        self.moved: dict[str, Path] = {}
        self._taken: set[str] = set()

    def of(self, file: Output) -> str:
        """The path at which a file belongs. Raises `UsageError` when it is that of another file.

        Operators have headers of the same name when they are called `x` and `x_ops`, for example. Names that differ
        only in case are one file where the system says so.
        """
        moved = self._moved(file) if file.family == "aoti" or self.header_only is not None else None
        if moved is None:
            place = self.start + (file.path if os.sep == "/" else file.path.replace("/", os.sep))
        else:
            self.moved[file.path] = moved
            place = str(moved)
        key = os.path.normcase(place)
        if key in self._taken:
            raise UsageError(
                f"two files would be called '{file.path}'; rename an operator, or do without --per-operator-headers"
            )
        self._taken.add(key)
        return place

    def _moved(self, file: Output) -> Path | None:
        if file.family == "aoti":
            return self.shims / file.path.removeprefix("aoti/")
        if self.header_only is not None and file.path == "core/enum_tag.h":
            return Path(self.header_only) / "enum_tag.h"
        return None


def file_lists(options: argparse.Namespace, release: Release, files: Sequence[Taken]) -> list[tuple[Path, str]]:
    """The lists of files that `-o` asks for, with their own places."""
    if options.output_dependencies is None:
        return []
    if release.joined_lists:
        names = [f"{options.install_dir}/{file.path}" for file in files]
    else:
        names = [file.written.shown for file in files]
    families = (*LISTED, "xpu") if options.xpu else LISTED
    target = Path(options.output_dependencies)
    return dependency_lists(target, group(files, names), families, joined=release.joined_lists)
