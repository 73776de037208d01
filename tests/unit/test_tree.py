"""Writing: only what differs, all or nothing per file, and a plain sentence when it cannot be done."""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opwright.output import tree
from opwright.output.tree import (
    ABANDONED,
    DIFF_LINES,
    Change,
    OutputTree,
    WriteError,
    Written,
    checksum,
    remove,
    stale,
    write_files,
)

OLD_TIME = 1_000_000_000
posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions or links")


def put(path: Path, text: str) -> Path:
    """A file whose time stamp lies far back, so that any write shows."""
    path.write_bytes(text.encode())
    os.utime(path, (OLD_TIME, OLD_TIME))
    return path


def is_touched(path: Path) -> bool:
    return path.stat().st_mtime != OLD_TIME


def add(path: Path, text: str, *, dry_run: bool = False) -> Written:
    return write_files([(path, text)], dry_run=dry_run)[0]


def refuse(*_: object, **__: object) -> NoReturn:
    """Stands for a call that the system denies."""
    raise PermissionError(errno.EACCES, "no")


def outcome(written: Written) -> tuple[Path, Change, int]:
    return written.path, written.change, written.size


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_a_new_file_is_created_with_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "c.h"
    assert outcome(add(path, "é\n")) == (path, Change.CREATED, 3)
    assert path.read_bytes() == "é\n".encode()
    assert names(tmp_path) == ["a", "a/b", "a/b/c.h"]


@pytest.mark.parametrize("text", ["", "one\ntwo\n"])
def test_an_equal_file_is_not_touched(tmp_path: Path, text: str) -> None:
    path = put(tmp_path / "a.h", text)
    assert outcome(add(path, text)) == (path, Change.UNCHANGED, len(text))
    assert not is_touched(path)


@pytest.mark.parametrize("old", ["", "one\ntwo", "one\nTwo\n", "one\r\ntwo\r\n", "one\ntwo\nthree\n"])
def test_a_different_file_is_replaced(tmp_path: Path, old: str) -> None:
    path = put(tmp_path / "a.h", old)
    assert outcome(add(path, "one\ntwo\n")) == (path, Change.CHANGED, 8)
    assert path.read_bytes() == b"one\ntwo\n"
    assert is_touched(path)
    assert names(tmp_path) == ["a.h"]


def test_files_are_written_in_order(tmp_path: Path) -> None:
    put(tmp_path / "b.h", "b")
    put(tmp_path / "c.h", "old")
    files = [(tmp_path / name, name[0]) for name in ("c.h", "sub/a.h", "b.h", "sub/c.h")]
    result = write_files(iter(files), dry_run=False)
    assert [written.path for written in result] == [path for path, _ in files]
    assert [written.change.value for written in result] == ["changed", "created", "unchanged", "created"]
    assert all(path.read_text(encoding="utf-8") == text for path, text in files)


def test_a_dry_run_says_what_would_change_and_touches_nothing(tmp_path: Path) -> None:
    put(tmp_path / "b.h", "b")
    put(tmp_path / "c.h", "old")
    files = [(tmp_path / name, name[0]) for name in ("c.h", "sub/a.h", "b.h")]
    before = tmp_path.stat().st_mtime_ns
    result = write_files(files, dry_run=True)
    assert [written.change for written in result] == [Change.CHANGED, Change.CREATED, Change.UNCHANGED]
    assert names(tmp_path) == ["b.h", "c.h"]
    assert (tmp_path / "c.h").read_text(encoding="utf-8") == "old"
    assert tmp_path.stat().st_mtime_ns == before


def test_the_same_path_twice_is_a_bug(tmp_path: Path) -> None:
    with OutputTree(dry_run=False) as outputs:
        outputs.add(tmp_path / "a.h", "1")
        with pytest.raises(ValueError, match=r"two outputs are called '.*a\.h'"):
            outputs.add(tmp_path / "." / "a.h", "1")


