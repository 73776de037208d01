"""What a run can look at outside itself: files, folders, packages, each by a name.

In: a kind of look and a name. Out: what is found, as plain values, so that it can be kept and compared later. Looking
again is all that it takes to know whether a later run would find the same.

    look("content", "tags.yaml")  ->  "6f1ed002ab5595859014ebf0951522d9"
    look("is_file", "aten/src/ATen/native/native_functions.yaml")  ->  False

Nothing here reads what it finds, and little is imported: a run that has nothing to do imports this and not much more.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Mapping

try:  # without OpenSSL, which takes longer to load than all digests of a run
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

Found = str | bool | list[str] | None
#: What was found, by the kind of look and the name.
Sights = Mapping[str, Mapping[str, Found]]

#: What C++ files end in.
CPP_SUFFIXES = frozenset({".cc", ".cpp", ".cu", ".cuh", ".cxx", ".h", ".hh", ".hpp", ".inl", ".m", ".mm"})


def digest(data: bytes) -> str:
    """What tells one content from another: BLAKE2b of 128 bits, in hexadecimal digits."""
    return blake2b(data, digest_size=16).hexdigest()


def look(kind: str, name: str) -> Found:
    """What is found under a name now. Raises `KeyError` when there is no such kind."""
    return _LOOKS[kind](name)


def is_same(sights: Sights) -> bool:
    """Whether everything is found as it was. Raises `KeyError` for a kind that there is not."""
    return all(look(kind, name) == found for kind, names in sights.items() for name, found in names.items())


def _content(path: str) -> str | None:
    """The digest of a file; None when it cannot be read, or only once, as a pipe."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116
            return None
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - a hundred files, and a Path has to be imported
            return digest(file.read())
    except (OSError, ValueError):
        return None


def _names(folder: str) -> list[str] | None:
    """What is in a folder, sorted; None when it cannot be listed."""
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208
    except (OSError, ValueError):
        return None


def _cpp_files(folder: str) -> list[str]:
    """The C++ files below a folder, sorted by their parts."""
    found = [
        os.path.join(place, name)  # noqa: PTH118
        for place, _, names in os.walk(folder)
        for name in names
        if os.path.splitext(name)[1] in CPP_SUFFIXES  # noqa: PTH122
    ]
    return sorted(filter(os.path.isfile, found), key=lambda path: path.split(os.sep))  # noqa: PTH206


def _package(name: str) -> list[str]:
    """The folders of an installed package, which is not imported; none when there is no such package."""
    from importlib.util import find_spec

    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return []
    return [str(place) for place in (spec.submodule_search_locations or ())] if spec else []


def _stamps(folder: str) -> str:
    """A digest of the sizes and times of all files below a folder, caches aside.

    What cannot be looked at, in an archive for instance, is never the same as before.
    """
    found: list[str] = []
    try:
        _gather_stamps(folder, found)
    except OSError:
        return f"unknown at {time.time_ns()}"
    return digest("\n".join(sorted(found)).encode("utf-8", "surrogateescape"))


def _gather_stamps(folder: str, found: list[str]) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    _gather_stamps(entry.path, found)
            else:
                status = entry.stat()
                found.append(f"{entry.path} {status.st_size} {status.st_mtime_ns}")


_LOOKS: dict[str, Callable[[str], Found]] = {
    "content": _content,
    "exists": os.path.exists,
    "is_file": os.path.isfile,
    "is_folder": os.path.isdir,
    "names": _names,
    "cpp_files": _cpp_files,
    "package": _package,
    "stamps": _stamps,
}
