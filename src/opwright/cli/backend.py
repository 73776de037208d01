"""`opwright backend`: reads a backend file and writes the declarations and registrations of its kernels.

Takes the options of `python -m torchgen.gen_backend_stubs` by the same spellings, and some of its own.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from opwright.cli.backend_init import add_init_options, start_backend
from opwright.cli.common import UsageError, add_report_options, add_source_options, say, say_source
from opwright.cli.kernels import (
    add_file_options,
    add_kernel_options,
    check_kernels,
    deliver_backend,
    include_folder,
    write_stubs,
)
from opwright.cli.main import DONE, MISUSED
from opwright.cli.outcome import (
    add_depfile_option,
    add_outcome_options,
    add_volume_options,
    print_outputs,
    refuse_depfile,
    report,
)
from opwright.diagnostics import Diagnostics
from opwright.locate import Located, NotFoundError, locate_operators
from opwright.options import StubOptions
from opwright.output.tree import WriteError
from opwright.stats import Stats

if TYPE_CHECKING:
    from opwright.backends import ReadBackend

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
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Generate, or start a backend, and return the exit status."""
    try:
        if options.init is not None:
            return start_backend(options)
        if options.name is not None:
            raise UsageError("--name is that of a new backend, which --init starts")
        if options.source_yaml is None or options.install_dir is None:
            raise UsageError("-s and -o are needed, or --init to start a new backend")
        refuse_depfile(options)
        return generate(options, locate_operators(options.source_path, options.release, takes_sample=False))
    except (NotFoundError, UsageError) as error:
        say(f"opwright backend: {error}")
    except WriteError as error:
        say(f"opwright backend: {error.path}: {error.message}")
    return MISUSED


def generate(options: argparse.Namespace, located: Located) -> int:
    """Read, generate and write; nothing is written when there are errors."""
    from opwright.backends import declared_kernels, emission_of, plan_backend, read_backend_file
    from opwright.pipeline import make

    if not options.quiet:
        say_source(located, verbose=options.verbose)
    faults, stats = Diagnostics(), Stats()
    read = read_backend_file(Path(options.source_yaml), located, faults, stats)
    if read is None or faults.has_errors:
        return report(options, faults)
    inputs = [Path(options.source_yaml), *located.inputs]
    emission = emission_of(read, located.templates, faults, inputs)
    planned = plan_backend(read, stub_options(options), emission)
    folder = Path(options.install_dir)
    if options.print_outputs:
        return report(options, faults) or print_outputs(options, planned, [folder / one.path for one in planned], stats)
    missing = check_kernels(options, partial(declared_kernels, read, emission), read.backend, faults, inputs)
    files = make(planned, "stubs", step_of(read), stats)
    status = report(options, faults)
    if status == DONE and missing:
        write_stubs(options, missing, read.backend, stub_options(options))
    release, described = read.model.release, stub_options(options).described()
    return status or deliver_backend(options, step_of(read), release, described, files, inputs, stats)


def step_of(read: ReadBackend) -> str:
    """The kind of files that a run makes; those of other backends may be in the same folder."""
    return f"backend-{read.backend.key.name}"


def stub_options(options: argparse.Namespace) -> StubOptions:
    """What decides about the content of files."""
    return StubOptions(include_folder=include_folder(options), lean=options.lean)
