"""Records of runs, and what they rest on: looking again, and the digests of what was really read."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opwright.inputs import UNSTEADY, Inputs
from opwright.looks import digest, is_same, look
from opwright.output import record as records
from opwright.output.record import (
    TICK,
    Record,
    Stamps,
    forget_records,
    fresh_record,
    parsed,
    record_text,
    wait_for_clock,
)
from opwright.output.tree import write_files
from opwright.source import UnreadableError
from opwright.values import field_names

COMMAND = {"opwright": ["1", "here"], "options": {"steps": ["headers"], "release": None, "mps": False}}


def sample_record(folder: Path, **changes: object) -> Record:
    """The record of a run that made one file, whose text is `made`."""
    (written,) = write_files([(folder / "a.h", "made")], dry_run=False)
    parts: dict[str, object] = {
        "command": COMMAND,
        "folder": str(folder),
        "shown": "out",
        "steps": ["headers"],
        "sights": {"exists": {str(folder): True}},
        "files": [[str(written.path)], [written.size], [written.time]],
        "beside": [[], [], []],
        "kept": [[], [], []],
        "absent": ["b.h"],
        "left": [],
        "said": [[0, True, "é \x1b[1mwarning\x1b[0m\n"]],
        **changes,
    }
    return Record(**parts)  # type: ignore[arg-type]


def keep(record: Record) -> None:
    wait_for_clock(record.files[2])
    write_files([(Path(record.path), record_text(record))], dry_run=False)


def same(one: Record, other: Record) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in field_names(Record))


class TestRecord:
    def test_text(self, tmp_path: Path) -> None:
        record = sample_record(tmp_path)
        text = record_text(record)
        assert text.isascii()
        found = parsed(text.encode())
        assert found is not None and same(found, record)

    @given(st.data())
    def test_no_other_bytes_are_a_record(self, data: st.DataObject) -> None:
        text = TEXT
        at = data.draw(st.integers(0, len(text)))
        stop = data.draw(st.integers(at, min(len(text), at + 40)))
        changed = text[:at] + data.draw(st.binary(max_size=20)) + text[stop:]
        found = parsed(changed)
        assert (found is None) == (changed != text)

    def test_it_is_fresh_until_something_changes(self, tmp_path: Path) -> None:
        folder = str(tmp_path)
        assert fresh_record(folder, COMMAND) is None
        keep(sample_record(tmp_path))
        assert fresh_record(folder, COMMAND) is not None
        assert fresh_record(folder, {**COMMAND, "options": {}}) is None
        (tmp_path / "b.h").touch()
        assert fresh_record(folder, COMMAND) is None
        (tmp_path / "b.h").unlink()
        assert fresh_record(folder, COMMAND) is not None
        os.utime(tmp_path / "a.h", (1, 1))
        assert fresh_record(folder, COMMAND) is None

    def test_one_of_another_command_under_its_name(self, tmp_path: Path) -> None:
        record = sample_record(tmp_path, command={"other": 1})
        Path(records.record_path(str(tmp_path), COMMAND)).write_text(record_text(record), encoding="utf-8")
        assert fresh_record(str(tmp_path), COMMAND) is None

    def test_what_is_left_over_must_stay(self, tmp_path: Path) -> None:
        (tmp_path / "old.h").touch()
        keep(sample_record(tmp_path, left=["old.h"]))
        assert fresh_record(str(tmp_path), COMMAND) is not None
        (tmp_path / "old.h").unlink()
        assert fresh_record(str(tmp_path), COMMAND) is None

    def test_an_output_that_is_not_older_than_the_record(self, tmp_path: Path) -> None:
        """It may have been changed in the same tick of the clock, after it was looked at."""
        record = sample_record(tmp_path)
        keep(record)
        (written,) = record.files[2]
        os.utime(record.path, ns=(written + 1, written + 1))
        assert fresh_record(str(tmp_path), COMMAND) is not None
        os.utime(record.path, ns=(written, written))
        assert fresh_record(str(tmp_path), COMMAND) is None

    def test_a_folder_in_place_of_an_output(self, tmp_path: Path) -> None:
        (tmp_path / "d").mkdir()
        status = (tmp_path / "d").stat()
        keep(sample_record(tmp_path, beside=[[str(tmp_path / "d")], [status.st_size], [status.st_mtime_ns]]))
        assert fresh_record(str(tmp_path), COMMAND) is None

    def test_writing_over_what_another_run_writes(self, tmp_path: Path) -> None:
        """The time of a file is taken as it is written, so that of another run's is not taken for it."""
        record = sample_record(tmp_path)
        wait_for_clock(record.files[2])
        write_files([(tmp_path / "a.h", "else")], dry_run=False)
        keep(record)
        assert fresh_record(str(tmp_path), COMMAND) is None

    def test_forgetting(self, tmp_path: Path) -> None:
        for number, steps in enumerate((["headers"], ["sources"], ["headers", "sources"])):
            keep(sample_record(tmp_path, steps=steps, command={"number": number}))
        damaged = tmp_path / ".opwright-run-x.json"
        damaged.write_bytes(b"{")
        (tmp_path / ".opwright-headers.json").touch()
        forget_records(str(tmp_path), ["headers"])
        left = sorted(path.name for path in tmp_path.iterdir())
        assert left == [".opwright-headers.json", Path(records.record_path(str(tmp_path), {"number": 1})).name, "a.h"]
        forget_records(str(tmp_path / "none"), ["headers"])

    def test_waiting(self, monkeypatch: pytest.MonkeyPatch) -> None:
        slept: list[float] = []
        monkeypatch.setattr(time, "sleep", slept.append)
        monkeypatch.setattr(time, "time_ns", lambda: 1_000 * TICK)
        for changed in ([], [999 * TICK - 1], [1_000 * TICK, 5], [2_000 * TICK]):
            wait_for_clock(changed)
        assert slept == [TICK / 1_000_000_000]


