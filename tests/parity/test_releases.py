"""Opwright set to an older PyTorch release makes the files of that release's torchgen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.parity.checks import MODES, check_all, fetched_or_skip
from tests.parity.reference import packaged_source
from tests.parity.subset import write_subset

# The reference of 2.0 lists the tags of an operator in an order that changes with the seed of Python's hashes.
UNORDERED = {"2.0.1": ("RegisterSchema.cpp",)}
RELEASES = pytest.mark.parametrize(("version", "release"), [("2.0.1", "2.0.1"), ("2.1.2", "2.1")])


@RELEASES
@MODES
def test_packaged_operators(version: str, release: str, mode: Sequence[str], tmp_path: Path) -> None:
    root = fetched_or_skip(version)
    unordered = UNORDERED.get(version, ())
    check_all(root, packaged_source(root), tmp_path, mode, release=release, braces_as_sets=unordered)


@RELEASES
def test_part_of_the_operators(version: str, release: str, tmp_path: Path) -> None:
    root = fetched_or_skip(version)
    unordered = UNORDERED.get(version, ())
    source = write_subset(packaged_source(root), tmp_path / "source", 150, seed=5)
    check_all(root, source, tmp_path / "out", release=release, braces_as_sets=unordered)
