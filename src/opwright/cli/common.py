"""What several verbs share: options for reports, sources and devices, and showing diagnostics."""

from __future__ import annotations

import argparse
import os
import sys

from opwright.diagnostics import Diagnostics
from opwright.report import FORMATS, render
from opwright.report.color import use_color

#: Formats that are for other programs, and so the only thing on standard output.
MACHINE_FORMATS = ("json", "sarif")

#: Devices whose kernels count only with a switch of this name.
DEVICES = ("mps", "xpu", "mtia")


def add_report_options(parser: argparse.ArgumentParser) -> None:
    """`--format` and `--color`."""
    parser.add_argument(
        "--format", choices=FORMATS, help="how diagnostics are shown (default: text; github inside GitHub Actions)"
    )
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="when to use color (default: auto)"
    )


def add_source_options(parser: argparse.ArgumentParser) -> None:
    """`-s` and `--release`."""
    parser.add_argument(
        "-s",
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


def chosen_devices(options: argparse.Namespace) -> frozenset[str]:
    """The devices whose switches are set."""
    return frozenset(device for device in DEVICES if getattr(options, device))


def report_format(options: argparse.Namespace) -> str:
    """The format to use; GitHub Actions gets its own when none was chosen."""
    if options.format is not None:
        return str(options.format)
    return "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text"


def show(faults: Diagnostics, options: argparse.Namespace, *, results: bool) -> None:
    """Print the diagnostics: as a verb's result, or as a remark beside it. Machine formats are always results."""
    format = report_format(options)
    stream = sys.stdout if results or format in MACHINE_FORMATS else sys.stderr
    color = format == "text" and use_color(options.color, stream, os.environ)
    write(render(faults.in_order(), format, color=color), stream is sys.stderr)


def say(text: str) -> None:
    """Print a remark to standard error."""
    write(text + "\n", to_stderr=True)


def write(text: str, to_stderr: bool = False) -> None:
    """Print in UTF-8 whatever the locale is; names in messages may be in any script."""
    stream = sys.stderr if to_stderr else sys.stdout
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(text)
        return
    stream.flush()
    buffer.write(text.encode("utf-8", "replace"))
    buffer.flush()
