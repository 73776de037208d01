"""Measure `opwright gen` against torchgen, in turns.

    python benchmarks/gen_ratio.py [--per-operator] [--reference DIR] [--rounds N]

In: the torchgen of the installed torch, or one that tests/parity/fetch.py has fetched, and the operators that come with
it. Out: a table on standard output.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from measuring import compare, packaged_source, rounds_option

RUN = "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module('torchgen.gen', run_name='__main__')"


def commands(per_operator: bool, reference: Path | None) -> dict[str, list[str]]:
    """The two programs; `{out}` stands for the folder to write to."""
    source = packaged_source() if reference is None else reference.resolve() / "torchgen" / "packaged" / "ATen"
    options = ["-s", str(source), "-d", "{out}"]
    if (source.parents[1] / "aoti").is_dir():
        options += ["--aoti-install-dir", "{out}/aoti"]
    if per_operator:
        options.append("--per-operator-headers")
    # A fetched torchgen says by its folder of which release it is.
    release = [] if reference is None else ["--release", reference.resolve().name]
    return {
        "torchgen": [sys.executable, "-c", RUN, str(source.parents[2]), *options],
        # torchgen always writes the umbrella copies.
        "opwright": [sys.executable, "-m", "opwright", "gen", "--everything", *release, *options],
    }


def main() -> None:
    """Read the options, measure, print."""
    parser = argparse.ArgumentParser(description="Measure 'opwright gen' against torchgen.")
    parser.add_argument("--per-operator", action="store_true", help="one header per operator")
    parser.add_argument(
        "--reference", type=Path, metavar="DIR", help="the folder of a fetched torchgen, such as .references/2.0.1"
    )
    rounds_option(parser)
    options = parser.parse_args()
    compare(commands(options.per_operator, options.reference), options.rounds)


if __name__ == "__main__":
    main()
