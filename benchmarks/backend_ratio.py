"""Measure `opwright backend` against torchgen's gen_backend_stubs, in turns, on a small backend file.

    python benchmarks/backend_ratio.py [--rounds N] [--yaml FILE]

In: the installed torch, for its torchgen and its operators. Out: a table on standard output.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from measuring import compare, rounds_option

SMALL = Path(__file__).with_name("small_backend.yaml")


def commands(backend: Path) -> dict[str, list[str]]:
    """The two programs; `{out}` stands for the folder to write to."""
    options = ["-s", str(backend.resolve()), "-o", "{out}"]
    return {
        "torchgen": [sys.executable, "-m", "torchgen.gen_backend_stubs", *options],
        "opwright": [sys.executable, "-m", "opwright", "backend", *options],
    }


def main() -> None:
    """Read the options, measure, print."""
    parser = argparse.ArgumentParser(description="Measure 'opwright backend' against gen_backend_stubs.")
    parser.add_argument("--yaml", type=Path, default=SMALL, help="the backend file (default: one with seven operators)")
    rounds_option(parser)
    options = parser.parse_args()
    compare(commands(options.yaml), options.rounds)


if __name__ == "__main__":
    main()