NO_FILES: Stamps = ([], [], [])
TEXT = record_text(
    Record(
        command=COMMAND,
        folder="out",
        shown="out",
        steps=["headers"],
        sights={"content": {"x": None}},
        files=NO_FILES,
        beside=NO_FILES,
        kept=NO_FILES,
        absent=[],
        left=[],
        said=[(0, True, "é")],
    )
).encode()


class TestLooks:
    def test_kinds(self, tmp_path: Path) -> None:
        file = tmp_path / "a.txt"
        file.write_bytes(b"x")
        assert look("content", str(file)) == digest(b"x")
        assert (look("content", str(tmp_path)), look("content", "a\0b")) == (None, None)
        assert look("names", str(tmp_path)) == ["a.txt"]
        assert look("names", str(file)) is None
        assert [look(kind, str(tmp_path)) for kind in ("exists", "is_file", "is_folder")] == [True, False, True]
        packages = look("package", "opwright")
        assert isinstance(packages, list) and Path(packages[0], "looks.py").is_file()
        assert look("package", "no_such_package") == []

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes on this system")
    def test_a_pipe_is_not_read(self, tmp_path: Path) -> None:
        """It could be read once only, and the run that follows needs it."""
        os.mkfifo(tmp_path / "pipe")
        assert look("content", str(tmp_path / "pipe")) is None

    def test_cpp_files(self, tmp_path: Path) -> None:
        for name in ("b.cpp", "a/z.h", "a-b.cu", "notes.txt", ".git/x.cc"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).touch()
        (tmp_path / "folder.h").mkdir()
        found = look("cpp_files", str(tmp_path))
        assert isinstance(found, list)
        names = [Path(path).relative_to(tmp_path).as_posix() for path in found]
        assert names == [".git/x.cc", "a/z.h", "a-b.cu", "b.cpp"]

    def test_stamps(self, tmp_path: Path) -> None:
        (tmp_path / "a.py").touch()
        before = look("stamps", str(tmp_path))
        assert look("stamps", str(tmp_path)) == before
        os.utime(tmp_path / "a.py", (1, 1))
        assert look("stamps", str(tmp_path)) != before
        assert not is_same({"stamps": {"none": look("stamps", "none")}}), "what cannot be looked at is not the same"

    def test_a_kind_that_there_is_not(self) -> None:
        with pytest.raises(KeyError):
            is_same({"smell": {"x": True}})


class TestInputs:
    def test_what_was_read_counts(self, tmp_path: Path) -> None:
        file, inputs = tmp_path / "a.yaml", Inputs()
        file.write_text("x: 1\n", encoding="utf-8")
        assert inputs.read(file).text == "x: 1\n"
        assert inputs.paths == [file]
        assert is_same(inputs.sights)
        file.write_text("x: 2\n", encoding="utf-8")
        assert not is_same(inputs.sights)
        inputs.read(file)
        assert inputs.sights["content"] == {str(file): UNSTEADY}

    def test_what_is_not_there_counts_too(self, tmp_path: Path) -> None:
        file, inputs = tmp_path / "a.yaml", Inputs()
        with pytest.raises(UnreadableError):
            inputs.read(file)
        assert (inputs.peek(file), inputs.exists(file), inputs.is_file(file)) == (None, False, False)
        assert inputs.source(file) is file
        assert inputs.names("names", tmp_path / "none") == []
        assert is_same(inputs.sights)
        file.touch()
        assert not is_same(inputs.sights)
