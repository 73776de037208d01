"""Source text and places in it.

In: a path or bytes. Out: a `Source`, which holds the decoded text, and `Place`s, which are a source and two offsets.
Lines and columns exist only when a place is shown.

    Source("a.yaml", "x: 1\\ny: 2\\n").position(5)  ->  (2, 1)
"""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

from opwright.values import Value, made

#: Inputs above this size (bytes) are refused unread; the largest operator file of a release is 0.6 MB.
MAX_BYTES = 32 * 1024 * 1024


class UnreadableError(Exception):
    """A file that cannot be used as text at all; the message is a plain sentence about `path`."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.message = message


class Source(Value, frozen=False):
    """One input text: `path` as the user gave it (with `/`), `text` decoded and without a byte order mark."""

    path: str
    text: str
    _line_starts: list[int] = made(default_factory=list)

    def position(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column of the character at `offset`."""
        starts = self.line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of the 1-based line `number`, without its line end."""
        starts = self.line_starts()
        stop = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : stop].rstrip("\r\n")

    def line_starts(self) -> list[int]:
        """The offset at which each line starts."""
        if not self._line_starts:
            starts = [0]
            find = self.text.find
            offset = find("\n")
            while offset >= 0:
                starts.append(offset + 1)
                offset = find("\n", offset + 1)
            self._line_starts = starts
        return self._line_starts


class Place(Value):
    """The characters `start` to `stop` (exclusive) of a source."""

    source: Source
    start: int
    stop: int

    @property
    def begin(self) -> tuple[int, int]:
        """1-based line and column of the first character."""
        return self.source.position(self.start)

    @property
    def end(self) -> tuple[int, int]:
        """1-based line and column behind the last character."""
        return self.source.position(max(self.start, self.stop))

    @property
    def text(self) -> str:
        """The characters themselves."""
        return self.source.text[self.start : self.stop]


#: A text to be read, or one that is made.
Text = str | Path | Source


def shown_path(text: Text) -> str:
    """How a text is called in messages."""
    return text.path if isinstance(text, Source) else Path(text).as_posix()


def read_source(path: Text) -> Source:
    """Read a UTF-8 text file; a text that is made needs no reading.

    Raises `UnreadableError` when it is missing, a directory, not permitted, above `MAX_BYTES`, or not UTF-8 text.
    """
    if isinstance(path, Source):
        return path
    shown = shown_path(path)
    return decoded(read_bytes(path, shown), shown)


def decoded(data: bytes, shown: str) -> Source:
    """The source that bytes are; `shown` names it. Raises `UnreadableError` when they are no UTF-8 text."""
    if b"\0" in data:
        raise UnreadableError(shown, "this is a binary file, not UTF-8 text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableError(shown, f"this is not UTF-8 text: byte {error.start} cannot be decoded") from None
    return Source(shown, text)


def read_bytes(path: str | Path, shown: str) -> bytes:
    """The bytes of a regular file of at most `MAX_BYTES`; `shown` names it in an `UnreadableError`."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - the fastest way, on the path of every run
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise UnreadableError(shown, "there is no such file") from None
    except IsADirectoryError:
        raise UnreadableError(shown, "this is a directory, not a file") from None
    except PermissionError:
        if Path(path).is_dir():  # what Windows says of a directory
            raise UnreadableError(shown, "this is a directory, not a file") from None
        raise UnreadableError(shown, "permission to read this file is denied") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a usable file name"
        raise UnreadableError(shown, f"this file cannot be read: {reason}") from None
    if len(data) > MAX_BYTES:
        raise UnreadableError(shown, f"this file is larger than {MAX_BYTES // (1024 * 1024)} MiB")
    return data
