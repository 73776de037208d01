"""What reading a file reports."""

from __future__ import annotations

from pathlib import Path

from opwright.diagnostics import Diagnostics
from opwright.reading import read_document


def test_every_reading_of_an_empty_file_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "empty.yaml"
    path.touch()
    faults = Diagnostics()
    assert read_document(path, faults) is None
    assert read_document(path, faults) is None
    assert [item.code for item in faults.items] == ["empty-file", "empty-file"]
