"""`opwright explain-code`: prints the page of a diagnostic code."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from opwright.cli.common import say, write
from opwright.cli.main import DONE, MISUSED
from opwright.diagnostics import did_you_mean
from opwright.report import pages

if TYPE_CHECKING:
    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]


def add_verb(verbs: Verbs) -> None:
    """Declare the verb and its options."""
    parser = verbs.add_parser(
        "explain-code",
        help="explain a diagnostic code",
        description="Print the page of a diagnostic code, such as unknown-type. Without a code, list them all.",
    )
    parser.add_argument("code", nargs="?", metavar="CODE")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the page and return the exit status."""
    if options.code is None:
        for code in pages.codes():
            write(f"{code}: {pages.summary(pages.page(code) or '')}\n")
        return DONE
    code = options.code.strip("[]")
    page = pages.page(code)
    if page is None:
        hint = did_you_mean(code, pages.codes())
        say(f"opwright explain-code: there is no diagnostic code '{code}'" + (f"; {hint}" if hint else ""))
        return MISUSED
    if sys.stdout is not None and sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(page))
    else:
        write(page)
    return DONE
