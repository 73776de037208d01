"""Options of the verb `gen`, and what happens when an output is dead, in a process of its own where that matters."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from opwright.cli.common import OutputError, UsageError, write
from opwright.cli.gen_run import Places
from opwright.cli.main import build_parser, main
from opwright.locate import SAMPLE
from opwright.output.tree import OutputFile
from tests.program import environment

FULL = Path("/dev/full")
OPERATORS = "- func: soak(Tensor self) -> Tensor\n"


def opwright(
    *arguments: str,
    folder: Path,
    stdout: int | io.BufferedWriter = subprocess.PIPE,
    launch: Callable[[], None] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run Opwright in `folder`; `stdout` is where its standard output goes."""
    command = [sys.executable, "-m", "opwright", *arguments]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment(),
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        preexec_fn=launch,
        check=False,
    )


@pytest.fixture
def source(tmp_path: Path) -> str:
    """A source with one operator and the templates of the sample."""
    (tmp_path / "source" / "native").mkdir(parents=True)
    (tmp_path / "source" / "native" / "native_functions.yaml").write_text(OPERATORS, encoding="utf-8")
    tags = (SAMPLE / "native" / "tags.yaml").read_text(encoding="utf-8")
    (tmp_path / "source" / "native" / "tags.yaml").write_text(tags, encoding="utf-8")
    (tmp_path / "source" / "templates").mkdir()
    for template in (SAMPLE / "templates").iterdir():
        (tmp_path / "source" / "templates" / template.name).write_bytes(template.read_bytes())
    return "source"


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        ("explain-code",),
        ("explain-code", "unknown-type"),
        ("gen", "-d", "out"),
        ("gen", "-d", "out", "-v"),
        ("gen", "-d", "out", "--check"),
        ("gen", "-d", "out", "--dry-run", "--format", "json", "-q"),
        ("check", "faulty.yaml"),
        ("check", "faulty.yaml", "--format", "sarif"),
        ("--version",),
        ("gen", "--help"),
    ],
)
def test_a_full_disk_is_one_line(arguments: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "faulty.yaml").write_text("- func: soak(Tensr self) -> Tensor\n", encoding="utf-8")
    sourced = [] if arguments[0] in ("explain-code", "--version") else ["-s", str(SAMPLE)]
    with FULL.open("wb") as full:
        run = opwright(*arguments, *sourced, folder=tmp_path, stdout=full)
    remarks = [
        line for line in run.stderr.splitlines() if not line.startswith(("source: ", "release: ", "not found in "))
    ]
    assert (run.returncode, remarks) == (
        2,
        [f"opwright: standard output cannot be written: {os.strerror(errno.ENOSPC)}"],
    )


@pytest.mark.skipif(os.name == "nt", reason="Windows starts no process with a closed output")
@pytest.mark.parametrize(
    ("arguments", "status", "remark"),
    [
        (("explain-code", "unknown-type"), 2, "opwright: standard output cannot be written: it is closed\n"),
        (("gen", "-d", "out", "-q", "-s", str(SAMPLE)), 0, ""),
    ],
)
def test_a_closed_output_matters_to_what_would_be_printed(
    arguments: tuple[str, ...], status: int, remark: str, tmp_path: Path
) -> None:
    run = opwright(*arguments, folder=tmp_path, launch=lambda: os.close(1))
    assert (run.returncode, run.stderr) == (status, remark)


def test_a_closed_pipe_is_not_a_dead_output(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dead(io.StringIO):
        """A stream that fails in the way that `error` says."""

        error: OSError = BrokenPipeError(errno.EPIPE, "closed")

        def write(self, _: str) -> int:
            raise self.error

    dead = Dead()
    monkeypatch.setattr(sys, "stdout", dead)
    with pytest.raises(BrokenPipeError):
        write("text")
    dead.error = OSError(errno.EIO, "broken")
    with pytest.raises(OutputError, match="standard output cannot be written: broken"):
        write("text")


def test_check_names_every_file_when_verbose(source: str, tmp_path: Path) -> None:
    arguments = ("gen", "-s", source, "-d", "out")
    assert opwright(*arguments, folder=tmp_path).returncode == 0
    assert "stale" not in opwright(*arguments, "--check", folder=tmp_path).stdout
    fresh = opwright(*arguments, "--check", "-v", folder=tmp_path)
    names = fresh.stdout.splitlines()
    assert (fresh.returncode, {line.partition(" ")[0] for line in names}) == (0, {"fresh"})
    (tmp_path / "out" / "Functions.h").write_text("old\n", encoding="utf-8")
    run = opwright(*arguments, "--check", "-v", folder=tmp_path)
    assert run.returncode == 1
    expected = [line.replace("fresh", "stale") if line.endswith("/Functions.h") else line for line in names]
    assert run.stdout.splitlines()[: len(names)] == expected
    assert "fresh out/Operators.h" in names
    assert "stale out/Functions.h" in expected
    machine = opwright(*arguments, "--check", "-v", "--format", "json", folder=tmp_path)
    assert machine.stdout == "[]\n"
    assert "stale out/Functions.h\n" in machine.stderr


def test_check_and_dry_run_exclude_each_other(source: str, tmp_path: Path) -> None:
    run = opwright("gen", "-s", source, "-d", "out", "--check", "--dry-run", folder=tmp_path)
    assert run.returncode == 2
    assert "--dry-run: not allowed with argument --check" in run.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("verb", ["gen", "check"])
def test_a_device_that_the_release_lacks_is_refused(verb: str, source: str, tmp_path: Path) -> None:
    run = opwright(verb, "-s", source, "--release", "2.0", "--xpu", folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"opwright {verb}: PyTorch 2.0 has no option --xpu\n"


@pytest.mark.parametrize(
    ("folder", "place"),
    [("out", "out/ops/soak.h"), ("./out//", "out/ops/soak.h"), (".", "ops/soak.h"), ("/", "/ops/soak.h")],
)
def test_places(folder: str, place: str) -> None:
    options = build_parser(["gen", "-d", folder]).parse_args(["gen", "-d", folder])
    assert Places(options).of(OutputFile("ops/soak.h", "")) == place.replace("/", os.sep)


def test_files_that_a_system_takes_for_one_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [OutputFile("ops/soak.h", ""), OutputFile("ops/Soak.h", "")]
    arguments = ["gen", "-d", "out"]
    options = build_parser(arguments).parse_args(arguments)
    monkeypatch.setattr(os.path, "normcase", os.fspath)
    assert list(map(Path, map(Places(options).of, files))) == [Path("out/ops/soak.h"), Path("out/ops/Soak.h")]
    monkeypatch.setattr(os.path, "normcase", lambda path: os.fspath(path).lower())
    with pytest.raises(UsageError, match=r"two files would be called 'ops/Soak\.h'"):
        list(map(Places(options).of, files))


@pytest.mark.parametrize(("columns", "width"), [("60", 58), ("200", 198), ("0", 78), ("wide", 78)])
def test_help_is_as_wide_as_the_terminal(
    columns: str, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert main(["gen", "--help"]) == 0
    options = capsys.readouterr().out.partition("\noptions:\n")[2]
    longest = max(len(line) for line in options.splitlines() if not line.lstrip().startswith("-"))
    assert width - 12 <= longest <= width
