"""Depfiles: what a run has read, in the syntax of Make, for build tools that then know when to run it again.

In: the file that stands for the run in the build, and paths. Out: one rule.

    "build/ops.stamp", ["native_functions.yaml", "my templates/Functions.h"]
        ->  "build/ops.stamp: \\\\\\n  native_functions.yaml \\\\\\n  my\\\\ templates/Functions.h\\n"
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from opwright.output.tree import WriteError

#: What the name of a depfile ends in; without it, it is the name of the target.
SUFFIX = ".d"


def depfile(path: Path, inputs: Iterable[Path]) -> tuple[Path, str]:
    """The depfile at `path` and its text: what `path` is without its suffix depends on `inputs`.

    Raises `WriteError` for a name that has a line end in it, which no depfile can hold.
    """
    target = path.as_posix().removesuffix(SUFFIX)
    names = list(dict.fromkeys([one.as_posix() for one in inputs]))
    for name in (target, *names):
        if "\n" in name or "\r" in name:
            raise WriteError(path.as_posix(), f"a depfile cannot name {name!r}, which has a line end in it")
    return path, " \\\n  ".join([f"{_escaped(target)}:", *map(_escaped, names)]) + "\n"


def _escaped(name: str) -> str:
    # Make, Ninja and CMake agree on these. Separators are `/` everywhere, and all three know drive letters.
    return name.replace(" ", "\\ ").replace("#", "\\#").replace("$", "$$")


def loaded_modules(package: str) -> list[Path]:
    """The files of the modules of a package that this process has imported, sorted."""
    names = [name for name in sys.modules if name.partition(".")[0] == package]
    files = {getattr(sys.modules[name], "__file__", None) for name in names}
    # A module inside an archive has a name, but is no file to depend on.
    return sorted(path for path in map(Path, filter(None, files)) if path.is_file())
