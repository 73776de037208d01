"""What is generated for PyTorch's real operators runs inside a stock PyTorch, in the place of its own kernels.

Some of the registration files; `python -m tests.cpp.plugins` takes all that can be. Compiling takes a minute.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cpp.plugins.build import build, is_good, make_sources, replace

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("compiler")]


@pytest.fixture(scope="module")
def sources(torch: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the generated C++."""
    folder = tmp_path_factory.mktemp("plugins")
    make_sources(torch, folder)
    return folder


def check(report: dict[str, Any], kernels: int, called: int) -> None:
    """Nothing differs, and enough was compared: so many kernels at least, of which the samples call so many."""
    assert is_good(report), report
    assert sum(counts["registered"] for counts in report["files"].values()) >= kernels
    assert sum(counts["called"] for counts in report["files"].values()) >= called
    assert report["operators"] > 650
    assert report["results"] > 20000


def test_kernels(torch: Path, sources: Path) -> None:
    names = ("RegisterBackendSelect", "RegisterZeroTensor_0", "RegisterCPU_0")
    check(replace([build(torch, sources, name) for name in names]), kernels=300, called=200)


def test_functionalization(torch: Path, sources: Path) -> None:
    plugin = build(torch, sources, "RegisterFunctionalization_0")
    check(replace([plugin], "--functionalize"), kernels=300, called=100)
