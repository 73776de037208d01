"""What `opwright lazy` does when there is something to do: read, generate, compare, write.

In: a parsed command line. Out: files, and an exit status.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from traceback import extract_tb

from opwright import lazy
from opwright.artifacts.backend_declarations import Function
from opwright.artifacts.lazy import LazyBackend
from opwright.artifacts.lazy_shapes import ShapeFunction, shape_skeletons
from opwright.artifacts.making import make
from opwright.cli.common import USUALLY, UsageError, remark, say_source
from opwright.cli.kernels import check_kernels, deliver_backend, include_folder, write_skeletons, write_stubs
from opwright.cli.lazy_options import lazy_options
from opwright.cli.main import DONE
from opwright.cli.outcome import print_outputs, report
from opwright.diagnostics import Diagnostics
from opwright.inputs import Inputs
from opwright.lazy import LazyHooks, TorchScriptHooks
from opwright.locate import Located, locate_operators
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
    hooks = chosen_hooks(options, inputs.paths)
    read = lazy.read_lazy_backend(Path(options.source_yaml), located, faults, stats, inputs)
    if read is None or faults.has_errors:
        return report(options, faults)
    wanted = lazy_options(options)
    with stats.stage("signatures"):
        begun = lazy.begin(read, wanted, hooks, include_folder(options), located.templates, faults, inputs)
        planned, folder = lazy.plan(begun), Path(options.install_dir)
    if options.print_outputs:
        return report(options, faults) or print_outputs(options, planned, [folder / one.path for one in planned], stats)
    with stats.stage("kernels of the author"):
        kernels = check_kernels(options, partial(lazy.declared_kernels, begun), begun.backend, faults, inputs)
    shapes = check_shapes(options, begun, located, faults, inputs)
    with blaming(options.hooks):
        files = list(make(planned, "lazy", step_of(begun), stats))
    status = report(options, faults)
    if status == DONE:
        write_skeleton_files(options, begun, kernels, shapes)
    release, described = begun.emission.model.release, begun.options.described()
    return status or deliver_backend(
        options, step_of(begun), release, described, files, inputs, stats, is_whole=not (kernels or shapes)
    )


def chosen_hooks(options: argparse.Namespace, inputs: list[Path]) -> LazyHooks:
    """The hooks that the options ask for; `inputs` gets their file. Raises `UsageError`."""
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


def step_of(backend: LazyBackend) -> str:
    """The kind of files that a run makes; those of other backends may be in the same folder."""
    return f"lazy-{backend.backend.key.name}"


def check_shapes(
    options: argparse.Namespace, backend: LazyBackend, located: Located, faults: Diagnostics, inputs: Inputs
) -> list[ShapeFunction]:
    """Look for shape functions in headers, and report what is missing; or give it, with `--write-shape-stubs`."""
    headers = lazy.shape_headers(backend.options, options.shape_inference_path, located, inputs)
    if not headers and backend.options.shape_inference_hdr:
        text = (
            "shape functions are not looked for: no torch of the release has their header; see --shape-inference-path"
        )
        remark(options, f"{text}\n", volume=USUALLY)
    missing = lazy.missing_shapes(backend, headers, faults, inputs)
    if options.write_shape_stubs is not None and not options.check:
        return missing
    for one in missing:
        lazy.shape_missing(one, backend, headers, faults)
    return []


def write_skeleton_files(
    options: argparse.Namespace, backend: LazyBackend, kernels: Sequence[Function], shapes: Sequence[ShapeFunction]
) -> None:
    """Write skeletons of what is missing. Raises `WriteError` when a file is there."""
    if kernels:
        write_stubs(options, kernels, backend.backend, backend.stubs)
    if shapes:
        write_skeletons(options, options.write_shape_stubs, shape_skeletons(shapes), len(shapes))
