"""`opwright releases`: prints the table of the PyTorch releases that Opwright knows."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from opwright.cli.common import write
from opwright.cli.main import DONE
from opwright.report.releases import FORMS, releases_table

if TYPE_CHECKING:
    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]


def add_verb(verbs: Verbs) -> None:
    """Declare the verb and its options."""
    parser = verbs.add_parser(
        "releases",
        help="list the PyTorch releases that are known",
        description="Print the PyTorch releases whose torchgen Opwright stands in for, with what differs most between "
        "them, and how their inputs are told apart. Every verb follows the release of its source, or --release.",
    )
    parser.add_argument("--format", choices=FORMS, default="text", help="form of the table (default: %(default)s)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the table and return the exit status."""
    write(releases_table(options.format))
    return DONE
