"""`opwright lazy`: reads a backend file and writes the nodes, kernels and registrations of a lazy backend.

Takes the options of `python -m torchgen.gen_lazy_tensor` by the same spellings, those that torchgen has only as
arguments of a function, and some of its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from opwright import __version__
from opwright.cli.common import UsageError, add_report_options, add_source_options, say
from opwright.cli.lazy_options import add_lazy_options, lazy_options
from opwright.cli.main import DONE, MISUSED
from opwright.cli.outcome import (
    add_depfile_option,
    add_outcome_options,
    add_volume_options,
    deliver_run,
    print_outputs,
    refuse_depfile,
    report,
)
from opwright.diagnostics import Diagnostics
from opwright.locate import Located, NotFoundError, locate
from opwright.output.delivery import Run
from opwright.output.manifest import read_manifest
from opwright.output.tree import OutputFile, WriteError
from opwright.stats import Stats

if TYPE_CHECKING:
    from opwright.lazy import LazyBackend

    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]


def add_verb(verbs: Verbs) -> None:
    """Declare the verb and its options."""
    parser = verbs.add_parser(
        "lazy",
        help="generate the nodes and kernels of a lazy backend",
        description="Generate a lazy backend: the classes of the nodes that its graphs are made of, kernels that put "
        "nodes into the graph instead of computing, and their registration. Only files that differ are written.",
    )
    parser.add_argument("-s", "--source-yaml", "--source_yaml", metavar="YAML", required=True, help="the backend file")
    parser.add_argument(
        "-o",
        "--output-dir",
        "--output_dir",
        metavar="DIR",
        dest="install_dir",
        required=True,
        help="folder to write to; as it is given, it stands in the #include of generated headers too",
    )
    add_source_options(parser)
    add_outcome_options(parser, "touch nothing; say what would be written")
    add_depfile_option(parser)
    parser.add_argument(
        "--include-prefix",
        metavar="PREFIX",
        help="what stands before the names of generated headers in an #include; may be empty (default: the folder of "
        "-o)",
    )
    parser.add_argument(
        "--gen-ts-lowerings",
        "--gen_ts_lowerings",
        action="store_true",
        help="make nodes that are lowered to TorchScript",
    )
    add_lazy_options(parser)
    parser.add_argument(
        "--shape-inference-path",
        metavar="FILE",
        action="append",
        default=[],
        help="file in which shape functions are looked for; may be given several times (default: the header of "
        "--shape-inference-hdr, in the current folder or in the installed torch)",
    )
    parser.add_argument(
        "--write-shape-stubs",
        metavar="FILE",
        help="write skeletons of the shape functions that are missing, to a file that is not there yet, and nothing "
        "else",
    )
    add_report_options(parser)
    add_volume_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Generate and return the exit status."""
    try:
        refuse_depfile(options)
        return generate(options, locate(options.source_path, options.release))
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
        say(f"source: {located.folder.as_posix()} ({located.origin})")
        say(f"release: PyTorch {located.release.name} ({located.release_origin})")
    faults, stats = Diagnostics(), Stats()
    read = lazy.read_lazy_backend(Path(options.source_yaml), located, faults, stats)
    if read is None or faults.has_errors:
        return report(options, faults)
    wanted = lazy_options(options)
    hooks = lazy.TorchScriptHooks if options.gen_ts_lowerings else lazy.LazyHooks
    prefix = options.install_dir if options.include_prefix is None else options.include_prefix
    inputs = [Path(options.source_yaml), located.native, located.tags]
    begun = lazy.begin(read, wanted, hooks, prefix, located.templates, faults, inputs)
    headers = lazy.shape_headers(wanted, options.shape_inference_path, located)
    if options.write_shape_stubs:
        return write_shape_stubs(options, begun, headers, faults)
    lazy.check_shapes(begun, headers, faults, inputs)
    planned, folder = lazy.plan(begun), Path(options.install_dir)
    if options.print_outputs:
        return report(options, faults) or print_outputs(options, planned, [folder / one.path for one in planned], stats)
    files = make(planned, "lazy", step_of(begun), stats)
    return report(options, faults) or finish(options, begun, files, inputs, stats)


def step_of(lazy: LazyBackend) -> str:
    """The kind of files that a run makes; those of other backends may be in the same folder."""
    return f"lazy-{lazy.backend.key.name}"


def finish(
    options: argparse.Namespace, lazy: LazyBackend, files: Sequence[OutputFile], inputs: Sequence[Path], stats: Stats
) -> int:
    """Compare the files with those on disk, or write them; the exit status."""
    folder, step = Path(options.install_dir), step_of(lazy)
    run = Run(folder, (step,), files, [folder / file.path for file in files], {}, [read_manifest(folder, step)])
    head = {
        "generator": f"opwright {__version__}",
        "release": lazy.emission.model.release.name,
        "options": lazy.options.described(),
    }
    return deliver_run(options, run, [], head, inputs, stats)


def write_shape_stubs(
    options: argparse.Namespace, lazy: LazyBackend, headers: Sequence[Path], faults: Diagnostics
) -> int:
    """Write skeletons of the shape functions that no header declares; the exit status."""
    from opwright.lazy import write_shape_skeletons

    target = Path(options.write_shape_stubs)
    if target.exists():
        raise UsageError(f"'{target.as_posix()}' is there already; skeletons are written to new files only")
    missing = write_shape_skeletons(lazy, headers, target, faults, dry_run=options.dry_run)
    status = report(options, faults)
    if status == DONE and not options.quiet:
        say(f"{missing} shape functions are missing" + (f"; see {target.as_posix()}" if missing else ""))
    return status