def test_nothing_is_seen_of_a_run_before_it_is_committed(tmp_path: Path) -> None:
    old = put(tmp_path / "a.h", "old")
    with OutputTree(dry_run=False) as outputs:
        outputs.add(old, "new")
        outputs.add(tmp_path / "sub" / "deep" / "b.h", "new")
        assert old.read_text(encoding="utf-8") == "old"
        outputs.commit()
        assert old.read_text(encoding="utf-8") == "new"
    assert names(tmp_path) == ["a.h", "sub", "sub/deep", "sub/deep/b.h"]


def test_a_run_that_is_not_committed_leaves_everything_as_it_was(tmp_path: Path) -> None:
    old = put(tmp_path / "a.h", "old")
    (tmp_path / "there").mkdir()
    with pytest.raises(KeyboardInterrupt), OutputTree(dry_run=False) as outputs:
        outputs.add(old, "new")
        outputs.add(tmp_path / "there" / "b.h", "new")
        outputs.add(tmp_path / "sub" / "deep" / "c.h", "new")
        raise KeyboardInterrupt
    assert names(tmp_path) == ["a.h", "there"]
    assert old.read_text(encoding="utf-8") == "old"
    assert not is_touched(old)


def test_folders_that_others_use_meanwhile_stay(tmp_path: Path) -> None:
    with OutputTree(dry_run=False) as outputs:
        outputs.add(tmp_path / "sub" / "deep" / "c.h", "new")
        put(tmp_path / "sub" / "theirs.h", "theirs")
    assert names(tmp_path) == ["sub", "sub/theirs.h"]


@pytest.mark.parametrize(
    ("data", "expected"), [(b"", "0-00000000"), (b"1", "1-83dcefb7"), (b"int a;\n" * 3, "15-3b9b909f")]
)
def test_checksums(data: bytes, expected: str) -> None:
    assert checksum(data) == expected


def test_copies_have_the_checksum_of_their_text(tmp_path: Path) -> None:
    text = "int a;\n" * 3
    files = [(tmp_path / name, content) for name, content in (("a", ""), ("b", text), ("c", text), ("d", "1"))]
    checksums = [one.checksum for one in write_files(files, dry_run=False)]
    assert checksums == ["0-00000000", "15-3b9b909f", "15-3b9b909f", "1-83dcefb7"]


def test_a_path_without_a_folder_is_written_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert add(Path("a.h"), "1").change is Change.CREATED
    assert names(tmp_path) == ["a.h"]


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
@pytest.mark.parametrize("call", ["write", "replace"])
def test_a_failure_midway_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, failure: BaseException
) -> None:
    path = put(tmp_path / "a.h", "old")

    def fail(*_: object) -> None:
        raise failure

    with monkeypatch.context() as patch, pytest.raises((WriteError, KeyboardInterrupt)) as caught:
        patch.setattr(os, call, fail)
        add(path, "new text")
    if isinstance(failure, OSError):
        assert str(caught.value) == "there is no space left on the disk"
        assert isinstance(caught.value, WriteError)
        assert caught.value.path == path.as_posix()
    else:
        assert isinstance(caught.value, KeyboardInterrupt)
    assert path.read_text(encoding="utf-8") == "old"
    assert not is_touched(path)
    assert names(tmp_path) == ["a.h"]


def test_a_short_write_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:3]))
        add(tmp_path / "a.h", "0123456789")
    assert (tmp_path / "a.h").read_text(encoding="utf-8") == "0123456789"


def test_a_short_read_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / "a.h", "0123456789")
    real = os.read
    with monkeypatch.context() as patch:
        patch.setattr(os, "read", lambda descriptor, size: real(descriptor, min(size, 3)))
        assert add(path, "0123456789").change is Change.UNCHANGED
    assert not is_touched(path)


def test_the_temporary_file_of_a_killed_run_is_no_obstacle(tmp_path: Path) -> None:
    leftover = tmp_path / f".opwright-{os.getpid()}-1.tmp"
    leftover.write_bytes(b"left")
    assert add(tmp_path / "a.h", "1").change is Change.CREATED
    assert names(tmp_path) == [leftover.name, "a.h"]
    assert leftover.read_bytes() == b"left"


