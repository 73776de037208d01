"""Write when operators came and went: src/opwright/releases/data/operator_history.txt.

    python tools/operator_history.py [FOLDER]

In: the torch wheels of the releases, which pip fetches into FOLDER (default: a temporary one) unless they are there
already, unpacked as `FOLDER/2.1.2/torchgen`. Out: the data file. It has the names of operators that are not in every
release, each with the first release that it is in and the last one.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

#: The releases to look at, oldest first, each with a Python that it has a wheel for.
RELEASES = {
    "1.13.1": "3.10", "2.0.1": "3.10", "2.1.2": "3.10", "2.2.2": "3.10", "2.3.1": "3.10", "2.4.1": "3.10",
    "2.5.1": "3.10", "2.6.0": "3.10", "2.7.1": "3.10", "2.8.0": "3.10", "2.9.1": "3.10", "2.10.0": "3.11",
    "2.11.0": "3.11", "2.12.1": "3.11", "2.13.0": "3.11", "2.14.1": "3.11",
}  # fmt: skip
NATIVE = "torchgen/packaged/ATen/native/native_functions.yaml"
TARGET = Path(__file__).parents[1] / "src" / "opwright" / "releases" / "data" / "operator_history.txt"
HEAD = """\
# When operators came and went, of those that are not in every release: 'first' has the names that a release is the
# first one with, 'last' those that it is the last one with. Written by tools/operator_history.py.
"""
#: The wheels for macOS are the smallest.
_PLATFORMS = ("--platform", "macosx_11_0_arm64", "--platform", "macosx_14_0_arm64")


def operators(version: str, folder: Path) -> set[str]:
    """The names of a release's operators, those that are generated included."""
    native = folder / version / NATIVE
    if not native.is_file():
        fetch(version, folder)
    text = native.read_text(encoding="utf-8")
    names = set(re.findall(r"^- func: (?:\w+::)?([\w.]+)\(", text, re.MULTILINE))
    for listed in re.findall(r"^  autogen: (.*)$", text, re.MULTILINE):
        names.update(name.strip() for name in listed.split(","))
    return names


def fetch(version: str, folder: Path) -> None:
    """Get the operators of a release out of its wheel."""
    print(f"torch {version}")
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        command += ["--python-version", RELEASES[version], *_PLATFORMS, "--dest", scratch, f"torch=={version}"]
        subprocess.run(command, check=True)
        with zipfile.ZipFile(next(Path(scratch).glob("*.whl"))) as wheel:
            wheel.extract(NATIVE, folder / version)


def lines(releases: Sequence[str], names: Mapping[str, set[str]]) -> Iterable[str]:
    """The lines of the data file."""
    for at, release in enumerate(releases):
        before = set().union(*(names[one] for one in releases[:at]))
        after = set().union(*(names[one] for one in releases[at + 1 :]))
        for word, found in (("first", names[release] - before), ("last", names[release] - after)):
            is_bound = (word, at) in (("first", 0), ("last", len(releases) - 1))
            if found and not is_bound:
                yield f"{word} {minor(release)} {' '.join(sorted(found))}\n"


def minor(version: str) -> str:
    """The release of a version: 2.1 of 2.1.2."""
    return version.rpartition(".")[0]


def main(arguments: Sequence[str]) -> None:
    """Read all releases and write the file."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(arguments[0] if arguments else scratch)
        names = {version: operators(version, folder) for version in RELEASES}
    TARGET.write_text(HEAD + "".join(lines(list(RELEASES), names)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
