"""Opwright set to an older PyTorch release makes the files of that release's torchgen."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from opwright.releases import find_release
from tests.parity.checks import MODES, check_all, fetched_or_skip
from tests.parity.reference import packaged_source
from tests.parity.subset import write_subset

RELEASES = pytest.mark.parametrize(("version", "release"), [("2.0.1", "2.0.1"), ("2.1.2", "2.1")])


def unordered_files(release: str) -> Collection[str]:
    """The files of a release in which the order of some lists changes from run to run."""
    found = find_release(release)
    assert found is not None
    return found.unordered_files


@RELEASES
@MODES
def test_packaged_operators(version: str, release: str, mode: Sequence[str], tmp_path: Path) -> None:
    root = fetched_or_skip(version)
    check_all(root, packaged_source(root), tmp_path, mode, release=release, braces_as_sets=unordered_files(release))


@RELEASES
def test_part_of_the_operators(version: str, release: str, tmp_path: Path) -> None:
    root = fetched_or_skip(version)
    source = write_subset(packaged_source(root), tmp_path / "source", 150, seed=5)
    check_all(root, source, tmp_path / "out", release=release, braces_as_sets=unordered_files(release))
