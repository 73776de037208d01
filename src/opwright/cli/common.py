"""What several verbs share: options for reports, sources and devices, and showing diagnostics."""

from __future__ import annotations

import argparse
import os
import sys

from opwright.report import FORMATS
from opwright.report.color import plain, use_color

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from opwright.diagnostics import Diagnostics
    from opwright.locate import Located
    from opwright.releases.release import Release

#: Formats that are for other programs, and so the only thing on standard output.
MACHINE_FORMATS = ("json", "sarif")

#: From which volume on something is said: always, unless `--quiet` is given, only if `--verbose` is.
ALWAYS, USUALLY, VERBOSELY = range(3)

#: Devices whose kernels count only with a switch of this name.
DEVICES = ("mps", "xpu", "mtia")


class UsageError(Exception):
    """Options that cannot be used; the message is a plain sentence."""


class OutputError(Exception):
    """Standard output or standard error that takes no text; the message is a plain sentence."""


def add_report_options(parser: argparse.ArgumentParser) -> None:
    """`--format` and `--color`; and where a run keeps what it has said."""
    parser.add_argument(
        "--format", choices=FORMATS, help="how diagnostics are shown (default: text; github inside GitHub Actions)"
    )
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="when to use color (default: auto)"
    )
    parser.set_defaults(said=[])


def add_profile_option(parser: argparse.ArgumentParser) -> None:
    """`--profile`."""
    parser.add_argument(
        "--profile", metavar="FILE", help="write where the time goes to FILE, in the format of Python's pstats"
    )


def add_source_options(parser: argparse.ArgumentParser, *spellings: str) -> None:
    """`--source-path`, by other `spellings` too, and `--release`."""
    parser.add_argument(
        *spellings,
        "--source-path",
        metavar="DIR",
        help="folder that holds native/native_functions.yaml, native/tags.yaml and templates/ (default: "
        "aten/src/ATen in the current folder; else those of the installed torch; else the sample)",
    )
    parser.add_argument("--release", metavar="X.Y", help="PyTorch release (default: that of the source)")


def add_device_options(parser: argparse.ArgumentParser) -> None:
    """A switch for each of `DEVICES`."""
    for device in DEVICES:
        parser.add_argument(f"--{device}", action="store_true", help=f"keep kernels of the {device.upper()} keys")


def chosen_devices(options: argparse.Namespace, release: Release) -> frozenset[str]:
    """The devices whose switches are set. Raises `UsageError` for one that the release does not have."""
    known = {key.flag for key in release.keys.values()}
    chosen = [device for device in DEVICES if getattr(options, device)]
    for device in chosen:
        if device not in known:
            raise UsageError(f"PyTorch {release.name} has no option --{device}")
    return frozenset(chosen)


def given(parser: argparse.ArgumentParser, options: argparse.Namespace) -> list[argparse.Action]:
    """The options of `parser` that have another value than without being given."""
    return [action for action in parser._actions if getattr(options, action.dest, action.default) != action.default]


def long_spelling(action: argparse.Action) -> str:
    """The first spelling of an option that is a word."""
    return next(spelling for spelling in action.option_strings if spelling.startswith("--"))


def report_format(options: argparse.Namespace) -> str:
    """The format to use; GitHub Actions gets its own when none was chosen."""
    if options.format is not None:
        return str(options.format)
    return "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text"


def show(faults: Diagnostics, options: argparse.Namespace, *, results: bool) -> None:
    """Print the diagnostics: as a verb's result, or as a remark beside it. Machine formats are always results."""
    from opwright.report import render

    format = report_format(options)
    to_stderr = not results and format not in MACHINE_FORMATS
    remark(options, render(faults.in_order(), format, color=True), to_stderr=to_stderr)


def remark(options: argparse.Namespace, text: str, *, volume: int = ALWAYS, to_stderr: bool = True) -> None:
    """Print what a run has to say of its input, and keep it in `options.said`, for a run that finds nothing changed.

    `text` may be colored.
    """
    options.said.append((volume, to_stderr, text))
    repeat(options, volume, to_stderr, text)


def repeat(options: argparse.Namespace, volume: int, to_stderr: bool, text: str) -> None:
    """Print a remark where it is wanted, with color where that is."""
    if volume == ALWAYS or (options.verbose if volume == VERBOSELY else not options.quiet):
        stream = sys.stderr if to_stderr else sys.stdout
        is_colored = stream is not None and use_color(options.color, stream, os.environ)
        write(text if is_colored else plain(text), to_stderr)


def say(text: str) -> None:
    """Print a remark to standard error."""
    write(text + "\n", to_stderr=True)


def say_source(options: argparse.Namespace, located: Located) -> None:
    """Say which operators are read and which release is followed, and why those; and verbosely, how marks voted."""
    release = f"release: PyTorch {located.release.name} ({located.release_origin})"
    remark(options, f"source: {located.name} ({located.origin})\n{release}\n", volume=USUALLY)
    for vote in located.votes:
        remark(options, f"  since {vote}\n", volume=VERBOSELY)


def write(text: str, to_stderr: bool = False) -> None:
    """Print in UTF-8 whatever the locale is; names in messages may be in any script.

    Raises `OutputError` when the text cannot be written, and BrokenPipeError when nobody reads it anymore.
    """
    stream: TextIO | None = sys.stderr if to_stderr else sys.stdout
    name = "standard error" if to_stderr else "standard output"
    if stream is None:  # what Python makes of a closed descriptor
        if text and not to_stderr:
            raise OutputError(f"{name} cannot be written: it is closed")
        return
    try:
        _write(stream, text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"{name} cannot be written: {error.strerror or error}") from None


def flush() -> None:
    """Send what Python has kept of standard output; raises what `write` raises."""
    if sys.stdout is not None:
        write("")


def _write(stream: TextIO, text: str) -> None:
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(text)
        stream.flush()
        return
    stream.flush()
    buffer.write(text.encode("utf-8", "replace"))
    buffer.flush()
