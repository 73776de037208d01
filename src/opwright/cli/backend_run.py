"""What `opwright backend` does when there is something to do: read, generate, compare, write.

In: a parsed command line. Out: files, and an exit status.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from opwright.artifacts.making import make
from opwright.backends import ReadBackend, declared_kernels, emission_of, plan_backend, read_backend_file
from opwright.cli.common import say_source
from opwright.cli.kernels import check_kernels, deliver_backend, include_folder, write_stubs
from opwright.cli.main import DONE
from opwright.cli.outcome import print_outputs, report
from opwright.diagnostics import Diagnostics
from opwright.inputs import Inputs
from opwright.locate import Located, locate_operators
from opwright.options import StubOptions
from opwright.stats import Stats


def run(options: argparse.Namespace, inputs: Inputs, stats: Stats) -> int:
    """Generate and return the exit status. Raises `NotFoundError`, `UsageError` and `WriteError`."""
    with stats.stage("locate"):
        located = locate_operators(options.source_path, options.release, inputs, takes_sample=False)
    return generate(options, located, inputs, stats)


def generate(options: argparse.Namespace, located: Located, inputs: Inputs, stats: Stats) -> int:
    """Read, generate and write; nothing is written when there are errors."""
    say_source(options, located)
    faults = Diagnostics()
    inputs.paths += [Path(options.source_yaml), *located.inputs]
    read = read_backend_file(Path(options.source_yaml), located, faults, stats, inputs)
    if read is None or faults.has_errors:
        return report(options, faults)
    with stats.stage("signatures"):
        emission = emission_of(read, located.templates, faults, inputs)
        planned = plan_backend(read, stub_options(options), emission)
    folder = Path(options.install_dir)
    if options.print_outputs:
        return report(options, faults) or print_outputs(options, planned, [folder / one.path for one in planned], stats)
    with stats.stage("kernels of the author"):
        missing = check_kernels(options, partial(declared_kernels, read, emission), read.backend, faults, inputs)
    files = list(make(planned, "stubs", step_of(read), stats))
    status = report(options, faults)
    if status == DONE and missing:
        write_stubs(options, missing, read.backend, stub_options(options))
    release, described = read.model.release, stub_options(options).described()
    return status or deliver_backend(
        options, step_of(read), release, described, files, inputs, stats, is_whole=not missing
    )


def step_of(read: ReadBackend) -> str:
    """The kind of files that a run makes; those of other backends may be in the same folder."""
    return f"backend-{read.backend.key.name}"


def stub_options(options: argparse.Namespace) -> StubOptions:
    """What decides about the content of files."""
    return StubOptions(include_folder=include_folder(options), lean=options.lean)
