"""What the tests of this folder share: where libtorch is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.parity.checks import installed_or_skip


@pytest.fixture(scope="session")
def torch() -> Path:
    """The folder of the installed torch, which is not imported; skips where there is none, or no compiler."""
    if shutil.which("g++") is None:
        pytest.skip("there is no g++")
    folder = installed_or_skip() / "torch"
    if not (folder / "include" / "ATen" / "Tensor.h").is_file():
        pytest.skip("the installed torch has no headers")
    return folder
