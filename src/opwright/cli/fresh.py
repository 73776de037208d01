"""Runs of verbs that make files: whether there is anything to do is looked at first, before the generator is imported.

In: a parsed command line. Out: an exit status. A run whose inputs, options and outputs are as the last run of the same
command has left them says what that one said, and that all files are unchanged. Every other run generates, and leaves
a record of what it has looked at and made; `opwright.output.record` says when that counts.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module

from opwright import __version__
from opwright.cli.common import UsageError, repeat, report_format, say
from opwright.cli.main import DONE, MISUSED
from opwright.cli.summary import UNCHANGED, Summary, summarize
from opwright.output.record import Command, Record, fresh_record
from opwright.stats import Stats

#: The folder of Opwright's own code and data, which are an input like any other.
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120

#: What decides neither about what a run makes nor about what it has to say; at most about how much of it is shown.
ASIDE = frozenset({"run", "parser", "said", "force", "stats", "profile", "quiet", "verbose", "color"})


def run_if_needed(options: argparse.Namespace, refuse: Callable[[argparse.Namespace], None]) -> int:
    """Do what a verb is for, unless nothing has changed since its last run; the exit status.

    `refuse` raises `UsageError` for options that cannot be used. The module `<verb>_run` generates.
    """
    stats = Stats()
    stats.stage("start").seconds = time.process_time()
    try:
        refuse(options)
    except UsageError as error:
        say(f"opwright {options.verb}: {error}")
        return MISUSED
    if is_recorded(options) and not options.force:
        with stats.stage("look for changes"):
            record = fresh_record(options.install_dir, command_of(options))
        if record is not None:
            repeat_run(options, record, stats)
            return DONE
    watch_on_terminal(options, stats)
    heed_termination()
    with stats.stage("import"):
        from opwright.inputs import Inputs

        inputs = Inputs()
        inputs.look("stamps", PACKAGE)
        module = import_module(f"opwright.cli.{options.verb}_run")
    return generate(options, lambda: module.run(options, inputs, stats))


def generate(options: argparse.Namespace, run: Callable[[], int]) -> int:
    """Do what there is to do, and say what keeps it from being done; the exit status."""
    from opwright.locate import NotFoundError
    from opwright.output.tree import WriteError

    try:
        return run()
    except (NotFoundError, UsageError) as error:
        say(f"opwright {options.verb}: {error}")
    except WriteError as error:
        say(f"opwright {options.verb}: {error.path}: {error.message}")
    return MISUSED


def heed_termination() -> None:
    """Have a build that is called off end the run as an interrupt does, so that no temporary files stay."""
    import signal  # not needed by who has nothing to do

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGTERM, interrupt)


def watch_on_terminal(options: argparse.Namespace, stats: Stats) -> None:
    """Let a person at a terminal see which stage is at work, if that takes long; never a log or another program."""
    is_for_people = not options.quiet and report_format(options) == "text" and not os.environ.get("CI")
    if is_for_people and sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty():
        from opwright.cli.progress import Progress

        stats.watch = Progress(sys.stderr, f"opwright {options.verb}")


def is_recorded(options: argparse.Namespace) -> bool:
    """Whether a run may have a record: it writes all that it makes, and reads nothing but what Opwright itself reads.

    What hooks read and import is theirs to know.
    """
    return not (options.dry_run or options.check or options.print_outputs or getattr(options, "hooks", None))


def command_of(options: argparse.Namespace) -> Command:
    """What tells one command from another, as plain data: the tool, the options, and what they are relative to."""
    try:
        folder = os.getcwd()  # noqa: PTH109 - without importing what makes Paths
    except OSError:
        folder = ""
    return {
        "opwright": [__version__, PACKAGE],
        "python": sys.version,
        "folder": folder,
        "format": report_format(options),
        "options": {name: value for name, value in vars(options).items() if name not in ASIDE},
    }


def repeat_run(options: argparse.Namespace, record: Record, stats: Stats) -> None:
    """Say what the recorded run said, and that nothing has changed."""
    for remark in record.said:
        repeat(options, *remark)
    (files, *_), (beside, *_) = record.files, record.beside

    def each() -> list[tuple[str, str]]:
        return [(UNCHANGED, path) for path in [*files, *beside]]

    summarize(options, Summary(record.shown, len(files), len(files), each, [], record.left), stats)
