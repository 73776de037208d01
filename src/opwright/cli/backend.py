"""`opwright backend`: reads a backend file and writes the declarations and registrations of its kernels.

Takes the options of `python -m torchgen.gen_backend_stubs` by the same spellings, and some of its own. How it generates
is the matter of `backend_run`, which is imported only when there is something to do.
"""

from __future__ import annotations

import argparse

from opwright.cli.common import UsageError, add_report_options, add_source_options
from opwright.cli.fresh import run_if_needed
from opwright.cli.kernel_options import add_file_options, add_kernel_options
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
        "backend",
        help="generate the stubs of a backend outside PyTorch",
        description="Generate what the kernels of a backend outside PyTorch need: a class that declares them, the "
        "classes of structured kernels, and their registration with the dispatcher. Only files that differ are "
        "written.",
    )
    add_file_options(parser, required=False)
    add_source_options(parser)
    add_outcome_options(parser, "touch nothing; say what would be written", "--dry_run")
    add_depfile_option(parser)
    parser.add_argument("--lean", action="store_true", help="include only what the files use")
    add_kernel_options(parser)
    add_init_options(parser)
    add_report_options(parser)
    add_volume_options(parser)
    parser.set_defaults(run=run, verb="backend", parser=parser)


def add_init_options(parser: argparse.ArgumentParser) -> None:
    """`--init` and `--name`."""
    parser.add_argument(
        "--init",
        metavar="DIR",
        help="instead of generating, write the files that a new backend starts with: allocator, device guard, hooks, "
        "CPU fallback, kernels of memory, Python package, build files; they are yours to change",
    )
    parser.add_argument("--name", help="with --init, the name of the device (default: that of the folder)")


def run(options: argparse.Namespace) -> int:
    """Generate, if anything has changed, or start a backend, and return the exit status."""
    if options.init is not None:
        from opwright.cli.backend_init import run

        return run(options)
    return run_if_needed(options, refuse_options)


def refuse_options(options: argparse.Namespace) -> None:
    """Refuse options that do not go together. Raises `UsageError`."""
    if options.name is not None:
        raise UsageError("--name is that of a new backend, which --init starts")
    if options.source_yaml is None or options.install_dir is None:
        raise UsageError("-s and -o are needed, or --init to start a new backend")
    refuse_depfile(options)
