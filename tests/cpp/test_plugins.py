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


def total(report: dict[str, Any], what: str) -> int:
    """How many kernels of all files there are of which this is true."""
    return sum(counts[what] for counts in report["files"].values())


def test_kernels(torch: Path, sources: Path) -> None:
    names = ("RegisterBackendSelect", "RegisterZeroTensor_0", "RegisterCPU_0")
    report = replace([build(torch, sources, name) for name in names])
    assert is_good(report), report
    assert total(report, "registered") >= 300
    assert total(report, "called") >= 200
    assert report["operators"] > 650
    assert report["results"] > 20000


def test_functionalization(torch: Path, sources: Path) -> None:
    report = replace([build(torch, sources, "RegisterFunctionalization_0")], "--functionalize")
    assert is_good(report), report
    assert total(report, "registered") >= 300
    assert total(report, "called") >= 100
    assert report["operators"] > 650
    assert report["results"] > 20000
