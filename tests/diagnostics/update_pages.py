"""The pages of the diagnostic codes as tests: what their examples print.

In: the pages in docs/reference/diagnostics. Out: for each the input of its example, and what `opwright check` prints
for it, or `opwright lazy` where the block of YAML is marked so, or `opwright gen` for a block of Python, which declares
kernels. As a program, writes that into the pages, so that a change of wording is one command:

    PYTHONPATH=src python -m tests.diagnostics.update_pages [--check] [CODE ...]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from opwright.cli.main import main
from opwright.locate import SAMPLE

PAGES = Path(__file__).resolve().parents[2] / "docs" / "reference" / "diagnostics"
FILE = "example.yaml"
#: Codes that one YAML document cannot show: about files that cannot be read, about templates, about the source or
#: operators that it does not have, about generated files or C++.
WITHOUT_EXAMPLE = frozenset(
    {
        "unreadable-file",
        "template-missing",
        "template-variable",
        "faulty-source",
        "aot-ambiguous-operator",
        "aot-same-stub",
        "aoti-no-c-form",
        "aoti-same-function",
        "aoti-stale-header",
        "backend-kernel-missing",
        "backend-kernel-signature",
        "backend-kernel-surplus",
        "lazy-generator",
        "lazy-missing-shape",
        "lazy-operator",
    }
)
KINDS = ("native", "tags", "selection", "backend", "aoti")
LAZY = "lazy"
AOT = "python"
_EXAMPLE = re.compile(r"^```(yaml[^\n]*|python)\n(.*?)^```\n+```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """The example of a page: the input, the command line options that it needs, and what is printed."""

    options: tuple[str, ...]
    document: str
    output: str
    output_span: tuple[int, int]


def read_example(page: str) -> Example | None:
    """The example of a page's text; None when it has no YAML block followed by a text block."""
    found = _EXAMPLE.search(page)
    return Example(read_options(found[1]), found[2], found[3], found.span(3)) if found else None


def read_options(info: str) -> tuple[str, ...]:
    """The options that the words of `yaml native release=2.0` stand for: --kind native --release 2.0."""
    options: list[str] = []
    for word in info.removeprefix("yaml").split():
        name, _, value = word.partition("=")
        if name in (LAZY, AOT):
            options.append(name)
            continue
        if name in KINDS:
            options += ["--kind", name]
        else:
            options += [f"--{name}", value] if value else [f"--{name}"]
    return tuple(options)


def run_example(example: Example) -> tuple[int, str]:
    """The exit status and what is printed for an example."""
    shown = ("--format", "text", "--color", "never")
    arguments, file = ["check", FILE, "-s", str(SAMPLE), *shown, *example.options], Path(FILE)
    if example.options[:1] == (LAZY,):
        source: tuple[str, ...] = ("--source-path", str(SAMPLE), "--shape-inference-hdr", "")
        arguments = [LAZY, "-q", "-s", FILE, "-o", "generated", *source, *shown, *example.options[1:]]
    elif example.options == (AOT,):
        source = ("-s", str(SAMPLE), "--release", "2.15", "--aot-ops-dir", ".")
        arguments, file = ["gen", "-q", "--print-outputs", "lines", *source, *shown], Path("example/aot.py")
    with tempfile.TemporaryDirectory() as folder, inside(Path(folder)):
        file.parent.mkdir(exist_ok=True)
        file.write_text(example.document, encoding="utf-8", newline="\n")
        status, output = run(arguments, errors=arguments[0] != "check")
    return status, output.replace(SAMPLE.as_posix(), "src/opwright/sample")


def run(arguments: list[str], *, errors: bool = False) -> tuple[int, str]:
    """The exit status and the standard output of a command line; with `errors`, what goes to standard error instead."""
    stream, dropped = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    printed, said = (dropped, stream) if errors else (stream, dropped)
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
        status = main(arguments)
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return status, stream.buffer.getvalue().decode("utf-8")


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Make `folder` the current one."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def updated(page: str) -> str:
    """A page with the text block of its example as it must be."""
    example = read_example(page)
    if example is None:
        return page
    start, stop = example.output_span
    return page[:start] + run_example(example)[1] + page[stop:]


def update(arguments: list[str]) -> int:
    """Rewrite the pages, or with `--check` say which would change."""
    parser = argparse.ArgumentParser(description="Write what the examples of the diagnostic pages print.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 when a page is out of date")
    parser.add_argument("codes", nargs="*", metavar="CODE", help="pages to look at (default: all)")
    options = parser.parse_args(arguments)
    changed = False
    for path in sorted(PAGES.glob("*.md")):
        if path.stem in WITHOUT_EXAMPLE or (options.codes and path.stem not in options.codes):
            continue
        page = path.read_text(encoding="utf-8")
        new = updated(page)
        if new != page:
            changed = True
            print(path.name)
            if not options.check:
                path.write_text(new, encoding="utf-8", newline="\n")
    return 1 if changed and options.check else 0


if __name__ == "__main__":
    sys.exit(update(sys.argv[1:]))
