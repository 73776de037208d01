"""The lists of files that `-o` writes, for build systems, are to the letter those of torchgen."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.parity.checks import fetched_or_skip, installed_or_skip
from tests.parity.fetch import ALL
from tests.parity.reference import file_lists, packaged_source
from tests.parity.test_releases import release_of
from tests.program import environment

OPTIONS = {
    "aggregated": (),
    "per-operator": ("--per-operator-headers",),
    "xpu": ("--xpu",),
    "headers": ("--generate", "headers"),
}


def own_lists(source: Path, folder: Path, options: Sequence[str]) -> dict[str, str]:
    """Opwright's lists from a dry run into `./out/` of `folder`."""
    command = [sys.executable, "-m", "opwright", "gen", "-q", "-s", str(source), "-d", "./out/", *options]
    command += ["--dry-run", "-o", "lists/generated.cmake"]
    subprocess.run(command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, check=True)
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((folder / "lists").iterdir())}


@pytest.mark.parametrize("options", [OPTIONS["per-operator"], OPTIONS["xpu"]], ids=["per-operator", "xpu"])
def test_all_files(options: Sequence[str], tmp_path: Path) -> None:
    root = installed_or_skip()
    source = packaged_source(root)
    assert own_lists(source, tmp_path, options) == file_lists(root, source, options)


@pytest.mark.thorough
@pytest.mark.parametrize("version", ALL)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_every_release(version: str, options: Sequence[str], tmp_path: Path) -> None:
    root = fetched_or_skip(version)
    if "--xpu" in options and "xpu" not in release_of(version).key_facts.flags.values():
        pytest.skip(f"PyTorch {version} has no --xpu")
    source = packaged_source(root)
    assert own_lists(source, tmp_path, [*options, "--release", version]) == file_lists(root, source, options)
