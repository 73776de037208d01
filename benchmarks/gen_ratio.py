"""Measure `opwright gen` against torchgen, in turns.

    python benchmarks/gen_ratio.py [--per-operator] [--rounds N]

In: the installed torch, for its torchgen and its operators. Out: a table on standard output.
"""

from __future__ import annotations

import argparse
import sys

from measuring import compare, packaged_source, rounds_option


def commands(per_operator: bool) -> dict[str, list[str]]:
    """The two programs; `{out}` stands for the folder to write to."""
    options = ["-s", str(packaged_source()), "-d", "{out}", "--aoti-install-dir", "{out}/aoti"]
    if per_operator:
        options.append("--per-operator-headers")
    return {
        "torchgen": [sys.executable, "-m", "torchgen.gen", *options],
        # torchgen always writes the umbrella copies.
        "opwright": [sys.executable, "-m", "opwright", "gen", "--everything", *options],
    }


def main() -> None:
    """Read the options, measure, print."""
    parser = argparse.ArgumentParser(description="Measure 'opwright gen' against torchgen.")
    parser.add_argument("--per-operator", action="store_true", help="one header per operator")
    rounds_option(parser)
    options = parser.parse_args()
    compare(commands(options.per_operator), options.rounds)


if __name__ == "__main__":
    main()
