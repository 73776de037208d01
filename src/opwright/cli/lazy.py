"""`opwright lazy`: reads a backend file and writes the nodes, kernels and registrations of a lazy backend.

Takes the options of `python -m torchgen.gen_lazy_tensor` by the same spellings, those that torchgen has only as
arguments of a function, and some of its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING

from opwright.cli.common import UsageError, add_report_options, add_source_options, say, say_source
from opwright.cli.kernels import (
    add_file_options,
    add_kernel_options,
    check_kernels,
    deliver_backend,
    include_folder,
    write_skeletons,
    write_stubs,
)
from opwright.cli.lazy_options import add_lazy_options, lazy_options
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
from opwright.output.tree import WriteError
from opwright.stats import Stats

if TYPE_CHECKING:
    from opwright.artifacts.backend_declarations import Function
    from opwright.artifacts.lazy import LazyBackend
    from opwright.artifacts.lazy_shapes import ShapeFunction
    from opwright.lazy import LazyHooks

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
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Generate and return the exit status."""
    try:
        refuse_depfile(options)
        return generate(options, locate_operators(options.source_path, options.release, takes_sample=False))
    except (NotFoundError, UsageError) as error:
        say(f"opwright lazy: {error}")
    except WriteError as error:
        say(f"opwright lazy: {error.path}: {error.message}")
    return MISUSED


def generate(options: argparse.Namespace, located: Located) -> int:
    """Read, generate and write; nothing is written when there are errors."""
    from opwright import lazy
    from opwright.pipeline import make

    if not options.quiet:
        say_source(located, verbose=options.verbose)
    faults, stats = Diagnostics(), Stats()
    inputs = [Path(options.source_yaml), *located.inputs]
    hooks = chosen_hooks(options, inputs)
    read = lazy.read_lazy_backend(Path(options.source_yaml), located, faults, stats)
    if read is None or faults.has_errors:
        return report(options, faults)
    wanted = lazy_options(options)
    begun = lazy.begin(read, wanted, hooks, include_folder(options), located.templates, faults, inputs)
    planned, folder = lazy.plan(begun), Path(options.install_dir)
    if options.print_outputs:
        return report(options, faults) or print_outputs(options, planned, [folder / one.path for one in planned], stats)
    kernels = check_kernels(options, partial(lazy.declared_kernels, begun), begun.backend, faults, inputs)
    shapes = check_shapes(options, begun, located, faults, inputs)
    with blaming(options.hooks):
        files = make(planned, "lazy", step_of(begun), stats)
    status = report(options, faults)
    if status == DONE:
        write_skeleton_files(options, begun, kernels, shapes)
    release, described = begun.emission.model.release, begun.options.described()
    return status or deliver_backend(options, step_of(begun), release, described, files, inputs, stats)


def chosen_hooks(options: argparse.Namespace, inputs: list[Path]) -> LazyHooks:
    """The hooks that the options ask for; `inputs` gets their file. Raises `UsageError`."""
    from opwright.lazy import LazyHooks, TorchScriptHooks

    if options.hooks is None:
        return TorchScriptHooks() if options.gen_ts_lowerings else LazyHooks()
    file, _, name = options.hooks.rpartition(":")
    inputs.append(Path(file))
    try:
        code = compile(Path(file).read_text(encoding="utf-8"), file, "exec")
    except (OSError, ValueError, SyntaxError) as error:
        raise UsageError(f"--hooks: '{file}' cannot be used: {error}") from None
    module: dict[str, object] = {"__name__": Path(file).stem, "__file__": file}
    with blaming(options.hooks):
        exec(code, module)
    found = module.get(name)
    if not (isinstance(found, type) and issubclass(found, LazyHooks)):
        raise UsageError(f"--hooks: there is no class '{name}' derived from LazyHooks in '{file}'")
    with blaming(options.hooks):
        return found()


@contextmanager
def blaming(hooks: str | None) -> Iterator[None]:
    """Turn what goes wrong in the file of hooks into a sentence about that file; a `UsageError`."""
    try:
        yield
    except Exception as error:
        file = hooks.rpartition(":")[0] if hooks else None
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == file]
        if not lines:
            raise
        raise UsageError(f"--hooks: {file}:{lines[-1]}: {type(error).__name__}: {error}") from None


def step_of(lazy: LazyBackend) -> str:
    """The kind of files that a run makes; those of other backends may be in the same folder."""
    return f"lazy-{lazy.backend.key.name}"


def check_shapes(
    options: argparse.Namespace, lazy: LazyBackend, located: Located, faults: Diagnostics, inputs: list[Path]
) -> list[ShapeFunction]:
    """Look for shape functions in headers, and report what is missing; or give it, with `--write-shape-stubs`."""
    from opwright.lazy import missing_shapes, shape_headers, shape_missing

    headers = shape_headers(lazy.options, options.shape_inference_path, located)
    if not headers and lazy.options.shape_inference_hdr and not options.quiet:
        say("shape functions are not looked for: no torch of the release has their header; see --shape-inference-path")
    missing = missing_shapes(lazy, headers, faults, inputs)
    if options.write_shape_stubs is not None and not options.check:
        return missing
    for one in missing:
        shape_missing(one, lazy, headers, faults)
    return []


def write_skeleton_files(
    options: argparse.Namespace, lazy: LazyBackend, kernels: Sequence[Function], shapes: Sequence[ShapeFunction]
) -> None:
    """Write skeletons of what is missing. Raises `WriteError` when a file is there."""
    from opwright.artifacts.lazy_shapes import shape_skeletons

    if kernels:
        write_stubs(options, kernels, lazy.backend, lazy.stubs)
    if shapes:
        write_skeletons(options, options.write_shape_stubs, shape_skeletons(shapes), len(shapes))
