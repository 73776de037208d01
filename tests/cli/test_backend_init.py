"""`opwright backend --init`, as a user runs it: what is written, and that nothing of the user's is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.privileges import UNBOUND, give_up
from tests.program import environment, outputs


def backend(folder: Path, *arguments: str) -> tuple[int, str]:
    """Run `opwright backend` in a folder; its exit status and what it says, which is never a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "opwright", "backend", *arguments],
        cwd=folder,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        preexec_fn=None if UNBOUND else give_up,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.stdout == ""
    return done.returncode, done.stderr


def test_a_new_backend(tmp_path: Path) -> None:
    status, said = backend(tmp_path, "--init", "some/tiny")
    files = outputs(tmp_path / "some" / "tiny")
    assert (status, said.splitlines()) == (
        0,
        [
            f"backend 'tiny' in some/tiny: {len(files)} files written, 0 were there",
            "to build and install it, run 'pip install .' in some/tiny",
        ],
    )
    assert {"CMakeLists.txt", "csrc/guard.cpp", "pyproject.toml", "python/tiny/__init__.py", "tiny.yaml"} < files.keys()


def test_the_name_can_be_chosen(tmp_path: Path) -> None:
    assert backend(tmp_path, "--init", ".", "--name", "other", "-q") == (0, "")
    assert (tmp_path / "other.yaml").is_file()


def test_again(tmp_path: Path) -> None:
    backend(tmp_path, "--init", "tiny")
    (tmp_path / "tiny" / "README.md").unlink()
    (tmp_path / "tiny" / "csrc" / "my_kernels.cpp").write_text("mine", encoding="utf-8")
    before = {path: path.stat().st_mtime_ns for path in outputs(tmp_path / "tiny").values()}
    status, said = backend(tmp_path, "--init", "tiny")
    assert status == 0
    assert said.startswith(f"backend 'tiny' in tiny: 1 files written, {len(before) - 1} were there\n")
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_changed_files_are_kept(tmp_path: Path) -> None:
    backend(tmp_path, "--init", "tiny")
    changed = [tmp_path / "tiny" / "csrc" / "driver.cpp", tmp_path / "tiny" / "tiny.yaml"]
    for path in changed:
        path.write_text("mine", encoding="utf-8")
    (tmp_path / "tiny" / "README.md").unlink()
    status, said = backend(tmp_path, "--init", "tiny")
    assert status == 2
    assert said == (
        "opwright backend: tiny has other files of these names, nothing was written: csrc/driver.cpp, tiny.yaml\n"
    )
    assert [path.read_text(encoding="utf-8") for path in changed] == ["mine", "mine"]
    assert not (tmp_path / "tiny" / "README.md").exists()


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    status, said = backend(tmp_path, "--init", "tiny", "--dry-run")
    assert status == 0
    assert "files would be written" in said
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--init", "tiny2"], "'tiny2' cannot be the name of a device: it takes small letters, and single '_' between"),
        (["--init", "tiny2"], "; choose another one with --name"),
        (["--init", "tiny", "--name", "cuda"], "'cuda' cannot be the name of a device: it has a meaning for PyTorch"),
        (["--init", "tiny", "-s", "tiny.yaml"], "--init goes without --source-yaml: generate when the files are there"),
        (["--init", "tiny", "-q", "--lean"], "--init goes without --lean: "),
        (["--init", "tiny", "--check"], "--init goes without --check: "),
        (["--init", "tiny", "--impl-path", "csrc"], "--init goes without --impl-path: "),
        (["--init", "tiny", "--release", "2.13"], "--init goes without --release: "),
        (["--init", "tiny", "--format", "json"], "--init goes without --format: "),
        (["--init", "file/tiny"], "the folder for this file cannot be made: 'file' is in the way"),
        (["--init", "file", "--name", "tiny"], "'file' is in the way"),
        (["--name", "tiny"], "--name is that of a new backend, which --init starts"),
        (["--name", "tiny", "-s", "tiny.yaml", "-o", "out"], "--name is that of a new backend, which --init starts"),
        ([], "-s and -o are needed, or --init to start a new backend"),
        (["-s", "tiny.yaml"], "-s and -o are needed, or --init to start a new backend"),
    ],
)
def test_mistakes(arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    status, said = backend(tmp_path, *arguments)
    assert status == 2
    assert said.startswith("opwright backend: ")
    assert message in said
    assert list(outputs(tmp_path)) == ["file"]


@pytest.mark.skipif(bool(UNBOUND), reason=UNBOUND)
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o555)
    status, said = backend(tmp_path, "--init", "locked/tiny")
    assert status == 2
    assert "access is denied" in said
