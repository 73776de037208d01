"""Plug-ins of PyTorch's real operators: registration files as shared libraries that replace torch's own kernels.

In: the installed torch; a folder with `include/ATen`, generated with headers by operator. Out: beside each registration
file a plug-in, and what `replace.py` says after loading some of them into a torch.

    make_sources(torch, folder)
    plugins = [build(torch, folder, name) for name in ("RegisterCPU_0", "RegisterCPU_1")]
    replace(plugins)["differing"] == []
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.cpp.toolchain import FUNCTIONALIZATION_SHIM, generate, link_library, run
from tests.parity.reference import packaged_source

HERE = Path(__file__).parent
NATIVE_SHIM = HERE / "native_shim.cpp"
#: For the start of a file's name, the C++ file with functions that libtorch has and does not export.
SHIMS = {
    "RegisterFunctionalization": FUNCTIONALIZATION_SHIM,
    "RegisterCompositeExplicitAutograd_": NATIVE_SHIM,
    "RegisterCompositeImplicitAutograd_": NATIVE_SHIM,
}
#: Plug-ins with one of these can only be compared without the operators that call what the shim does not do.
UNDONE = {NATIVE_SHIM: ("nn.functional.rms_norm",)}


def make_sources(torch: Path, folder: Path) -> None:
    """Generate PyTorch's operators into `include/ATen` in `folder`."""
    generate(packaged_source(torch.parent), "include/ATen", folder, "--per-operator-headers")


def shims(name: str) -> list[Path]:
    """The shims that a registration file needs."""
    return [shim for start, shim in SHIMS.items() if name.startswith(start)]


def build(torch: Path, folder: Path, name: str) -> Path:
    """Compile and link one registration file as a plug-in; the file. Takes up to 4 GB of memory."""
    source = folder / "include" / "ATen" / f"{name}.cpp"
    sources = [str(source), *map(str, shims(name))]
    link_library(torch, folder, str(source.with_suffix(".so")), "-DAT_PER_OPERATOR_HEADERS", *sources)
    return source


def replace(sources: Sequence[Path], *options: str) -> dict[str, Any]:
    """Load the plug-ins of these files into a torch, compare its results before and after; the report."""
    skipped = {operator for source in sources for shim in shims(source.stem) for operator in UNDONE.get(shim, ())}
    command = [sys.executable, str(HERE / "replace.py"), *options, "--skip", *sorted(skipped), "--"]
    report: dict[str, Any] = json.loads(run([*command, *map(str, sources)], HERE))
    return report


def is_good(report: dict[str, Any]) -> bool:
    """Whether every kernel took the place of torch's, no result differs, and a difference would have been noticed."""
    whole = all(counts["replaced"] == counts["registered"] > 0 for counts in report["files"].values())
    return whole and not report["differing"] and report["notices a broken kernel"] is True
