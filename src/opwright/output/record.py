"""Records of runs: what a run has looked at, made and said, so that a later run can tell that it has nothing to do.

In: what a run knows when all is written. Out: a record in the install folder, one for each command; and, for a later
run of the command, that record if everything is still as it says.

    {"digest": "6f1ed002ab5595859014ebf0951522d9",
    "format": 1, "command": {...}, "sights": {"content": {"native/tags.yaml": "0c3b..."}}, "files": [...], ...}

A record is never trusted. It counts only with the digest of its own text in front, for the very command, when all that
the run has looked at is found as it was, and when every output has the size and time with which it was written. These
are taken as a file is written, so what another run writes over it is not taken for this run's. An output that is not
older than the record may have been changed in the same tick of the clock, so it does not count either.

Whoever has nothing to do imports this module, and not much more.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from json import dumps, loads

from opwright.looks import Sights, digest, is_same
from opwright.values import Value, field_names

#: Records of another number are not read.
FORMAT = 1

#: Records are called so and by their command.
PREFIX, SUFFIX = ".opwright-run-", ".json"

#: No clock of a file system ticks slower than this, in nanoseconds, or it is so slow that waiting for it is too long.
TICK = 10_000_000

Command = Mapping[str, object]
#: Something said: from which volume on, whether to standard error, and the text.
Remark = tuple[int, bool, str]
#: Paths, sizes and times of files, in lists of equal length.
Stamps = tuple[Sequence[str], Sequence[int], Sequence[int]]


class Record(Value):
    """What is known of a run of `command` that made `steps` into `folder`, which is called `shown` in messages.

    `sights` are its inputs. Of its outputs, `files` are those that it counts, `beside` others that it names, and `kept`
    are manifests. In `folder`, the files `absent` must not be there, because an earlier run made them and none does any
    more; those `left` are there for the same reason. `said` is what the run said before its summary.
    """

    command: Command
    folder: str
    shown: str
    steps: Sequence[str]
    sights: Sights
    files: Stamps
    beside: Stamps
    kept: Stamps
    absent: Sequence[str]
    left: Sequence[str]
    said: Sequence[Remark]

    @property
    def path(self) -> str:
        """Where it is kept."""
        return record_path(self.folder, self.command)


def record_path(folder: str, command: Command) -> str:
    """Where the record of a command is kept; `command` is plain data."""
    name = digest(dumps(command, sort_keys=True).encode())
    return os.path.join(folder, f"{PREFIX}{name}{SUFFIX}")  # noqa: PTH118


def record_text(record: Record) -> str:
    """The text of a record, which is ASCII."""
    parts = {name: getattr(record, name) for name in field_names(Record)}
    body = dumps({"format": FORMAT, **parts}, separators=(",", ":"))[1:] + "\n"
    return f'{{"digest": "{digest(body.encode())}",\n{body}'


def parsed(data: bytes) -> Record | None:
    """The record that a text holds; None when any of it is not as `record_text` has written it."""
    head, _, body = data.partition(b"\n")
    if head != f'{{"digest": "{digest(body)}",'.encode():
        return None
    try:
        parts = loads(b"{" + body)
        return Record(**parts) if parts.pop("format") == FORMAT else None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):  # by somebody else
        return None


def fresh_record(folder: str, command: Command) -> Record | None:
    """The record of the last run of a command, if a run now would find and leave everything as that one did."""
    path = record_path(folder, command)
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - without importing what makes Paths
            data, written = file.read(), os.fstat(file.fileno()).st_mtime_ns
        record = parsed(data)
        is_fresh = record is not None and record.command == command and record.folder == folder
        return record if record is not None and is_fresh and _holds(record, written) else None
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return None


def _holds(record: Record, written: int) -> bool:
    """Whether all is as a record says that was written at that time. Raises what wrong data raises."""
    outputs = all(_is_untouched(stamps, written) for stamps in (record.files, record.beside, record.kept))
    return (
        outputs
        and all(os.path.lexists(os.path.join(record.folder, name)) for name in record.left)  # noqa: PTH118
        and not any(os.path.lexists(os.path.join(record.folder, name)) for name in record.absent)  # noqa: PTH118
        and is_same(record.sights)
    )


def _is_untouched(stamps: Stamps, written: int) -> bool:
    """Whether files, links followed, have their sizes and times, which are all older than the record."""
    look, is_regular = os.stat, stat.S_ISREG
    for path, size, changed in zip(*stamps, strict=True):
        status = look(path)
        if status.st_size != size or status.st_mtime_ns != changed or not is_regular(status.st_mode):
            return False
    return max(stamps[2], default=0) < written


def forget_records(folder: str, steps: Iterable[str]) -> None:
    """Remove the records of all runs that made any of these steps, and those that nobody can read."""
    wanted = set(steps)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and entry.name.endswith(SUFFIX):
                with suppress(OSError):
                    with open(entry.path, "rb") as file:  # noqa: PTH123
                        record = parsed(file.read())
                    if record is None or not wanted.isdisjoint(record.steps):
                        os.unlink(entry.path)  # noqa: PTH108


def wait_for_clock(changed: Iterable[int]) -> None:
    """Wait until a file that is written now is newer than those of these times; not where that takes long."""
    newest = max(changed, default=0)
    rest = newest + TICK - time.time_ns()
    if 0 < rest <= 2 * TICK:
        time.sleep(rest / 1_000_000_000)