def test_temporary_files_of_killed_runs_are_removed_when_they_are_old(tmp_path: Path) -> None:
    now = time.time()
    for name, age in ((".opwright-1-1.tmp", ABANDONED + 60), (".opwright-1-2.tmp", ABANDONED - 60), ("x.tmp", 9999)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (now - age, now - age))
    (tmp_path / ".opwright-2-1.tmp").mkdir()
    os.utime(tmp_path / ".opwright-2-1.tmp", (OLD_TIME, OLD_TIME))
    before = names(tmp_path)
    add(tmp_path / "a.h", "1", dry_run=True)
    assert names(tmp_path) == before
    add(tmp_path / "a.h", "1")
    assert names(tmp_path) == [".opwright-1-2.tmp", ".opwright-2-1.tmp", "a.h", "x.tmp"]


def test_removing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / "a.h", "1")
    remove(path)
    remove(path)
    assert names(tmp_path) == []
    with monkeypatch.context() as patch, pytest.raises(WriteError, match="access is denied"):
        patch.setattr(Path, "unlink", refuse)
        remove(path)


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_directory_in_the_way(tmp_path: Path, dry_run: bool) -> None:
    (tmp_path / "a.h").mkdir()
    with pytest.raises(WriteError, match="this is a directory, not a file") as caught:
        add(tmp_path / "a.h", "1", dry_run=dry_run)
    assert caught.value.path == (tmp_path / "a.h").as_posix()


@pytest.mark.parametrize("rest", ["a.h", "deep/er/a.h"])
def test_a_file_in_place_of_a_folder(tmp_path: Path, rest: str) -> None:
    blocker = put(tmp_path / "ops", "x")
    with pytest.raises(WriteError) as caught:
        add(blocker / rest, "1")
    assert caught.value.message == f"the folder for this file cannot be made: '{blocker.as_posix()}' is in the way"
    assert names(tmp_path) == ["ops"]


@posix_only
def test_a_pipe_is_refused(tmp_path: Path) -> None:
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe")
    with pytest.raises(WriteError, match="not a regular file"):
        add(tmp_path / "pipe", "1")


@posix_only
def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    assert add(tmp_path / ("n" * 255), "1").change is Change.CREATED
    with pytest.raises(WriteError, match="this name is too long for the file system"):
        add(tmp_path / ("n" * 256), "1")


def test_a_name_and_a_text_that_cannot_be_encoded(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="not a usable file name"):
        add(tmp_path / "a\0b", "1")
    with pytest.raises(WriteError, match=r"the character '\\ud800' of this file cannot be written as UTF-8"):
        add(tmp_path / "a.h", "a\ud800")
    assert names(tmp_path) == []


@posix_only
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="permissions do not bind the root user")
def test_permission_denied(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    path = put(folder / "a.h", "old")
    folder.chmod(0o555)
    try:
        for target in (path, folder / "new.h", folder / "sub" / "new.h"):
            with pytest.raises(WriteError, match="access is denied"):
                add(target, "new")
        assert names(folder) == ["a.h"]
    finally:
        folder.chmod(0o755)
    assert path.read_text(encoding="utf-8") == "old"


def test_permission_denied_by_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch, pytest.raises(WriteError, match="access is denied"):
        patch.setattr(os, "makedirs", refuse)
        add(tmp_path / "sub" / "a.h", "1")
    path = put(tmp_path / "b.h", "old")
    with monkeypatch.context() as patch, pytest.raises(WriteError, match="access is denied"):
        patch.setattr(os, "open", refuse)
        add(path, "new")
    assert path.read_text(encoding="utf-8") == "old"


def test_an_unknown_failure_is_still_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch, pytest.raises(WriteError, match="the system refuses this file: Input/output"):
        patch.setattr(os, "lstat", fail)
        add(tmp_path / "a.h", "1")


def test_an_unreadable_file_counts_as_different(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / "a.h", "same")
    real = os.open

    def refuse_reading(name: str, flags: int, mode: int = 0o777) -> int:
        if not flags & os.O_WRONLY:
            raise PermissionError(errno.EACCES, "no")
        return real(name, flags, mode)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse_reading)
        assert add(path, "same").change is Change.CHANGED
    assert is_touched(path)


