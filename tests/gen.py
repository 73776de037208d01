"""The verb `gen` in a process of its own, on a small source, and what became of its files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from opwright.locate import SAMPLE
from tests.privileges import UNBOUND, give_up
from tests.program import environment, outputs

SMALL = """\
- func: soak(Tensor self, int depth=1) -> Tensor
  variants: function, method
- func: wring(Tensor self, float force=0.5) -> Tensor
- func: dry(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutograd: dry
  autogen: dry.out
- func: mine::scale(Tensor self, str mark='red "é"') -> Tensor
"""


def gen(
    *arguments: str | Path, folder: Path, site: str | Path = "", **changes: str
) -> subprocess.CompletedProcess[str]:
    """Run `opwright gen` in `folder`, with the modules in `site` before all others; it never shows a traceback."""
    command = [sys.executable, "-m", "opwright", "gen", *map(str, arguments)]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(*([site] if site else []), **changes),
        capture_output=True,
        encoding="utf-8",
        preexec_fn=None if UNBOUND else give_up,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def make_source(folder: Path, operators: str = SMALL) -> Path:
    """A source folder with these operators and what else the sample has."""
    shutil.copytree(SAMPLE / "templates", folder / "templates")
    (folder / "native").mkdir()
    shutil.copyfile(SAMPLE / "native" / "tags.yaml", folder / "native" / "tags.yaml")
    write_operators(folder, operators)
    return folder


def write_operators(source: Path, text: str) -> None:
    (source / "native" / "native_functions.yaml").write_text(text, encoding="utf-8", newline="\n")


def content(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, manifests aside."""
    return {name: path.read_bytes() for name, path in outputs(folder).items()}


def names(folder: Path) -> list[str]:
    return sorted(content(folder))


def age(folder: Path) -> None:
    """Make every file look old, so that writing to it shows."""
    for path in folder.rglob("*"):
        if path.is_file():
            os.utime(path, (1_000_000, 1_000_000))


def touched(folder: Path) -> list[str]:
    """The files written to since `age`."""
    return [name for name in names(folder) if (folder / name).stat().st_mtime > 2_000_000]
