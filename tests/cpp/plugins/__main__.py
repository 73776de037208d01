"""Build a plug-in of every registration file that an installed torch can take, and compare; takes ten minutes.

    python -m tests.cpp.plugins [--generated FOLDER]

Prints times and counts; exits with 1 if something differs. With a folder, the C++ in its `include/ATen`, which has
headers by operator, is taken instead of Opwright's: to see what torchgen's own files do, for instance.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from tests.cpp.plugins.build import build, is_good, make_sources, replace
from tests.parity.reference import installed_torchgen

#: Takes the place of meta kernels that torch has in Python, whose errors are others under functionalization.
META = "RegisterMeta_0"
NAMES = (
    "RegisterBackendSelect",
    "RegisterZeroTensor_0",
    *(f"RegisterCPU_{shard}" for shard in range(4)),
    META,
    "RegisterCompositeExplicitAutogradNonFunctional_0",
    "RegisterCompositeExplicitAutograd_0",
    "RegisterCompositeImplicitAutograd_0",
    *(f"RegisterFunctionalization_{shard}" for shard in range(4)),
)


def build_all(torch: Path, folder: Path) -> dict[str, Path]:
    """All plug-ins, made one after the other, since one compiler may need 4 GB of memory."""
    built = {}
    for name in NAMES:
        start = time.monotonic()
        built[name] = build(torch, folder, name)
        print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)
    return built


def compare(sources: Iterable[Path], *options: str) -> bool:
    """Whether torch does the same with these plug-ins as without."""
    report = replace(list(sources), *options)
    print(json.dumps(report, indent=1), flush=True)
    return is_good(report)


def main(folder: Path) -> int:
    """Build in a folder and compare, with and without functionalization; the exit status."""
    root = installed_torchgen()
    if root is None:
        sys.exit("no torch is installed")
    if not (folder / "include" / "ATen").is_dir():
        make_sources(root / "torch", folder)
    built = build_all(root / "torch", folder)
    plain = compare(built.values())
    functionalized = compare((source for name, source in built.items() if name != META), "--functionalize")
    return 0 if plain and functionalized else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compare torch with and without generated kernels.")
    parser.add_argument("--generated", type=Path, metavar="FOLDER", help="compile what is in this folder")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(main((chosen.generated or Path(scratch)).absolute()))
