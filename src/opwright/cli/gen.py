"""`opwright gen`: reads a library's operators and writes the C++ around their kernels.

Takes the options of `python -m torchgen.gen` by the same spellings, and some of its own.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opwright.cli.common import (
    MACHINE_FORMATS,
    UsageError,
    add_device_options,
    add_report_options,
    add_source_options,
    chosen_devices,
    report_format,
    say,
    show,
    write,
)
from opwright.cli.main import DONE, FAULTY, MISUSED
from opwright.diagnostics import Diagnostics
from opwright.locate import Located, NotFoundError, locate
from opwright.options import STEPS, GenOptions
from opwright.output.tree import Change, OutputFile, WriteError, Written, stale, write_files
from opwright.stats import Stats

if TYPE_CHECKING:
    from opwright.model.model import Model
    from opwright.model.selection import Selection

    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]

_SWITCH: dict[str, Any] = {"action": "store_true"}
_KEYS: dict[str, Any] = {"nargs": "*", "metavar": "KEY"}

#: Options of torchgen for files that are not made yet: the spellings, that for messages first; what else the parser is
#: told of them; and what they would be for.
NOT_YET: tuple[tuple[tuple[str, ...], dict[str, Any], str], ...] = (
    (("--aoti-install-dir", "--aoti_install_dir"), {"metavar": "DIR"}, "AOT-inductor shims"),
    (("--output-dependencies", "-o"), {"metavar": "FILE"}, "lists of all files"),
    (("--rocm",), _SWITCH, "HIP headers of Register*.cpp"),
    (("--backend-whitelist", "--backend_whitelist"), _KEYS, "Register*.cpp"),
    (("--static-dispatch-backend", "--static_dispatch_backend"), _KEYS, "static dispatch"),
    (("--update-aoti-c-shim", "--update_aoti_c_shim"), _SWITCH, "AOT-inductor shims"),
    (("--extend-aoti-c-shim", "--extend_aoti_c_shim"), _SWITCH, "AOT-inductor shims"),
)


def add_verb(verbs: Verbs) -> None:
    """Declare the verb and its options."""
    parser = verbs.add_parser(
        "gen",
        help="generate the C++ of an operator library",
        description="Generate the C++ around the kernels of an operator library: the operator API, public functions, "
        "tensor methods, schema registrations and Declarations.yaml. Only files that differ are written.",
    )
    add_source_options(parser)
    _add_output_options(parser)
    _add_content_options(parser)
    _add_later_options(parser)
    add_report_options(parser)
    parser.add_argument("--stats", action="store_true", help="show time and size by stage")
    volume = parser.add_mutually_exclusive_group()
    volume.add_argument("-q", "--quiet", action="store_true", help="print diagnostics only")
    volume.add_argument("-v", "--verbose", action="store_true", help="name every file and what happened to it")
    parser.set_defaults(run=run, parser=parser)


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-d",
        "--install-dir",
        "--install_dir",
        metavar="DIR",
        default="build/aten/src/ATen",
        help="folder to write to (default: %(default)s)",
    )
    parser.add_argument(
        "--headeronly-install-dir",
        "--headeronly_install_dir",
        metavar="DIR",
        help="folder of enum_tag.h (default: core in the folder of -d)",
    )
    harmless = parser.add_mutually_exclusive_group()
    harmless.add_argument("--dry-run", action="store_true", help="touch nothing; say what would be written")
    harmless.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 and a diff when files on disk are stale"
    )
    parser.add_argument(
        "--generate",
        nargs="*",
        choices=STEPS,
        default=list(STEPS),
        metavar="STEP",
        help="make only these kinds of files: headers, sources, declarations_yaml (default: all)",
    )


def _add_content_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--per-operator-headers", action="store_true", help="write one header for each operator name, in ops/")
    add("--everything", action="store_true", help="also write the umbrella copies of sharded files, for reading")
    add(
        "--torchgen-compat",
        action="store_true",
        help="reproduce torchgen where its output is wrong: every operator is printed in the namespace aten",
    )
    add_device_options(parser)
    add(
        "--op-registration-whitelist",
        "--op_registration_whitelist",
        nargs="*",
        metavar="NAME",
        help="register only these operators, such as aten::add; all their overloads",
    )
    add(
        "--op-selection-yaml-path",
        "--op_selection_yaml_path",
        metavar="FILE",
        help="register only the operators that this selection file names",
    )
    add(
        "--skip-dispatcher-op-registration",
        "--skip_dispatcher_op_registration",
        action="store_true",
        help="register nothing with the dispatcher",
    )
    add(
        "--force-schema-registration",
        "--force_schema_registration",
        action="store_true",
        help="register the schemas of all operators despite a selection",
    )


def _add_later_options(parser: argparse.ArgumentParser) -> None:
    later = parser.add_argument_group("options of torchgen for files that are not made yet")
    for spellings, settings, _ in NOT_YET:
        later.add_argument(*spellings, **settings)


def run(options: argparse.Namespace) -> int:
    """Generate and return the exit status."""
    try:
        refuse_options(options)
        located = locate(options.source_path, options.release)
        return generate(options, located, chosen_devices(options, located.release))
    except (NotFoundError, UsageError) as error:
        say(f"opwright gen: {error}")
    except WriteError as error:
        say(f"opwright gen: {error.path}: {error.message}")
    return MISUSED


def refuse_options(options: argparse.Namespace) -> None:
    """Refuse options that would have no effect yet, and options that exclude each other."""
    for spellings, _, what in NOT_YET:
        option = spellings[0]
        if getattr(options, option.removeprefix("--").replace("-", "_")):
            raise UsageError(f"{option} is for {what}, which Opwright does not make yet")
    if options.op_registration_whitelist is not None and options.op_selection_yaml_path is not None:
        raise UsageError("--op-registration-whitelist and --op-selection-yaml-path exclude each other")


def generate(options: argparse.Namespace, located: Located, devices: frozenset[str]) -> int:
    """Read, generate and write; nothing is written when there are errors."""
    if not options.quiet:
        say(f"source: {located.folder.as_posix()} ({located.origin})")
        say(f"release: PyTorch {located.release.name} ({located.release_origin})")
    faults, stats = Diagnostics(), Stats()
    files = make_files(options, located, devices, faults, stats)
    # A run without diagnostics prints none, but a machine format is a document even when it is empty.
    if faults.items or report_format(options) in MACHINE_FORMATS:
        show(faults, options, results=False)
    if faults.has_unreadable_files:
        return MISUSED
    if faults.has_errors:
        say("nothing was written")
        return FAULTY
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


def content_options(options: argparse.Namespace, model: Model, faults: Diagnostics) -> GenOptions | None:
    """What decides about the content of files; None when the selection has errors."""
    selection = choose_operators(options, model, faults)
    if faults.has_errors:
        return None
    return GenOptions(
        per_operator_headers=options.per_operator_headers,
        steps=frozenset(options.generate),
        everything=options.everything,
        torchgen_compat=options.torchgen_compat,
        selection=selection,
        registrations=not options.skip_dispatcher_op_registration,
        all_schemas=options.force_schema_registration,
    )


def choose_operators(options: argparse.Namespace, model: Model, faults: Diagnostics) -> Selection | None:
    """The selection that the options ask for; None when they ask for all operators."""
    if options.op_registration_whitelist is None and options.op_selection_yaml_path is None:
        return None
    from opwright.model.context import Context
    from opwright.model.selection import Selection, check_whitelist, read_selection
    from opwright.pipeline import read_document

    known = [operator.full_name for operator in model.operators]
    if options.op_registration_whitelist is not None:
        unknown = check_whitelist(options.op_registration_whitelist, known)
        if unknown:
            raise UsageError("; ".join(unknown))
        return Selection.of_names(options.op_registration_whitelist)
    document = read_document(options.op_selection_yaml_path, faults)
    if document is None:
        return None
    return read_selection(document[0], Context(model.release, faults), known)


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
    places = {file.path: install / file.path for file in files}
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
