"""Files on disk: compared first, written only when they differ, and never left half written.

In: paths and finished texts, one file at a time, so that a text can be freed once it is written. Out: what happened to
each file, or, for a check, what would change as a diff. A file that is already right is not touched, so its time stamp
stays and a build does not start over.

    write_files([(Path("out/ops/add.h"), "#pragma once\\n")], dry_run=False)
        ->  [Written(name="out/ops/add.h", change=Change.CREATED, size=13, ...)]
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path
from types import TracebackType
from zlib import crc32

from opwright.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn, Protocol
else:
    Protocol = object

#: A diff shows at most this many lines per file.
DIFF_LINES = 40

#: What the names of files start with that Opwright keeps for itself beside its outputs.
HIDDEN = ".opwright-"

#: A temporary file lives as long as a run. One of this age, in seconds, belongs to a run that was killed.
ABANDONED = 600

# Lines on each side of a change that are shown for orientation.
_CONTEXT = 3

# The time of a comparison by lines grows with the product of the line counts. Where both texts have more lines than
# this between their first and last difference, only that many of each are compared: what is shown is short anyway.
_DIFF_WINDOW = 1000

# Without this flag Windows would turn `\n` into `\r\n`.
_BINARY = getattr(os, "O_BINARY", 0)
_READ = os.O_RDONLY | _BINARY
_WRITE_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY


class Output(Protocol):
    """A file that is made, or only planned: the part of both that says what it is."""

    @property
    def path(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def is_umbrella(self) -> bool: ...


class OutputFile(Value):
    """A finished file: `path` relative to the install folder, with `/`, and its whole text with `\\n` line ends.

    `family` names the list of files that it belongs to; an umbrella copy of sharded files is in none. A file that is
    checked in must already be on disk as it is here, and is not written. `step` is the kind of files that a run may be
    asked for alone.
    """

    path: str
    text: str
    family: str = "general"
    is_umbrella: bool = False
    is_checked_in: bool = False
    step: str = ""


class Change(Enum):
    """What a run did, or in a dry run would do, to a file."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


#: Looked up once: an enumeration takes as long to find a member as two calls.
_CREATED, _CHANGED, _UNCHANGED = Change.CREATED, Change.CHANGED, Change.UNCHANGED


class Written(Value):
    """The outcome for one file; `name` is its path as text, and `size` that of the new content, in bytes.

    `checksum` tells that content from others. `time` is when the content was last changed, in nanoseconds: as it was
    written, or as it was seen before it was compared. It is 0 for what a dry run has not written.
    """

    name: str
    change: Change
    size: int
    checksum: str
    time: int = 0

    @property
    def path(self) -> Path:
        return Path(self.name)

    @property
    def shown(self) -> str:
        """The path with `/` on every system."""
        return self.name.replace(os.sep, "/")