@posix_only
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target = put(tmp_path / "real" / "target.h", "old")
    link = tmp_path / "link.h"
    link.symlink_to(Path("real") / "target.h")
    assert add(link, "new").change is Change.CHANGED
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"
    os.utime(target, (OLD_TIME, OLD_TIME))
    assert add(link, "new").change is Change.UNCHANGED
    assert not is_touched(target)


@posix_only
def test_a_link_to_nothing_makes_its_target(tmp_path: Path) -> None:
    link = tmp_path / "link.h"
    link.symlink_to("target.h")
    assert add(link, "new").change is Change.CREATED
    assert link.is_symlink()
    assert (tmp_path / "target.h").read_text(encoding="utf-8") == "new"


@posix_only
def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "link.h"
    link.symlink_to("link.h")
    with pytest.raises(WriteError, match="this symbolic link leads back to itself"):
        add(link, "new")


@posix_only
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_the_mode_of_a_new_file_is_the_usual_one(tmp_path: Path, mask: int) -> None:
    old = os.umask(mask)
    try:
        add(tmp_path / "a.h", "1")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a.h").stat().st_mode) == 0o666 & ~mask


@posix_only
@pytest.mark.parametrize("mode", [0o755, 0o600, 0o444, 0o666])
def test_the_mode_of_a_replaced_file_is_kept(tmp_path: Path, mode: int) -> None:
    path = put(tmp_path / "a.h", "old")
    path.chmod(mode)
    add(path, "new")
    assert path.read_text(encoding="utf-8") == "new"
    assert stat.S_IMODE(path.stat().st_mode) == mode


def numbered(count: int) -> list[str]:
    return [f"line {number}\n" for number in range(1, count + 1)]


def test_nothing_is_stale_when_all_is_equal(tmp_path: Path) -> None:
    path = put(tmp_path / "a.h", "same\n")
    assert stale([(path, "same\n")]) == []


def test_a_stale_file_is_shown_as_a_diff(tmp_path: Path) -> None:
    lines = numbered(100)
    path = put(tmp_path / "a.h", "".join(lines))
    lines[49:51] = ["changed\n"]
    ((found, diff),) = stale([(path, "".join(lines))])
    name = path.as_posix()
    assert found == path
    assert diff == (
        f"--- {name} (on disk)\n+++ {name} (generated)\n@@ -47,8 +47,7 @@\n line 47\n line 48\n line 49\n"
        "-line 50\n-line 51\n+changed\n line 52\n line 53\n line 54\n"
    )
    assert not is_touched(path)


