"""`opwright gen`: reads a library's operators and writes the C++ around their kernels.

Takes the options of `python -m torchgen.gen` by the same spellings, and some of its own. How it generates is the matter
of `gen_run`, which is imported only when there is something to do.
"""

from __future__ import annotations

import argparse

from opwright.cli.common import add_report_options, add_source_options
from opwright.cli.fresh import run_if_needed
from opwright.cli.gen_options import (
    add_build_options,
    add_content_options,
    add_output_options,
    add_own_options,
    refuse_options,
)
from opwright.cli.outcome_options import add_volume_options

TYPE_CHECKING = False
if TYPE_CHECKING:
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
    add_source_options(parser, "-s")
    add_output_options(parser)
    add_build_options(parser)
    add_content_options(parser)
    add_own_options(parser)
    add_report_options(parser)
    add_volume_options(parser)
    parser.set_defaults(run=run, verb="gen")


def run(options: argparse.Namespace) -> int:
    """Generate, if anything has changed, and return the exit status."""
    return run_if_needed(options, refuse_options)