class WriteError(Exception):
    """An output that cannot be written or compared; the message is a plain sentence about `path`."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.message = message


def checksum(data: bytes) -> str:
    """What tells the content of a file from what somebody has made of it: its size and its CRC-32, in hexadecimal."""
    return "%x-%08x" % (len(data), crc32(data))  # noqa: UP031 - this is done for thousands of files


class OutputTree:
    """Takes the files of one run one by one, and puts all of them in place with `commit`.

    Until then, and for good when the `with` block is left without it, what was there stays, whatever happens. With
    `dry_run` nothing on disk is touched, folders included.
    """

    __slots__ = ("_checksum", "_dry_run", "_folders", "_made_folders", "_seen", "_serial", "_text", "_waiting")

    def __init__(self, *, dry_run: bool) -> None:
        self._dry_run = dry_run
        #: The folders that have been written to, and what the names of temporary files in them start with.
        self._folders: dict[str, str] = {}
        self._made_folders: dict[str, None] = {}
        self._seen: set[str] = set()
        self._serial = 0
        #: What waits to be put in place: the temporary file, its place, and how that is called.
        self._waiting: list[tuple[str, str, str]] = []
        #: The last text, which an umbrella copy may have too, and its checksum.
        self._text, self._checksum = "", checksum(b"")

    def __enter__(self) -> OutputTree:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._abandon()

    def add(self, path: Path | str, text: str) -> Written:
        """Have the file at `path` hold `text` as UTF-8 once `commit` is called; missing folders are made.

        A file that differs is replaced as a whole. It keeps its permissions, and a symbolic link stays a link to the
        replaced file. That only files that differ are written is the rule of torchgen.

        Raises `WriteError` when this cannot be done, and ValueError when this tree has been given `path` before: two
        artifacts that want the same file are a bug.
        """
        data = _encode(path, text)
        if text is not self._text:
            self._text, self._checksum = text, checksum(data)
        return self._put(path, data, self._checksum)

    def put(self, path: Path | str, data: bytes) -> Written:
        """Have the file at `path` hold `data`, as `add` does with text."""
        return self._put(path, data, checksum(data))

    def _put(self, path: Path | str, data: bytes, held: str) -> Written:
        name = os.fspath(path)
        key = os.path.normcase(name)
        if key in self._seen:
            raise ValueError(f"two outputs are called '{Path(name).as_posix()}'")
        self._seen.add(key)
        folder = name.rpartition(os.sep)[0] or os.path.dirname(name)  # noqa: PTH120 - for the root of a file system
        # In a folder that was made for this run there is nothing yet.
        target, status = (name, None) if folder in self._made_folders else _look(name)
        if status is None:
            change = _CREATED
        elif _holds(target, status, data):
            return Written(name, _UNCHANGED, len(data), held, status.st_mtime_ns)
        else:
            change = _CHANGED
        if self._dry_run:
            return Written(name, change, len(data), held)
        if target != name:
            folder = os.path.dirname(target)  # noqa: PTH120
        written = self._write(name, target, folder, data, None if status is None else stat.S_IMODE(status.st_mode))
        return Written(name, change, len(data), held, written)

    def commit(self) -> None:
        """Put all files in place, in their order. Raises `WriteError` for the first that cannot be, and stops there."""
        for temporary, target, name in self._waiting:
            try:
                os.replace(temporary, target)  # noqa: PTH105
            except OSError as error:
                _fail(name, error)
        self._waiting.clear()
        self._made_folders.clear()

    def _abandon(self) -> None:
        # Removes what waits, and the folders that were made for it.
        for temporary, _, _ in self._waiting:
            with suppress(OSError):
                os.unlink(temporary)  # noqa: PTH108
        for folder in reversed(self._made_folders):
            with suppress(OSError):  # it holds something by now
                os.rmdir(folder)  # noqa: PTH106
        self._waiting.clear()
        self._made_folders.clear()

    def _prepare(self, name: str, folder: str) -> str:
        # Makes the folder of a file, and gives what the names of temporary files in it start with.
        missing = []
        above = folder
        while above and not os.path.lexists(above):
            missing.append(above)
            above = os.path.dirname(above)  # noqa: PTH120
        try:
            os.makedirs(folder or os.curdir, exist_ok=True)  # noqa: PTH103
        except OSError as error:
            _fail(name, error)
        self._made_folders.update(dict.fromkeys(reversed(missing)))
        _sweep(folder or os.curdir)
        start = self._folders[folder] = os.path.join(folder, f"{HIDDEN}{os.getpid()}-")  # noqa: PTH118
        return start

    def _write(self, name: str, target: str, folder: str, data: bytes, mode: int | None) -> int:
        # Writes the temporary file, and gives its time. That is asked for before anybody else can write to the file.
        temporary = None
        try:
            descriptor, temporary = self._open_temporary(name, folder)
            try:
                if mode is not None and hasattr(os, "fchmod"):
                    with suppress(OSError):  # some file systems have no permissions to keep
                        os.fchmod(descriptor, mode)
                written = os.write(descriptor, data)
                while written < len(data):
                    written += os.write(descriptor, memoryview(data)[written:])
                time = os.fstat(descriptor).st_mtime_ns
            finally:
                os.close(descriptor)
            self._waiting.append((temporary, target, name))
            return time
        except BaseException as error:  # an interrupt too must not leave the temporary file
            if temporary is not None:
                with suppress(OSError):
                    os.unlink(temporary)  # noqa: PTH108
            if isinstance(error, OSError):
                _fail(name, error)
            raise

    def _open_temporary(self, name: str, folder: str) -> tuple[int, str]:
        # Beside the target, so that the final rename stays within one file system. Not `tempfile`: its files are
        # private (0600), while a new output gets the usual permissions. The name does not contain the target's, which
        # may be as long as names can be. Nothing here makes a Path: for thousands of files that would cost the most.
        start = self._folders.get(folder)
        if start is None:
            start = self._prepare(name, folder)
        while True:
            self._serial += 1
            temporary = f"{start}{self._serial}.tmp"
            try:
                return os.open(temporary, _WRITE_NEW, 0o666), temporary
            except FileExistsError:  # left behind by a process that was killed, or of one on another machine
                continue


def write_files(files: Iterable[tuple[Path, str]], *, dry_run: bool) -> list[Written]:
    """Write `files`, in their order, all or none, as `OutputTree` does, and raise what it raises."""
    with OutputTree(dry_run=dry_run) as tree:
        written = [tree.add(path, text) for path, text in files]
        tree.commit()
    return written


def remove(path: Path) -> None:
    """Remove a file, if it is still there. Raises `WriteError` when it stays."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        _fail(os.fspath(path), error)


