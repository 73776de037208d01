"""What verbs that read backend files do alike.

They look for the kernels that the author writes, and deliver the files of one backend.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from opwright import __version__
from opwright.cli.common import say
from opwright.cli.outcome import deliver_run, take_all
from opwright.diagnostics import Diagnostics
from opwright.inputs import Inputs
from opwright.output.delivery import Intake, Run
from opwright.output.manifest import read_manifest
from opwright.output.tree import OutputFile, WriteError, write_files
from opwright.stats import Stats

if TYPE_CHECKING:
    from opwright.artifacts.backend_declarations import Function
    from opwright.model.backend import Backend
    from opwright.options import StubOptions
    from opwright.releases.release import Release


def include_folder(options: argparse.Namespace) -> str:
    """What stands before the names of generated headers: as torchgen has it, the folder as it was given."""
    if options.include_prefix is None:
        return str(options.install_dir)
    return str(options.include_prefix).removesuffix("/")


def check_kernels(
    options: argparse.Namespace,
    functions: Callable[[], list[Function]],
    backend: Backend,
    faults: Diagnostics,
    inputs: Inputs,
) -> list[Function]:
    """Look for kernels in the author's files, and report what is missing; or give it, with `--write-stubs`.

    `functions` finds those that the author writes; without an option about them, nobody asks.
    """
    if not options.impl_path and options.write_stubs is None:
        return []
    from opwright.handwritten import kernel_missing, missing_kernels, read_kernels

    to_write = functions()
    written = read_kernels(map(Path, options.impl_path), to_write, faults, inputs)
    missing = missing_kernels(to_write, written, backend, faults)
    if options.write_stubs is not None and not options.check:
        return missing
    for one in missing:
        kernel_missing(one, backend, faults)
    return []


def deliver_backend(
    options: argparse.Namespace,
    step: str,
    release: Release,
    described: Mapping[str, object],
    files: Sequence[OutputFile],
    inputs: Inputs,
    stats: Stats,
    *,
    is_whole: bool,
) -> int:
    """Compare the files of one backend with those on disk, or write them; the exit status.

    `step` tells them from those of other backends in the same folder, and `described` is what decides about them.
    `is_whole` says whether the run writes nothing else.
    """
    folder = Path(options.install_dir)
    head = {"generator": f"opwright {__version__}", "release": release.name, "options": described}
    with Intake(checking=options.check, dry_run=options.dry_run) as intake:
        take_all(files, lambda file: str(folder / file.path), intake, stats)
        run = Run(folder, (step,), intake.files, {}, [read_manifest(folder, step)])
        return deliver_run(options, run, intake, [], head, inputs, stats, is_whole=is_whole)


def write_stubs(options: argparse.Namespace, missing: Sequence[Function], backend: Backend, stubs: StubOptions) -> None:
    """Write skeletons of missing kernels. Raises `WriteError` when the file is there."""
    from opwright.artifacts.backend_stubs import header_name
    from opwright.handwritten import skeletons

    text = skeletons(missing, backend, stubs.include(header_name(backend)))
    write_skeletons(options, options.write_stubs, text, len(missing))


def write_skeletons(options: argparse.Namespace, name: str, text: str, count: int) -> None:
    """Write a file of skeletons. Raises `WriteError` when the file is there: it may be edited by now."""
    path = Path(name)
    if path.exists():
        message = "there is such a file already, which may be yours; let it be looked into, or choose another one"
        raise WriteError(path.as_posix(), message)
    counted = f"{count} skeleton{'s' if count != 1 else ''}"
    if options.dry_run:
        say(f"{counted} would be written to {path.as_posix()}")
        return
    write_files([(path, text)], dry_run=False)
    say(f"{counted} written to {path.as_posix()}")
