"""The runtime kit: the files that a backend outside PyTorch's tree starts with, and that belong to its author then.

In: the name of a device. Out: a project that can be built: allocator, guard, hooks, random numbers, CPU fallback, the
kernels of memory with their YAML, the Python package, CMake files, and a test.

    starter("tiny")  ->  (OutputFile("CMakeLists.txt", "..."), OutputFile("csrc/allocator.cpp", "..."), ...)

The files lie in `project/` as those of a device called `mydev`, so that they are checked as they are, without
placeholders; another name takes its place. What PyTorch asks of a backend is in its headers and documentation.
"""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from opwright.model.rules.names import CPP_KEYWORDS
from opwright.output.tree import OutputFile, stale

PROJECT = Path(__file__).parent / "project"

#: The device whose project that is.
EXAMPLE = "mydev"

#: Kinds of devices that PyTorch knows, and what else cannot be the name of a device module, a package or a namespace.
TAKEN = frozenset(
    "cpu cuda mkldnn opengl opencl ideep hip ve fpga maia xla lazy vulkan mps meta hpu mtia xpu privateuseone "
    "torch at aten std".split()
)


class NameFault(Exception):
    """A name that cannot be that of a device; the message is a plain sentence."""


def starter(name: str) -> tuple[OutputFile, ...]:
    """The files of a new backend for the device `name`, sorted by path.

    Raises `NameFault` for a name that PyTorch, C++ or Python would not take.
    """
    check_name(name)
    return tuple(
        OutputFile(
            path.relative_to(PROJECT).as_posix().replace(EXAMPLE, name),
            path.read_text(encoding="utf-8").replace(EXAMPLE, name),
        )
        for path in sorted(PROJECT.rglob("*"))
        if path.is_file() and path.suffix != ".pyc"
    )


def check_name(name: str) -> None:
    """Raise `NameFault` for a name that cannot be that of a device, a Python package and a C++ namespace at once."""
    if not re.fullmatch("[a-z]+(_[a-z]+)*", name):
        raise NameFault(f"'{name}' cannot be the name of a device: it takes small letters, and single '_' between them")
    if name in TAKEN:
        raise NameFault(f"'{name}' cannot be the name of a device: it has a meaning for PyTorch already")
    if name in CPP_KEYWORDS or keyword.iskeyword(name):
        raise NameFault(f"'{name}' cannot be the name of a device: it is a word of C++ or Python")
    if name in sys.stdlib_module_names:
        raise NameFault(f"'{name}' cannot be the name of a device: it is a module of Python's library")


def name_from(folder: Path) -> str:
    """The name of a device for a project in `folder`; it need not be a valid one."""
    return folder.absolute().name.lower().replace("-", "_")


def in_the_way(folder: Path, files: Iterable[OutputFile]) -> list[str]:
    """The paths of `files` at which `folder` has a file of other content: one of the author's, not to be replaced.

    Raises `WriteError` where there is something that is no file.
    """
    differing = stale([(folder / file.path, file.text) for file in files], any_line_ends=True)
    return [path.relative_to(folder).as_posix() for path, _ in differing if path.exists()]
