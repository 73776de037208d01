"""`opwright check`: reads YAML files of any kind, shows every fault, writes nothing."""

from __future__ import annotations

import argparse

from opwright.cli.common import (
    UsageError,
    add_device_options,
    add_profile_option,
    add_report_options,
    add_source_options,
    chosen_devices,
    say,
    show,
)
from opwright.cli.main import DONE, FAULTY, MISUSED
from opwright.diagnostics import Diagnostics
from opwright.locate import Located, NotFoundError, locate, locate_operators
from opwright.source import shown_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]

KINDS = ("native", "tags", "selection", "backend", "aoti")


def add_verb(verbs: Verbs) -> None:
    """Declare the verb and its options."""
    parser = verbs.add_parser(
        "check",
        help="show every fault of operator YAML files",
        description="Check native functions, tags, selection and backend YAML files and lists of operators for "
        "AOT-inductor, and show every fault with its place. Nothing is written. Without a file, the source's own files "
        "are checked.",
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="files to check")
    parser.add_argument("--kind", choices=KINDS, help="what the files are (default: found by their content)")
    add_source_options(parser, "-s")
    add_report_options(parser)
    add_device_options(parser)
    add_profile_option(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="do not print a summary")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check the files and return the exit status."""
    from opwright.checking import check_files

    try:
        located = find_source(options)
        devices = chosen_devices(options, located.release)
    except (NotFoundError, UsageError) as error:
        say(f"opwright check: {error}")
        return MISUSED
    files = options.files or [shown_path(located.native), shown_path(located.tags)]
    faults = Diagnostics()
    check_files(files, options.kind, located, faults, devices)
    show(faults, options, results=True)
    if not options.quiet:
        say(summary(faults, len(files)))
    if faults.has_unreadable_files:
        return MISUSED
    return FAULTY if faults.has_errors else DONE


def find_source(options: argparse.Namespace) -> Located:
    """The source to look names up in, or to check when no file is given. Raises `NotFoundError`."""
    if options.files:
        return locate_operators(options.source_path, options.release, takes_sample=True)
    return locate(options.source_path, options.release)


def summary(faults: Diagnostics, files: int) -> str:
    """One line that says how much was found."""
    from opwright.report.text import summary

    return summary(faults.in_order()) or f"no faults in {files} file{'s' if files != 1 else ''}"
