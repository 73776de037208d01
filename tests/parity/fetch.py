"""Fetch the reference generators of other PyTorch releases than the installed one.

    python tests/parity/fetch.py [--all | VERSION ...]

In: versions; all that parity is shown for, or without any the `USUAL` ones. Out: `<references>/<version>/torchgen` for
each, where `<references>` is the folder that the environment variable OPWRIGHT_REFERENCES names, or `.references` in
the checkout, and beside it `torch/_native`, where a release has declarations for it. The wheels come from the package
index that pip is set up to use; nothing else of them is kept. Exit status 1 if one of them cannot be had.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ALL = (
    "2.0.1", "2.1.0", "2.1.2", "2.2.2", "2.3.1", "2.4.1", "2.5.1", "2.6.0", "2.7.1", "2.8.0", "2.9.1", "2.10.0",
    "2.11.0", "2.12.1", "2.13.0", "2.14.1", "2.15.0",
)  # fmt: skip
#: A wheel has up to 100 MB, so not every run fetches all of them.
USUAL = ("2.0.1", "2.1.2")
CHECKOUT = Path(__file__).resolve().parents[2]

# The generator is pure Python, so any wheel will do. These are the smallest.
_WHEEL = (
    "--only-binary=:all:", "--python-version", "3.11", "--platform", "macosx_11_0_arm64", "--platform",
    "macosx_14_0_arm64",
)  # fmt: skip


class FetchError(Exception):
    """A release could not be had; the text says why."""


def references_folder() -> Path:
    """The folder that holds one folder per fetched release."""
    named = os.environ.get("OPWRIGHT_REFERENCES")
    return Path(named).resolve() if named else CHECKOUT / ".references"


def download_wheel(version: str, folder: Path) -> Path:
    """Let pip put the torch wheel of `version` into `folder`; its path. Raises FetchError if pip cannot."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check"]
    command += [*_WHEEL, "--dest", str(folder), f"torch=={version}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        raise FetchError(f"pip download torch=={version} failed:\n{done.stderr.strip()}")
    return wheels[0]


def unpack_torchgen(wheel: Path, folder: Path) -> None:
    """Unpack `torchgen/` and `torch/_native/` of a wheel into `folder`; nothing is left behind if that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".unpack-") as scratch, zipfile.ZipFile(wheel) as archive:
        members = [name for name in archive.namelist() if name.startswith(("torchgen/", "torch/_native/"))]
        archive.extractall(scratch, members)
        if not (Path(scratch) / "torchgen").is_dir():
            raise FetchError(f"{wheel.name} holds no torchgen")
        for part in sorted(Path(scratch).iterdir()):  # torchgen last: it says that all is there
            shutil.rmtree(folder / part.name, ignore_errors=True)
            part.rename(folder / part.name)


def fetch(version: str) -> None:
    """Fetch one release, unless it is there."""
    folder = references_folder() / version
    if (folder / "torchgen").is_dir():
        print(f"torchgen {version}: already in {folder}")
        return
    print(f"torchgen {version}: downloading the torch wheel")
    with tempfile.TemporaryDirectory() as scratch:
        unpack_torchgen(download_wheel(version, Path(scratch)), folder)
    print(f"torchgen {version}: unpacked to {folder}")


def main(arguments: list[str]) -> int:
    """Fetch the releases that are asked for, as far as they can be had; the exit status."""
    status = 0
    for version in ALL if arguments == ["--all"] else arguments or USUAL:
        try:
            fetch(version)
        except (FetchError, OSError, zipfile.BadZipFile) as error:
            print(f"error: {error}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
