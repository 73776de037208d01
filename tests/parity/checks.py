"""What the comparisons with a reference have in common: run Opwright as a user would, compare, and say what differs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import pytest

from opwright.compare.differences import file_difference
from tests.parity.reference import fetched_torchgen, installed_torchgen, installed_version, run_torchgen
from tests.program import environment, outputs

INSTALLED_RELEASE = "2.13"
#: Of so many files that differ, the difference is shown.
SHOWN = 3
MODES = pytest.mark.parametrize("mode", [(), ("--per-operator-headers",)], ids=["aggregated", "per-operator"])


def installed_or_skip() -> Path:
    """The root of the installed reference; skips the test if it is not there or of another release."""
    root, version = installed_torchgen(), installed_version()
    if version is None:
        pytest.skip("no torch is installed, so there is no torchgen to compare with")
    assert root is not None, f"torch {version} is installed, but its torchgen is not found"
    if not version.startswith(f"{INSTALLED_RELEASE}."):
        pytest.skip(f"the installed torch is {version}, these tests compare with {INSTALLED_RELEASE}")
    return root


def fetched_or_skip(version: str) -> Path:
    """The root of a fetched reference; skips the test if it is not there."""
    root = fetched_torchgen(version)
    if root is None:
        pytest.skip(f"torchgen {version} is not there; get it with: python tests/parity/fetch.py")
    return root


def run_opwright(source: Path, out_dir: Path, options: Sequence[str] = ()) -> Path:
    """Generate into `out_dir`, and return it. The test fails if the program does."""
    command = [sys.executable, "-m", "opwright", "gen", "-s", str(source), "-d", str(out_dir), "--everything", *options]
    out_dir.mkdir(parents=True, exist_ok=True)
    # Shims go into a folder below the current one when no other is given.
    done = subprocess.run(command, cwd=out_dir.parent, capture_output=True, text=True, env=environment(), check=False)
    if done.returncode:
        pytest.fail(f"exit status {done.returncode} of {' '.join(command)}\n{(done.stdout + done.stderr)[-3000:]}")
    return out_dir


def check_files(expected: Path, actual: Path, names: Iterable[str], braces_as_sets: Collection[str] = ()) -> None:
    """Fail, showing the first differences, unless the named files say the same in both folders."""
    names = list(names)
    assert names, "the reference made none of the files to compare"
    differences = [
        f"{name}: {found}"
        for name in names
        if (found := difference(expected / name, actual / name, braces_as_sets=name in braces_as_sets))
    ]
    if differences:
        counted = f"{len(differences)} file(s) differ from the reference"
        pytest.fail("\n".join([counted, *differences[:SHOWN]]), pytrace=False)


def difference(expected: Path, actual: Path, *, braces_as_sets: bool) -> str:
    """What differs first in a file; empty when both say the same."""
    if not actual.is_file():
        return "is missing"
    return str(file_difference(expected, actual, braces_as_sets=braces_as_sets) or "")


def check_all(
    root: Path,
    source: Path,
    out_dir: Path,
    options: Sequence[str] = (),
    *,
    release: str | None = None,
    own_options: Sequence[str] = (),
    braces_as_sets: Collection[str] = (),
) -> None:
    """Compare all files that Opwright makes from `source` with those of the reference in `root`.

    `options` go to both programs, `own_options` to Opwright alone, and `release` is what it is told to reproduce,
    instead of finding it. A file of Opwright's that the reference does not make is a failure too.
    """
    expected = run_torchgen(root, source, options)
    chosen = ["--release", release] if release else []
    if (expected / "aoti").is_dir():
        chosen += ["--aoti-install-dir", str(out_dir / "aoti")]
    actual = run_opwright(source, out_dir, [*chosen, *own_options, *options])
    names = sorted(outputs(expected))
    check_files(expected, actual, names, braces_as_sets)
    surplus = sorted(outputs(actual).keys() - set(names))
    assert not surplus, f"not made by the reference: {surplus[:10]}"
