"""The options about what a run does with its files, and how much it says."""

from __future__ import annotations

import argparse

from opwright.cli.common import UsageError, add_profile_option
from opwright.output.lists import FORMS


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
    parser.add_argument(
        "--force", action="store_true", help="make everything, even if nothing has changed since the last run"
    )


def add_depfile_option(parser: argparse.ArgumentParser) -> None:
    """`--depfile`."""
    parser.add_argument(
        "--depfile",
        metavar="FILE.d",
        help="write what was read in the syntax of Make; the target is FILE",
    )


def add_volume_options(parser: argparse.ArgumentParser) -> None:
    """`--stats`, `--profile`, `-q` and `-v`."""
    parser.add_argument("--stats", action="store_true", help="show time and size by stage")
    add_profile_option(parser)
    volume = parser.add_mutually_exclusive_group()
    volume.add_argument("-q", "--quiet", action="store_true", help="print diagnostics only")
    volume.add_argument("-v", "--verbose", action="store_true", help="name every file and what happened to it")


def refuse_depfile(options: argparse.Namespace) -> None:
    """Refuse a name of a depfile from which its target cannot be told. Raises `UsageError`."""
    if options.depfile is not None:
        from pathlib import Path

        from opwright.output.depfile import SUFFIX

        if Path(options.depfile).suffix != SUFFIX:
            raise UsageError(
                f"'{options.depfile}' does not end in {SUFFIX}; without that, a depfile is called like its target"
            )
