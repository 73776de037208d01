"""The lists of files that `-o` writes, for build systems, are to the letter those of torchgen."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.parity.checks import fetched_or_skip, installed_or_skip
from tests.parity.reference import file_lists, packaged_source
from tests.program import environment

MODES = pytest.mark.parametrize(
    "options",
    [(), ("--per-operator-headers",), ("--xpu",), ("--generate", "headers")],
    ids=["aggregated", "per-operator", "xpu", "headers"],
)


def own_lists(source: Path, folder: Path, options: Sequence[str]) -> tuple[dict[str, str], set[str]]:
    """Opwright's lists from a dry run into `./out/` of `folder`, and the files that are made at all."""
    command = [sys.executable, "-m", "opwright", "gen", "-q", "-s", str(source), "-d", "./out/", *options]

    def run(*more: str) -> str:
        return subprocess.run(
            [*command, *more], cwd=folder, env=environment(), stdout=subprocess.PIPE, encoding="utf-8", check=True
        ).stdout

    run("--dry-run", "-o", "lists/generated.cmake")
    lists = {path.name: path.read_text(encoding="utf-8") for path in sorted((folder / "lists").iterdir())}
    return lists, set(run("--print-outputs", "lines").splitlines())


def restricted(text: str, made: set[str]) -> str:
    """A list of the reference without the files that Opwright does not make."""
    for quoted in text.split('"')[1::2]:
        if Path(quoted).as_posix() not in made:
            text = text.replace(f'\n    "{quoted}"', "")
    return text


@MODES
def test_all_files(options: Sequence[str], tmp_path: Path) -> None:
    root = installed_or_skip()
    source = packaged_source(root)
    lists, _ = own_lists(source, tmp_path, options)
    assert lists == file_lists(root, source, options)


@pytest.mark.parametrize("version", ["2.0.1", "2.1.2"])
@pytest.mark.parametrize("options", [(), ("--per-operator-headers",)], ids=["aggregated", "per-operator"])
def test_older_releases(version: str, options: Sequence[str], tmp_path: Path) -> None:
    """The same as far as files of these releases are made; a list of which no file is made says nothing."""
    root = fetched_or_skip(version)
    source = packaged_source(root)
    actual, made = own_lists(source, tmp_path, [*options, "--release", version])
    lists = file_lists(root, source, options)
    assert actual.keys() == lists.keys()
    expected = {name: restricted(text, made) for name, text in lists.items()}
    compared = [name for name, text in expected.items() if '"' in text or '"' not in lists[name]]
    assert {name: actual[name] for name in compared} == {name: expected[name] for name in compared}
    assert {"generated.cmake", "core_generated.cmake", "ops_generated.cmake"} <= {*compared}
