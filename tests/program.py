"""Opwright in a process of its own: the package that is being tested, whatever folder the process is in."""

from __future__ import annotations

import os
from pathlib import Path

import opwright
from opwright.output.tree import HIDDEN

#: What a child needs of the variables of the tests; the rest could be settings of whoever runs them.
INHERITED = {"PATH", "SYSTEMROOT", "HOME", "TEMP", "TMP", "TMPDIR", "LD_LIBRARY_PATH"}


def environment(*places: str | Path, **changes: str) -> dict[str, str]:
    """The variables for a child, with these places and then the tested package first where modules are looked for."""
    variables = {name: value for name, value in os.environ.items() if name.upper() in INHERITED}
    inherited = [Path(entry) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    found = [*places, Path(opwright.__file__).parents[1], *inherited]
    variables["PYTHONPATH"] = os.pathsep.join(str(Path(entry).absolute()) for entry in found)
    return {**variables, **changes}


def outputs(folder: str | Path) -> dict[str, Path]:
    """The files below a folder by their relative paths, sorted, without what Opwright keeps beside them for itself."""
    files = [path for path in Path(folder).rglob("*") if path.is_file() and not path.name.startswith(HIDDEN)]
    return {path.relative_to(folder).as_posix(): path for path in sorted(files)}
