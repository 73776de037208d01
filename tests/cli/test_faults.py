"""Runs of `gen` that fail or die in the middle, and runs at the same time: every file is an old or a new one, whole."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from opwright.output.tree import ABANDONED
from tests.gen import SMALL, content, gen, make_source, write_operators
from tests.privileges import UNBOUND
from tests.program import environment

OPTIONS = ("-s", "source", "-d", "disk/out", "--per-operator-headers", "--prune", "-q")
CHANGED = SMALL.replace("wring", "spin").replace("depth=1", "depth=2") + "- func: iron(Tensor self) -> Tensor\n"
posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows has no signals and no such limits")

#: What runs at the start of the program and makes it die, or dawdle, at the moment that a variable names.
SITE = """
import functools, os, signal, time

kind, _, number = os.environ["MOMENT"].partition(":")
real = {"write": os.write, "replace": os.replace, "unlink": os.unlink}
left = {kind: int(number or 1)}


def comes(moment):
    left[moment] = left.get(moment, 0) - 1
    return left[moment] == 0


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def write(descriptor, data):
    is_manifest = bytes(data[:9]) == b'{"format"'
    if comes("write") or (is_manifest and comes("manifest")):
        real["write"](descriptor, data[: len(data) // 2])
        die()
    return real["write"](descriptor, data)


def replace(source, target):
    if kind == "slow":
        time.sleep(0.003)
    if comes("replace"):
        die()
    real["replace"](source, target)
    if comes("replaced"):
        die()


def unlink(path, *, dir_fd=None):
    if comes("unlink"):
        die()
    real["unlink"](path, dir_fd=dir_fd)


# Not the functions themselves: up to Python 3.10 pathlib keeps them in a class, where they would become methods.
os.write, os.replace, os.unlink = map(functools.partial, (write, replace, unlink))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a source whose files are in `disk/out`, and in which operators have changed since."""
    make_source(tmp_path / "source")
    (tmp_path / "disk").mkdir()
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(SITE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def old(folder: Path) -> dict[str, bytes]:
    assert gen(*OPTIONS, folder=folder).returncode == 0
    files = content(folder / "disk")
    write_operators(folder / "source", CHANGED)
    return files


@pytest.fixture
def new(folder: Path, old: dict[str, bytes]) -> dict[str, bytes]:
    """What `disk` is to hold after the next run."""
    arguments = [option.replace("disk/", "expected/") for option in OPTIONS]
    assert gen(*arguments, folder=folder).returncode == 0
    return content(folder / "expected")


def temporary_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob(".opwright-*.tmp"))


def check_whole(folder: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
    """Every file below `folder` must hold what one of the two runs has made."""
    for name, data in content(folder).items():
        assert data in (old.get(name), new.get(name)), name


def check_recovery(folder: Path, new: dict[str, bytes]) -> None:
    """The next run must put everything right, and the one after it must find nothing to do."""
    assert gen(*OPTIONS, folder=folder).returncode == 0
    assert content(folder / "disk") == new
    assert gen(*OPTIONS, "--check", folder=folder).returncode == 0


@posix_only
class TestKilled:
    @pytest.mark.parametrize(
        "moment",
        [
            "write:1",
            "write:6",
            "replace:1",
            "replace:6",
            "replaced:6",
            "unlink:1",
            "unlink:2",
            "manifest:1",
            "manifest:3",
        ],
    )
    def test_in_the_middle(self, moment: str, folder: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
        killed = gen(*OPTIONS, folder=folder, site=folder / "site", MOMENT=moment)
        assert killed.returncode == -9
        check_whole(folder / "disk", old, new)
        assert bool(temporary_files(folder)) == (not moment.startswith("unlink"))
        # A run soon afterwards takes them for those of a run that is at work; a later one removes them.
        for path in temporary_files(folder):
            age = time.time() - ABANDONED - 10
            os.utime(path, (age, age))
        check_recovery(folder, new)
        assert temporary_files(folder) == []

    @pytest.mark.parametrize("seed", range(4))
    def test_at_any_time(self, seed: int, folder: Path, new: dict[str, bytes]) -> None:
        count = random.Random(seed).randrange(len(new))
        with start(folder) as child:
            # The old files are there already, so it is the new ones that tell how far it is.
            while child.poll() is None and sum(new.get(name) == data for name, data in present(folder)) < count:
                time.sleep(0.001)
            child.kill()
        assert child.returncode in (0, -9)
        check_recovery(folder, new)


@posix_only
def test_called_off(folder: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
    with start(folder) as child:
        while child.poll() is None and not any(
            old.get(name) != data == new.get(name) for name, data in present(folder)
        ):
            time.sleep(0.001)
        child.terminate()
    assert child.returncode in (0, 130)
    assert temporary_files(folder) == []
    check_whole(folder / "disk", old, new)
    check_recovery(folder, new)


def present(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The files in `disk` now, while a run is at work that may remove some."""
    for path in (folder / "disk").rglob("*"):
        try:
            yield path.relative_to(folder / "disk").as_posix(), path.read_bytes()
        except OSError:
            continue


def start(folder: Path, *more: str) -> subprocess.Popen[str]:
    """Start a run that takes its time between files, so that it meets others."""
    command = [sys.executable, "-m", "opwright", "gen", *OPTIONS, *more]
    variables = environment(folder / "site", MOMENT="slow")
    return subprocess.Popen(command, cwd=folder, env=variables, stderr=subprocess.PIPE, encoding="utf-8")


class TestAtTheSameTime:
    def test_runs_of_the_same_kind(self, folder: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
        runs = [start(folder) for _ in range(3)]
        assert [(run.communicate()[1], run.returncode) for run in runs] == [("", 0)] * 3
        assert content(folder / "disk") == new
        check_recovery(folder, new)
        manifests = [path.name for path in (folder / "disk" / "out").glob(".opwright-[!r]*")]
        assert len(manifests) == 3
        for name in manifests:
            held, wanted = (json.loads((folder / at / "out" / name).read_bytes()) for at in ("disk", "expected"))
            gone = held.pop("gone", {})
            assert held == wanted
            assert gone.keys().isdisjoint(held["files"])

    def test_runs_of_single_steps(self, folder: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
        """As PyTorch's build starts them."""
        runs = [start(folder, "--generate", step) for step in ("headers", "sources", "declarations_yaml")]
        assert [(run.communicate()[1], run.returncode) for run in runs] == [("", 0)] * 3
        check_recovery(folder, new)

    def test_runs_with_different_operators(self, folder: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
        make_source(folder / "other")
        runs = [start(folder), start(folder, "-s", "other")]
        assert [(run.communicate()[1], run.returncode) for run in runs] == [("", 0)] * 2
        check_whole(folder / "disk", old, new)
        check_recovery(folder, new)


@pytest.fixture
def disk(folder: Path) -> Iterator[Path]:
    """`disk` as a small file system of its own: 2 MB in memory."""
    if sys.platform != "linux":
        pytest.skip("only Linux has file systems in memory that a test can make")
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "opwright-test", str(folder / "disk")]
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    yield folder / "disk"
    subprocess.run(["umount", str(folder / "disk")], check=True)


def fill(disk: Path, spare: int) -> Path:
    """A file that leaves only so many bytes of a file system."""
    filler = disk / "filler"
    with filler.open("wb") as file:
        while (free := os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize) > spare:
            file.write(b"x" * min(free - spare, 4096))
            file.flush()
    return filler


class TestDisk:
    @pytest.mark.parametrize("spare", [0, 4096, 16_384])
    def test_full(self, spare: int, folder: Path, disk: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
        filler = fill(disk, spare)
        run = gen(*OPTIONS, folder=folder)
        assert (run.returncode, run.stdout) == (2, "")
        assert re.fullmatch(r"opwright gen: disk/out/[\w./]+: there is no space left on the disk\n", run.stderr)
        assert temporary_files(disk) == []
        filler.unlink()
        check_whole(disk, old, new)
        assert old.keys() <= content(disk).keys()
        check_recovery(folder, new)

    def test_full_before_the_first_file(self, folder: Path, disk: Path) -> None:
        filler = fill(disk, 0)
        run = gen(*OPTIONS, folder=folder)
        assert (run.returncode, run.stdout) == (2, "")
        assert re.fullmatch(r"opwright gen: disk/out/[\w./]+: there is no space left on the disk\n", run.stderr)
        filler.unlink()
        assert content(disk) == {}
        assert gen(*OPTIONS, folder=folder).returncode == 0

    def test_read_only(self, folder: Path, disk: Path, old: dict[str, bytes]) -> None:
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        run = gen(*OPTIONS, folder=folder)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr.endswith(": this file system is read-only\n")
        assert content(disk) == old


@pytest.mark.skipif(UNBOUND != "", reason=UNBOUND)
class TestProtected:
    def test_folder_of_some_files(self, folder: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
        ops = folder / "disk" / "out" / "ops"
        ops.chmod(0o500)
        run = gen(*OPTIONS, folder=folder)
        assert (run.returncode, run.stdout) == (2, "")
        assert re.fullmatch(r"opwright gen: disk/out/ops/\w+\.h: access is denied; .*\n", run.stderr)
        check_whole(folder / "disk", old, new)
        assert {f"out/ops/{name}": data for name, data in content(ops).items()}.items() <= old.items()
        ops.chmod(0o700)
        check_recovery(folder, new)

    def test_folder_of_leftovers(self, folder: Path, old: dict[str, bytes]) -> None:
        write_operators(folder / "source", SMALL)
        ops = folder / "disk" / "out" / "ops"
        ops.chmod(0o500)
        aggregated = [option for option in OPTIONS if option != "--per-operator-headers"]
        run = gen(*aggregated, folder=folder)
        assert (run.returncode, run.stdout) == (2, "")
        assert re.fullmatch(r"opwright gen: disk/out/ops/\w+\.h: access is denied; .*\n", run.stderr)
        ops.chmod(0o700)
        assert gen(*aggregated, folder=folder).returncode == 0
        assert not ops.exists()


@posix_only
def test_a_limit_of_the_size_of_files(folder: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
    """Writing fails in the middle of a file, whoever runs the tests."""

    def limit() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    command = [sys.executable, "-B", "-m", "opwright", "gen", *OPTIONS]
    run = subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True, preexec_fn=limit, check=False
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert re.fullmatch(r"opwright gen: disk/out/[\w./]+: the system refuses this file: File too large\n", run.stderr)
    assert temporary_files(folder) == []
    check_whole(folder / "disk", old, new)
    check_recovery(folder, new)
