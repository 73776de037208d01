"""Inputs that are broken, huge or not files at all: one clear error each, soon, in little memory, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from opwright.locate import SAMPLE
from tests.privileges import UNBOUND, give_up
from tests.program import environment

MEMORY = 1024**3
VALID = "- func: scale(Tensor self, float factor) -> Tensor\n  variants: function, method\n"


def limit() -> None:
    """Let the process that is about to start have 1 GiB of address space, and no file that it may not have."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    give_up()


LIMIT: Callable[[], None] | None = limit if sys.platform == "linux" else None


def check(path: Path) -> tuple[int, str]:
    """The exit status and the standard output of `opwright check`, which must end soon and without a traceback."""
    command = [sys.executable, "-m", "opwright", "check", path.name, "-s", str(SAMPLE), "--format", "text"]
    done = subprocess.run(
        command,
        cwd=path.parent,
        env=environment(),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=20,
        preexec_fn=LIMIT,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1, "the summary"
    return done.returncode, done.stdout


def only_error(output: str) -> str:
    """The heading of the single error in `output`, without the name of the file."""
    headings = [line for line in output.splitlines() if ": error[" in line]
    assert len(headings) == 1, output
    return headings[0].partition("error")[2]


CONTENTS = {
    "bracket": (b"- func: [a, b\n- func: c\n", "[yaml-syntax]: "),
    "tab": (b"- func: a\n\tvariants: method\n", "[yaml-syntax]: "),
    "quote": (b'- func: "a\n', "[yaml-syntax]: "),
    "control": (b"- func: \x07\n", "[yaml-syntax]: the control character U+0007 is not allowed in YAML"),
    "documents": (b"- func: a\n---\n- func: b\n", "[yaml-syntax]: a second document starts here"),
    "object": (b"!!python/object/apply:os.system ['echo']\n", "[yaml-syntax]: the tag "),
    "empty": (b"", "[empty-file]: "),
    "remarks": (b"# nothing\n\n", "[empty-file]: "),
    "one-word": (b"hello\n", "[unknown-kind]: "),
    "cycle": (b"- &a\n  func: *a\n", "[yaml-syntax]: the alias '*a' stands inside its own anchor"),
    "deep-flow": (b"[" * 100_000, "[yaml-limits]: the nesting is deeper than 50 levels"),
    "deep-block": (b"".join(b" " * at + b"a:\n" for at in range(500)), "[yaml-limits]: the nesting is deeper than"),
    "aliases": (b"- &a x\n" + b"- *a\n" * 1_000_000, "[yaml-limits]: there are more than 10000 aliases"),
    "laughs": (
        b"a0: &a0 [x, x]\n"
        + b"".join(b"a%d: &a%d [%s]\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 40)),
        "[unknown-kind]: ",
    ),
    "long-schema": (b"- func: " + b"x" * 5_000_000 + b"\n", "[schema-syntax]: "),
    "long-name": (b"- func: " + b"x-" * 2_000_000 + b"() -> ()\n", "[name-form]: "),
    "deep-type": (b"- func: f(" + b"(" * 1_000_000 + b") -> ()\n", "[type-syntax]: this type is nested too deeply"),
    "many-optionals": (b"- func: f(int" + b"?" * 1_000_000 + b" x) -> ()\n", "[type-syntax]: "),
    "huge-size": (b"- func: f(int[" + b"9" * 1_000_000 + b"] x) -> ()\n", "[list-size]: "),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTENTS)
def test_content(name: str, tmp_path: Path) -> None:
    data, expected = CONTENTS[name]
    path = tmp_path / "ops.yaml"
    path.write_bytes(data)
    status, output = check(path)
    assert only_error(output).startswith(expected)
    assert status == 1
    assert len(output) < 5000


UNREADABLE = {
    "binary": (b"\x7fELF\x00\x01\x02\xff", "this is a binary file, not UTF-8 text"),
    "latin-1": (
        "- func: größe(Tensor self) -> Tensor\n".encode("latin-1"),
        "this is not UTF-8 text: byte 10 cannot be ",
    ),
    "utf-16": (VALID.encode("utf-16"), "this is "),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_content(name: str, tmp_path: Path) -> None:
    data, expected = UNREADABLE[name]
    path = tmp_path / "ops.yaml"
    path.write_bytes(data)
    status, output = check(path)
    assert only_error(output).startswith(f"[unreadable-file]: {expected}")
    assert status == 2


def test_huge_file(tmp_path: Path) -> None:
    path = tmp_path / "ops.yaml"
    with path.open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    status, output = check(path)
    assert only_error(output) == "[unreadable-file]: this file is larger than 32 MiB"
    assert status == 2


def test_huge_line(tmp_path: Path) -> None:
    """One line of 100 MB of text."""
    path = tmp_path / "ops.yaml"
    with path.open("wb") as file:
        file.write(b"- func: ")
        for _ in range(100):
            file.write(b"x" * 1024 * 1024)
    status, output = check(path)
    assert only_error(output) == "[unreadable-file]: this file is larger than 32 MiB"
    assert status == 2


def test_missing_file(tmp_path: Path) -> None:
    status, output = check(tmp_path / "ops.yaml")
    assert only_error(output) == "[unreadable-file]: there is no such file"
    assert status == 2


def test_directory(tmp_path: Path) -> None:
    path = tmp_path / "ops.yaml"
    path.mkdir()
    status, output = check(path)
    assert only_error(output) == "[unreadable-file]: this is a directory, not a file"
    assert status == 2


@pytest.mark.skipif(UNBOUND != "", reason=UNBOUND)
def test_no_permission(tmp_path: Path) -> None:
    path = tmp_path / "ops.yaml"
    path.write_text(VALID, encoding="utf-8")
    path.chmod(0)
    status, output = check(path)
    assert only_error(output) == "[unreadable-file]: permission to read this file is denied"
    assert status == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_pipe(tmp_path: Path) -> None:
    """A pipe is read like a file: shells give one for `opwright check <(program)`."""
    path = tmp_path / "ops.yaml"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(VALID,), daemon=True)
    writer.start()
    assert check(path) == (0, "")
    writer.join(timeout=5)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no endless device")
def test_endless_device(tmp_path: Path) -> None:
    path = tmp_path / "ops.yaml"
    path.symlink_to("/dev/zero")
    status, output = check(path)
    assert "[unreadable-file]: " in only_error(output)
    assert status == 2


@pytest.mark.parametrize(
    "data",
    [
        VALID.replace("\n", "\r\n").encode(),
        VALID.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + VALID.encode(),
        b"\xef\xbb\xbf" + VALID.replace("\n", "\r\n").encode(),
        VALID.rstrip("\n").encode(),
    ],
    ids=["CRLF", "CR", "BOM", "BOM-CRLF", "no-line-end"],
)
def test_harmless_encodings(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ops.yaml"
    path.write_bytes(data)
    assert check(path) == (0, "")


def test_places_with_crlf_and_bom(tmp_path: Path) -> None:
    path = tmp_path / "ops.yaml"
    path.write_bytes(b"\xef\xbb\xbf# a remark\r\n- func: scale(Tensr self) -> Tensor\r\n")
    status, output = check(path)
    assert output.splitlines() == [
        "ops.yaml:2:15: error[unknown-type]: 'Tensr' is not a type of PyTorch 2.13",
        "    2 | - func: scale(Tensr self) -> Tensor",
        "      |               ^^^^^ did you mean 'Tensor'?",
    ]
    assert status == 1
