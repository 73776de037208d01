"""The entry point: reads the command line, runs the verb, and turns whatever happens into an exit status.

0 done; 1 the input has errors, or a check found a difference; 2 wrong usage, unreadable files, or an output that cannot
be written; 70 a fault of Opwright itself.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from opwright.cli.common import OutputError, flush, say, write

DONE, FAULTY, MISUSED, BROKEN = 0, 1, 2, 70

#: The verbs; each is a module beside this one.
VERBS = ("check", "gen", "backend", "lazy", "verify", "releases", "explain-code")


def run() -> None:
    """Run as a program."""
    # A run makes many objects and drops few before its end; the collector would only walk over them.
    gc.disable()
    status = main(sys.argv[1:])
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(OSError, ValueError):  # a dead stream, or one that `main` has closed
            stream.flush()
    # Leave at once: taking a hundred thousand objects apart, for nothing, is a tenth of a run.
    os._exit(status)


def main(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status."""
    try:
        status = run_verb(arguments)
        flush()
        return status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return DONE
    except OutputError as error:
        with suppress(OutputError, OSError):  # when it is standard error that is dead, the status alone has to tell
            say(f"opwright: {error}")
        return MISUSED
    except Exception:
        return report_bug()


def run_verb(arguments: Sequence[str]) -> int:
    """Read the command line, do what it asks for, and return the exit status."""
    try:
        options = build_parser(arguments).parse_args(arguments)
        status: int
        if getattr(options, "profile", None) is None:
            status = options.run(options)
        else:
            from opwright.cli.profile import run_profiled

            status = run_profiled(options.profile, lambda: options.run(options))
        return status
    except SystemExit as exit:  # argparse has printed its help or what is wrong
        return exit.code if isinstance(exit.code, int) else MISUSED


def report_bug() -> int:
    """Say that Opwright itself failed, with what a report needs."""
    import platform
    import traceback

    from opwright import __version__

    traceback.print_exc()
    print(
        f"\nThis is a bug in Opwright {__version__} (Python {platform.python_version()}), not in your input. "
        "Please report it with the text above.",
        file=sys.stderr,
    )
    return BROKEN


def build_parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of the command line; only the verb that is asked for is imported."""
    parser = _Parser(
        prog="opwright",
        description="Operator code generator: reads the YAML that describes a tensor library's operators and writes "
        "the C++ around their kernels.",
        epilog="exit status: 0 done; 1 the input has errors, or a check found a difference; 2 wrong usage, "
        "unreadable files, or an output that cannot be written; 70 a fault of Opwright itself",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and the known releases, and exit")
    parser.add_argument(
        "--cmake-dir",
        action=_CMakeDir,
        nargs=0,
        help="show the folder of the package for CMake's find_package, and exit",
    )
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    wanted = next((word for word in arguments if word in VERBS), None)
    for verb in [wanted] if wanted else VERBS:
        module = import_module(f"opwright.cli.{verb.replace('-', '_')}")
        module.add_verb(verbs)
    return parser


class _Parser(argparse.ArgumentParser):
    """A parser, also for each verb, that knows how wide its help is.

    argparse asks with every option that is added, and imports a twentieth of a short run to find out.
    """

    def _get_formatter(self) -> argparse.HelpFormatter:
        return argparse.HelpFormatter(self.prog, width=_columns() - 2)


def _columns() -> int:
    """The width of the terminal, as COLUMNS or the terminal itself says."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return int(told)
    with suppress(OSError, ValueError):
        return os.get_terminal_size(1).columns or 80
    return 80


class _Version(argparse.Action):
    """Prints what a bug report needs."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        import platform

        from opwright import __version__
        from opwright.releases import NAMES, NEWEST
        from opwright.syntax.yaml_library import HAS_LIBYAML

        write(
            f"opwright {__version__} (Python {platform.python_version()})\n"
            f"YAML: PyYAML {'with libyaml' if HAS_LIBYAML else 'without libyaml (slower)'}\n"
            f"PyTorch releases: {NAMES[0]} to {NEWEST}; 'opwright releases' lists them\n"
        )
        parser.exit()


class _CMakeDir(argparse.Action):
    """Prints where `find_package(Opwright)` finds its files."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from pathlib import Path

        write((Path(__file__).parents[1] / "cmake").as_posix() + "\n")
        parser.exit()
