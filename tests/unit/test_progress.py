"""The line that says which stage is at work: on a terminal, after a while, and gone before anything else is printed."""

from __future__ import annotations

import argparse
import io
import os
from collections.abc import Iterator
from typing import TextIO

import pytest

from opwright.cli import fresh
from opwright.cli.progress import PACE, PATIENCE, Progress
from opwright.stats import Stats

pty = pytest.importorskip("pty", reason="this system has no pseudo terminals")


class Clock:
    """Shows what it is set to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def terminal() -> Iterator[tuple[int, TextIO]]:
    """The end of a pseudo terminal that a person would look at, and the one to write to."""
    master, slave = pty.openpty()
    with os.fdopen(slave, "w", encoding="utf-8") as stream:
        yield master, stream
    os.close(master)


def screen(text: str) -> list[str]:
    """What is to be seen on each line after this was written."""
    lines = []
    for line in text.split("\r\n"):
        shown: list[str] = []
        at = 0
        for character in line:
            if character == "\r":
                at = 0
            else:
                shown[at : at + 1] = [character]
                at += 1
        lines.append("".join(shown).rstrip())
    return lines


def test_stages_take_turns_on_one_line(terminal: tuple[int, TextIO]) -> None:
    master, stream = terminal
    clock = Clock()
    stats = Stats(watch=Progress(stream, "opwright gen", clock))
    with stats.stage("early"):
        clock.now = PATIENCE
    with stats.stage("a stage with a long name"):
        shown = os.read(master, 1000).decode()
        assert screen(shown) == ["opwright gen: a stage with a long name"]
        clock.now += PACE
        with stats.stage("inner"):
            shown += os.read(master, 1000).decode()
            assert screen(shown) == ["opwright gen: inner"]
        with stats.stage("too soon for this one"):
            clock.now += PACE
        shown += os.read(master, 1000).decode()
        assert screen(shown) == ["opwright gen: a stage with a long name"]
    stream.write("done\n")
    stream.flush()
    while "done" not in shown:
        shown += os.read(master, 1000).decode()
    assert screen(shown) == ["done", ""]
    assert "too soon" not in shown
    assert "early" not in shown


def test_it_is_gone_when_a_stage_fails(terminal: tuple[int, TextIO]) -> None:
    master, stream = terminal
    clock = Clock()
    stats = Stats(watch=Progress(stream, "opwright gen", clock))
    clock.now = PATIENCE
    with pytest.raises(OSError), stats.stage("write"):
        raise OSError
    assert screen(os.read(master, 1000).decode()) == [""]


def test_a_narrow_terminal(terminal: tuple[int, TextIO]) -> None:
    """A line that is broken could not be taken away."""
    import fcntl
    import struct
    import termios

    master, stream = terminal
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 20, 0, 0))
    clock = Clock()
    progress = Progress(stream, "opwright gen", clock)
    clock.now = PATIENCE
    progress("registrations")
    assert screen(os.read(master, 1000).decode()) == ["opwright gen: regis"]


def test_a_terminal_that_has_gone_away() -> None:
    stream = io.StringIO()
    clock = Clock()
    progress = Progress(stream, "opwright gen", clock)
    clock.now = PATIENCE
    stream.close()
    stats = Stats(watch=progress)
    with stats.stage("read"):
        clock.now += PACE
    assert stats.stages["read"].seconds > 0


@pytest.mark.parametrize(
    ("on_terminal", "changes", "ci", "is_shown"),
    [
        (True, {}, None, True),
        (False, {}, None, False),
        (True, {"quiet": True}, None, False),
        (True, {"format": "json"}, None, False),
        (True, {"format": "github"}, None, False),
        (True, {}, "true", False),
    ],
)
def test_who_sees_it(
    on_terminal: bool,
    changes: dict[str, object],
    ci: str | None,
    is_shown: bool,
    terminal: tuple[int, TextIO],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("CI", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    if ci is not None:
        monkeypatch.setenv("CI", ci)
    monkeypatch.setattr("sys.stderr", terminal[1] if on_terminal else io.StringIO())
    stats = Stats()
    fresh.watch_on_terminal(argparse.Namespace(**{"quiet": False, "format": None, "verb": "gen", **changes}), stats)
    assert isinstance(stats.watch, Progress) == is_shown
