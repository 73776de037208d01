"""`opwright lazy`: reads a backend file and writes the nodes, kernels and registrations of a lazy backend.

Takes the options of `python -m torchgen.gen_lazy_tensor` by the same spellings, those that torchgen has only as
arguments of a function, and some of its own. How it generates is the matter of `lazy_run`, which is imported only when
there is something to do.
"""

from __future__ import annotations

import argparse

from opwright.cli.common import add_report_options, add_source_options
from opwright.cli.fresh import run_if_needed
from opwright.cli.kernel_options import add_file_options, add_kernel_options
from opwright.cli.lazy_options import add_lazy_options
from opwright.cli.outcome_options import (
    add_depfile_option,
    add_outcome_options,
    add_volume_options,
    refuse_depfile,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]


def add_verb(verbs: Verbs) -> None:
    """Declare the verb and its options."""
    parser = verbs.add_parser(
        "lazy",
        help="generate the nodes and kernels of a lazy backend",
        description="Generate a lazy backend: the classes of the nodes that its graphs are made of, kernels that put "
        "nodes into the graph instead of computing, and their registration. Only files that differ are written.",
    )
    add_file_options(parser, required=True)
    add_source_options(parser)
    add_outcome_options(parser, "touch nothing; say what would be written", "--dry_run")
    add_depfile_option(parser)
    hooks = parser.add_mutually_exclusive_group()
    hooks.add_argument(
        "--gen-ts-lowerings",
        "--gen_ts_lowerings",
        action="store_true",
        help="make nodes that are lowered to TorchScript",
    )
    hooks.add_argument(
        "--hooks",
        metavar="FILE.py:CLASS",
        help="write parts of the code by the methods of a class derived from opwright.lazy.LazyHooks",
    )
    add_lazy_options(parser)
    parser.add_argument(
        "--shape-inference-path",
        metavar="FILE",
        action="append",
        default=[],
        help="header in which shape functions are looked for, besides that of --shape-inference-hdr, which is found in "
        "the current folder or in the installed torch; may be given several times",
    )
    parser.add_argument(
        "--write-shape-stubs",
        metavar="FILE",
        help="write skeletons of the shape functions that are missing to a new file, instead of reporting them",
    )
    add_kernel_options(parser)
    add_report_options(parser)
    add_volume_options(parser)
    parser.set_defaults(run=run, verb="lazy")


def run(options: argparse.Namespace) -> int:
    """Generate, if anything has changed, and return the exit status."""
    return run_if_needed(options, refuse_depfile)