def stale(files: Iterable[tuple[Path, str]], *, any_line_ends: bool = False) -> list[tuple[Path, str]]:
    """The files that are missing or differ on disk, each with a unified diff; nothing is written.

    With `any_line_ends`, lines may end in CR LF on disk. A diff has at most `DIFF_LINES` lines of changes and ends in a
    line that says how many more there are. Raises `WriteError` for a path that cannot be read or is not that of a
    regular file.
    """
    found: list[tuple[Path, str]] = []
    for path, text in files:
        data = _encode(path, text)
        target, status = _look(os.fspath(path))
        if status is None:
            found.append((path, _diff(path, None, data)))
        elif not _holds(target, status, data):
            try:
                old = _read(target, status.st_size)
            except OSError as error:
                _fail(os.fspath(path), error)
            if not any_line_ends or old.replace(b"\r\n", b"\n") != data:
                found.append((path, _diff(path, old, data)))
    return found


def _sweep(folder: str) -> None:
    # Removes what runs that were killed have left of the files they were writing.
    limit = time.time() - ABANDONED
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(HIDDEN) and entry.name.endswith(".tmp"):
                with suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_mtime < limit:
                        os.unlink(entry.path)  # noqa: PTH108


def _encode(path: Path | str, text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        message = f"the character {error.object[error.start]!a} of this file cannot be written as UTF-8"
        raise WriteError(Path(path).as_posix(), message) from None


def _look(name: str) -> tuple[str, os.stat_result | None]:
    # The file that a path stands for, symbolic links at its end followed, and its status: None when it does not exist.
    target = name
    try:
        status = os.lstat(target)
        if stat.S_ISLNK(status.st_mode):
            target = os.path.realpath(target)
            status = os.stat(target)  # noqa: PTH116
    except FileNotFoundError:
        return target, None
    except OSError as error:
        _fail(name, error)
    except ValueError:
        raise WriteError(Path(name).as_posix(), "this is not a usable file name") from None
    if stat.S_ISDIR(status.st_mode):
        raise WriteError(Path(name).as_posix(), "this is a directory, not a file")
    if not stat.S_ISREG(status.st_mode):
        raise WriteError(Path(name).as_posix(), "this is a device or a pipe, not a regular file")
    return target, status


def _holds(target: str, status: os.stat_result, data: bytes) -> bool:
    # Whether the file has this content. One that cannot be read counts as different.
    if status.st_size != len(data):
        return False
    try:
        return _read(target, len(data)) == data
    except OSError:
        return False


def _read(target: str, size: int) -> bytes:
    descriptor = os.open(target, _READ)
    try:
        data = os.read(descriptor, size + 1)
        if len(data) < size:  # seldom: a network file system, or a file that shrinks meanwhile
            while more := os.read(descriptor, size + 1):
                data += more
        return data
    finally:
        os.close(descriptor)


_REASONS = {
    errno.EACCES: "access is denied; look at the permissions of the file and of its folder",
    errno.EPERM: "access is denied; look at the permissions of the file and of its folder",
    errno.EROFS: "this file system is read-only",
    errno.ENOSPC: "there is no space left on the disk",
    errno.EDQUOT: "the disk quota is used up",
    errno.ENAMETOOLONG: "this name is too long for the file system",
    errno.ELOOP: "this symbolic link leads back to itself",
}


def _fail(name: str, error: OSError) -> NoReturn:
    # Turns what the system says into a sentence about a path.
    path = Path(name)
    shown = path.as_posix()
    if isinstance(error, NotADirectoryError | FileExistsError | FileNotFoundError):
        for parent in path.parents:
            if os.path.lexists(parent) and not parent.is_dir():
                reason = f"the folder for this file cannot be made: '{parent.as_posix()}' is in the way"
                raise WriteError(shown, reason) from None
    reason = _REASONS.get(error.errno or 0) or f"the system refuses this file: {error.strerror or error}"
    raise WriteError(shown, reason) from None


def _diff(path: Path, old: bytes | None, new: bytes) -> str:
    # `old` is None for a file that is missing.
    name = path.as_posix()
    head = f"--- {name} (on disk)\n+++ {name} (generated)\n"
    if old is not None and b"\r\n" in old and old.replace(b"\r\n", b"\n") == new:
        return head + "only the line ends differ: CR LF on disk, LF generated\n"
    before, after = _lines((old or b"").decode(errors="backslashreplace")), _lines(new.decode())
    lines, complete = _diff_lines(before, after)
    shown = [line if line[-1] == "\n" else line + "\n\\ No newline at end of file\n" for line in lines[:DIFF_LINES]]
    more = len(lines) - len(shown)
    if not complete:
        shown.append(f"... at least {max(more, 1)} more lines of diff\n")
    elif more:
        shown.append(f"... {more} more lines of diff\n")
    elif not shown:
        shown.append("there is no such file on disk\n" if old is None else "only bytes that are not UTF-8 differ\n")
    return head + "".join(shown)


def _lines(text: str) -> list[str]:
    # Lines with their ends; only `\n` ends a line, unlike with `splitlines`.
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _diff_lines(before: Sequence[str], after: Sequence[str]) -> tuple[list[str], bool]:
    # The lines of a unified diff, and whether these are all. What is equal at both ends is not worth difflib's time.
    shortest = min(len(before), len(after))
    start = next((index for index in range(shortest) if before[index] != after[index]), shortest)
    tail = next((i for i in range(shortest - start) if before[-1 - i] != after[-1 - i]), shortest - start)
    start = max(0, start - _CONTEXT)
    tail = max(0, tail - _CONTEXT)
    old, new = before[start : len(before) - tail], after[start : len(after) - tail]
    complete = len(old) * len(new) <= _DIFF_WINDOW * _DIFF_WINDOW
    if not complete:
        old, new = old[:_DIFF_WINDOW], new[:_DIFF_WINDOW]
    hunks = list(_hunks(old, new, start))
    if not complete and len(hunks) > 1:
        hunks.pop()  # at the end of the window lines look removed or added that only have moved out of it
    return [line for hunk in hunks for line in hunk], complete


def _hunks(old: Sequence[str], new: Sequence[str], start: int) -> Iterator[list[str]]:
    import difflib  # only a check that fails needs it

    # Not `difflib.unified_diff`: its line numbers would not count the lines before `start`, and it takes frequent lines
    # for noise. Generated code has a `}` every few lines, so what is left to match would be single lines, often wrong.
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(_CONTEXT):
        _, old_start, _, new_start, _ = group[0]
        _, _, old_stop, _, new_stop = group[-1]
        old_range = _range(start + old_start, start + old_stop)
        new_range = _range(start + new_start, start + new_stop)
        lines = [f"@@ -{old_range} +{new_range} @@\n"]
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                lines += [" " + line for line in old[i1:i2]]
            else:
                lines += ["-" + line for line in old[i1:i2]]
                lines += ["+" + line for line in new[j1:j2]]
        yield lines


def _range(start: int, stop: int) -> str:
    # The form of a diff header: first line and number of lines; an empty range names the line before it.
    count = stop - start
    first = start + 1 if count else start
    return str(first) if count == 1 else f"{first},{count}"
