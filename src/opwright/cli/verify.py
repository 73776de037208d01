"""`opwright verify`: runs torchgen and Opwright on the same operators and compares what they make."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from opwright.cli.common import UsageError, add_profile_option, add_source_options, say, write
from opwright.cli.gen_options import AOT_OPTIONS, add_content_options, spelled
from opwright.cli.main import BROKEN, DONE, FAULTY, MISUSED
from opwright.compare.programs import NoTorchgenError, Torchgen, find_torchgen, run_opwright, run_torchgen
from opwright.compare.trees import compare_trees
from opwright.compare.verification import Outcome, Verification
from opwright.inputs import Inputs
from opwright.locate import CHECKOUT_SOURCE, Located, NotFoundError, find_source, locate
from opwright.options import FURTHER_STEPS
from opwright.releases import find_release
from opwright.report import comparison
from opwright.values import Value

if TYPE_CHECKING:
    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]

#: How many of the last lines are shown of what a torchgen printed that failed.
LAST_LINES = 15


def add_verb(verbs: Verbs) -> None:
    """Declare the verb and its options."""
    content = argparse.ArgumentParser(add_help=False)
    add_content_options(content)
    parser = verbs.add_parser(
        "verify",
        parents=[content],
        help="compare with torchgen",
        description="Run torchgen and Opwright on the same operators with the same options and compare the files by "
        "C++ tokens. Shows how many agree, where the others begin to differ, and both times. Exit status 1 when "
        "there is a difference. What is not said here is as in 'opwright gen'.",
    )
    add_source_options(parser, "-s")
    add = parser.add_argument
    add(
        "--python",
        metavar="EXE",
        default=sys.executable,
        help="the Python whose torchgen is run (default: the one that runs Opwright)",
    )
    add(
        "--no-torchgen-compat",
        dest="torchgen_compat",
        action="store_false",
        help="run Opwright without --torchgen-compat, so that operators outside the namespace aten differ",
    )
    add(
        "--backend",
        metavar="YAML",
        help="compare the stubs of a backend with those of gen_backend_stubs; torchgen takes the operators that come "
        "with it then",
    )
    add("--keep", metavar="DIR", help="keep what both made, in the folders torchgen and opwright of DIR")
    add("--limit", metavar="N", type=_number, default=5, help="files to show differences of (default: %(default)s)")
    add("--format", choices=("text", "json"), default="text", help="how the result is shown (default: %(default)s)")
    add_profile_option(parser)
    parser.set_defaults(run=run, content=content)


def run(options: argparse.Namespace) -> int:
    """Run both programs, compare, and return the exit status."""
    try:
        refuse_own_steps(options)
        torchgen = find_torchgen(options.python)
        located = choose_source(options, torchgen)
        refuse_other_release(torchgen, located)
        with termination_unwinds(), working_folder(options.keep) as folder:
            return verify(options, torchgen, located, folder)
    except (NoTorchgenError, NotFoundError, UsageError) as error:
        say(f"opwright verify: {error}")
        return MISUSED


def verify(options: argparse.Namespace, torchgen: Torchgen, located: Located, folder: Path) -> int:
    """Run both programs below `folder`, compare what they made and show what came out."""
    say(f"source: {located.folder.as_posix()}")
    say(f"release: PyTorch {located.release.name} ({located.release_origin})")
    say(f"torchgen: {torchgen.folder.as_posix()} (PyTorch {torchgen.version or 'of unknown version'})")
    theirs, ours = new_folder(folder / "torchgen"), new_folder(folder / "opwright")
    given = spelled(options.content, options)
    job = backend_job(options, located) if options.backend else gen_job(options, located, given)
    own_run = run_opwright(job.opwright, ours)
    if own_run.status not in (DONE, FAULTY):  # it has said why
        return own_run.status if own_run.status > 0 else BROKEN
    their_run, files = None, []
    if own_run.status == DONE:
        say("running torchgen, which may take a while")
        their_run = run_torchgen(torchgen, job.program, job.torchgen, theirs)
        if their_run.status == 0:
            files = compare_trees(theirs, ours, located.release.unordered_files)
    verification = Verification(
        located.folder, located.release.name, tuple(given), torchgen, own_run, their_run, tuple(files)
    )
    show(verification, options)
    return DONE if verification.outcome is Outcome.SAME else FAULTY


class Job(Value):
    """What both do: the words for the `program` of torchgen, and those for Opwright."""

    program: str
    torchgen: list[str]
    opwright: list[str]


def gen_job(options: argparse.Namespace, located: Located, given: list[str]) -> Job:
    """All files of a library of operators; Opwright is told to be like torchgen."""
    shared = ["-s", str(located.folder.absolute()), "-d", ".", *given]
    if located.release.has_shims and located.release.shims.compares_headers:
        shared += ["--aoti-install-dir", "aoti"]
    # Unless it is told otherwise, torchgen runs the declarations that it finds near the source.
    no_stubs = [AOT_OPTIONS[0], ""] if located.release.native_aot and options.aot_ops_dir is None else []
    compat = ["--torchgen-compat"] if options.torchgen_compat else []
    return Job("gen", [*shared, *no_stubs], ["gen", *shared, "--everything", *compat, *own_options(options, located)])


def backend_job(options: argparse.Namespace, located: Located) -> Job:
    """The stubs of a backend."""
    shared = ["-s", str(Path(options.backend).absolute()), "-o", "."]
    source = ["--source-path", str(located.folder.absolute())]
    return Job("gen_backend_stubs", shared, ["backend", *shared, *source, *own_options(options, located)])


def own_options(options: argparse.Namespace, located: Located) -> list[str]:
    """What only Opwright is told: the release, and to print nothing but diagnostics."""
    machine = ["--format", "json"] if options.format == "json" else []
    return ["--release", located.release.name, "--quiet", *machine]


def choose_source(options: argparse.Namespace, torchgen: Torchgen) -> Located:
    """The source to use: as for `gen`, but what comes with torchgen before what else is installed, and its release
    when neither the source nor the user says one. Raises `NotFoundError` and `UsageError`."""
    source = options.source_path
    if source is None and find_source(None, Inputs())[0] != CHECKOUT_SOURCE:
        if torchgen.packaged is None:
            raise UsageError("no operators come with this torchgen; name their folder with -s")
        source = str(torchgen.packaged)
    return locate(source, options.release, torchgen.version)


def refuse_own_steps(options: argparse.Namespace) -> None:
    """Refuse steps of `--generate` that torchgen does not have, and options of `gen` where a backend is compared."""
    if options.backend is not None:
        others = spelled(options.content, options) + ["-s"] * (options.source_path is not None)
        others += ["--no-torchgen-compat"] * (not options.torchgen_compat)
        if others:
            raise UsageError(f"--backend: {others[0]} has no place beside the stubs of a backend")
        return
    for step in options.generate:
        if step in FURTHER_STEPS:
            raise UsageError(f"--generate: there is no step '{step}' in torchgen")


def refuse_other_release(torchgen: Torchgen, located: Located) -> None:
    """Refuse a torchgen of another release than the one to follow."""
    if torchgen.version is not None and find_release(torchgen.version) is not located.release:
        raise UsageError(
            f"the torchgen of '{torchgen.python}' is that of PyTorch {torchgen.version}, but the release to follow is "
            f"{located.release.name} ({located.release_origin}). Name the Python of another torch with --python, or "
            "choose the release with --release"
        )


def show(verification: Verification, options: argparse.Namespace) -> None:
    """Print the result, and say what kept the programs from being compared."""
    outcome, their_run = verification.outcome, verification.torchgen_run
    if options.format == "json":
        write(comparison.as_json(verification, json.loads(verification.opwright_run.output)))
    elif outcome in (Outcome.SAME, Outcome.DIFFERENT):
        write(comparison.text(verification, options.limit))
    if outcome is Outcome.INPUT_ERRORS:
        say("opwright verify: the input has errors, so nothing was compared")
    elif outcome is Outcome.TORCHGEN_FAILED and their_run is not None:
        say(f"opwright verify: torchgen failed on this input (exit status {their_run.status}). What it printed last:")
        for line in their_run.output.splitlines()[-LAST_LINES:]:
            say(f"    {line}")
    if options.keep is not None:
        say(f"kept in {options.keep}")


@contextmanager
def working_folder(keep: str | None) -> Iterator[Path]:
    """The folder for both outputs: the one to keep, or one that is removed whatever happens. Raises `UsageError`."""
    if keep is not None:
        yield Path(keep).absolute()
        return
    try:
        scratch = tempfile.TemporaryDirectory(prefix="opwright-verify-", ignore_cleanup_errors=True)
    except OSError as error:
        raise UsageError(f"no temporary folder can be made: {error.strerror}") from None
    with scratch as folder:
        yield Path(folder)


def new_folder(folder: Path) -> Path:
    """Make a folder that holds nothing yet. Raises `UsageError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(f"the folder '{folder.as_posix()}' is not empty")
    except OSError as error:
        raise UsageError(f"the folder '{folder.as_posix()}' cannot be made: {error.strerror}") from None
    return folder


@contextmanager
def termination_unwinds() -> Iterator[None]:
    """Let a request to end do what Ctrl-C does: end the child that runs, and remove the temporary folder."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _number(text: str) -> int:
    """A count on the command line."""
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number