def test_a_missing_file_is_stale(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "a.h"
    empty = tmp_path / "empty.h"
    (_, diff), (_, nothing) = stale([(path, "one\ntwo"), (empty, "")])
    assert diff.splitlines()[2:] == ["@@ -0,0 +1,2 @@", "+one", "+two", "\\ No newline at end of file"]
    assert nothing.splitlines()[2:] == ["there is no such file on disk"]
    assert names(tmp_path) == []


def test_a_long_diff_is_cut(tmp_path: Path) -> None:
    path = put(tmp_path / "a.h", "".join(numbered(100)))
    ((_, diff),) = stale([(path, "")])
    lines = diff.splitlines()
    assert lines[2:4] == ["@@ -1,100 +0,0 @@", "-line 1"]
    assert lines[-2:] == [f"-line {DIFF_LINES - 1}", f"... {101 - DIFF_LINES} more lines of diff"]
    assert len(lines) == 2 + DIFF_LINES + 1


def test_only_the_start_of_a_very_large_change_is_compared(tmp_path: Path) -> None:
    old = [f"line {number};\n" if number % 2 else "}\n" for number in range(60_000)]
    new = [line for number, line in enumerate(old) if number % 100 != 5 and number != 59_999]
    path = put(tmp_path / "a.h", "".join(old))
    ((_, diff),) = stale([(path, "".join(new))])
    lines = diff.splitlines()
    assert lines[2] == "@@ -3,7 +3,6 @@"
    assert [line for line in lines[3:-1] if line[0] in "+-"] == [f"-line {n};" for n in range(5, 505, 100)]
    assert lines[-1].startswith("... at least ")


def test_lines_that_are_only_further_down_are_not_shown_as_removed(tmp_path: Path) -> None:
    old = numbered(5_000)
    new = [*old[:5], *old[15:-1], "the end\n"]
    path = put(tmp_path / "a.h", "".join(old))
    ((_, diff),) = stale([(path, "".join(new))])
    lines = diff.splitlines()
    assert [line for line in lines[3:-1] if line[0] in "+-"] == [f"-line {n}" for n in range(6, 16)]
    assert lines[-1] == "... at least 1 more lines of diff"


def test_frequent_lines_do_not_spoil_a_diff(tmp_path: Path) -> None:
    old = [line for n in range(400) for line in (f"f{n * 7 % 50}();\n", "}\n")]
    new = [line for number, line in enumerate(old) if number not in (20, 700)]
    ((_, diff),) = stale([(put(tmp_path / "a.h", "".join(old)), "".join(new))])
    assert [line for line in diff.splitlines()[2:] if line[0] in "@+-"] == [
        "@@ -18,7 +18,6 @@",
        f"-f{10 * 7 % 50}();",
        "@@ -698,7 +697,6 @@",
        f"-f{350 * 7 % 50}();",
    ]


def test_other_line_ends_on_disk_are_named(tmp_path: Path) -> None:
    path = put(tmp_path / "a.h", "one\r\ntwo\r\n")
    ((_, diff),) = stale([(path, "one\ntwo\n")])
    assert diff.splitlines()[2:] == ["only the line ends differ: CR LF on disk, LF generated"]


def test_bytes_that_are_no_text_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "a.h"
    path.write_bytes(b"a\xff\n")
    ((_, diff),) = stale([(path, "a\n")])
    assert diff.splitlines()[3:] == ["-a\\xff", "+a"]
    ((_, diff),) = stale([(path, "a\\xff\n")])
    assert diff.splitlines()[2:] == ["only bytes that are not UTF-8 differ"]


def test_a_check_refuses_what_cannot_be_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.h").mkdir()
    with pytest.raises(WriteError, match="this is a directory"):
        stale([(tmp_path / "a.h", "")])
    path = put(tmp_path / "b.h", "x")
    with monkeypatch.context() as patch, pytest.raises(WriteError, match="access is denied"):
        patch.setattr(os, "open", refuse)
        stale([(path, "y")])


def patched(old: list[str], diff: list[str]) -> list[str]:
    """`old` after the unified diff, whose context and removed lines must be found where it says."""
    result: list[str] = []
    position = 0
    for line in diff:
        if line.startswith("@@"):
            first, _, count = line.split()[1][1:].partition(",")
            start = int(first) - (count != "0")
            result += old[position:start]
            position = start
        elif line[0] == "+":
            result.append(line[1:])
        else:
            assert old[position] == line[1:]
            position += 1
            if line[0] == " ":
                result.append(line[1:])
    return result + old[position:]


some_lines = st.lists(st.sampled_from(["}\n", "a\n", "b\n", "\n"]), max_size=30)


@given(some_lines, some_lines, some_lines, some_lines)
def test_a_diff_leads_from_old_to_new(head: list[str], old: list[str], new: list[str], tail: list[str]) -> None:
    before, after = [*head, *old, *tail], [*head, *new, *tail]
    diff, complete = tree._diff_lines(before, after)
    assert complete
    assert patched(before, diff) == after
    assert (diff == []) == (before == after)
