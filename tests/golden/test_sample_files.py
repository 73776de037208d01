"""Every file that is made of the sample with one header for all operators, against the copies in tests/golden/sample.

`OPWRIGHT_UPDATE_GOLDEN=1` rewrites the copies.
"""

from __future__ import annotations

import os
from pathlib import Path

from opwright.diagnostics import Diagnostics
from opwright.locate import SAMPLE
from opwright.options import GenOptions
from opwright.output.tree import stale, write_files
from opwright.pipeline import generate
from opwright.reading import read_model, read_shims
from tests.releases import SAMPLES

GOLDEN = Path(__file__).parent / "sample"
SHIMS = Path(__file__).with_name("sample_shims.yaml")


def sample_files() -> list[tuple[Path, str]]:
    """The files of the sample with their places among the golden copies."""
    faults = Diagnostics()
    model = read_model(SAMPLE / "native" / "native_functions.yaml", SAMPLE / "native" / "tags.yaml", SAMPLES, faults)
    assert model is not None and not faults.items
    shims = read_shims(SHIMS, model, faults)
    files = list(generate(model, GenOptions(shims=shims), SAMPLE / "templates", faults))
    assert not faults.items
    return [(GOLDEN / file.path, file.text) for file in files]


def test_sample_files() -> None:
    files = sample_files()
    if os.environ.get("OPWRIGHT_UPDATE_GOLDEN") == "1":
        write_files(files, dry_run=False)
    differing = stale(files)
    assert not differing, "\n".join(diff for _, diff in differing)


def test_no_file_is_left_over() -> None:
    there = {path for path in GOLDEN.rglob("*") if path.is_file()}
    assert there == {path for path, _ in sample_files()}


def test_no_line_ends_in_white_space() -> None:
    ends = [(path.name, line) for path, text in sample_files() for line in text.split("\n") if line != line.rstrip()]
    assert not ends
