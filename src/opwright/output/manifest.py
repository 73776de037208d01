"""Manifests: what runs have written into a folder, so that a later run knows the files that nobody makes any more.

In: the files of a run. Out: a manifest for each kind of files, beside them, `.opwright-headers.json` for instance; and,
from those of earlier runs, the files that are left over.

    {"format": 2, "generator": "opwright 0.1.0", ..., "files": {"ops/add.h": "c81-5a3f0e97"}}

A run that makes only some kinds of files replaces only their manifests, and runs that make different kinds at the same
time do not meet. A file that is not made any more stays in the manifest, so that no run forgets it: while it is there
among the files, and when it is gone as one that is `gone`, so that it is known when it comes back.

A manifest is only ever a hint: one that is damaged or by somebody else is passed over, and a file is removed only when
it lies in the folder itself and still has the content that was written.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from opwright.output.tree import HIDDEN, checksum, remove
from opwright.source import UnreadableError, read_bytes
from opwright.values import Value, made

#: Manifests of another number are not read.
FORMAT = 2

# Names such as Opwright makes. Nothing that leads out of a folder, on any system, has this form.
_NAME = re.compile(r"\w(?:[\w.-]*\w)?(?:/\w(?:[\w.-]*\w)?)*")


class Manifest(Value):
    """The checksums by which the files of one step are known, by their paths relative to `folder`, with `/`.

    `gone` are files that were made and removed. `problem` says why what is there could not be used; the manifest is
    empty then.
    """

    folder: Path
    step: str
    files: Mapping[str, str]
    problem: str = ""
    gone: Mapping[str, str] = made(default_factory=dict)

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return self.folder / f"{HIDDEN}{self.step}.json"

    def ever_made(self) -> dict[str, str]:
        """The files of the last run and of all before it."""
        return {**self.gone, **self.files}


def manifest_text(manifest: Manifest, head: Mapping[str, object]) -> str:
    """The text of a manifest. `head` says how the files were made; it is for people."""
    from json import dumps

    whole = {"format": FORMAT, **head, "step": manifest.step, "files": _sorted(manifest.files)}
    if manifest.gone:
        whole["gone"] = _sorted(manifest.gone)
    # One line for each file. With an indentation, Python's own encoder would do it, in ten times the time.
    return dumps(whole, separators=(",\n", ": "), ensure_ascii=False) + "\n"


def _sorted(checksums: Mapping[str, str]) -> dict[str, str]:
    """Checksums in the order of the names."""
    return {name: checksums[name] for name in sorted(checksums)}


def read_manifest(folder: Path, step: str) -> Manifest:
    """The manifest that the last run of a step has left in a folder; an empty one where there is none."""
    nothing = Manifest(folder, step, {})
    if not nothing.path.is_file():
        return nothing
    try:
        whole = _read(read_bytes(nothing.path, nothing.path.as_posix()))
    except UnreadableError as error:
        return Manifest(folder, step, {}, error.message)
    files, gone = _checksums(whole.get("files")), _checksums(whole.get("gone", {}))
    if files is None or gone is None:
        return Manifest(folder, step, {}, "it is not a manifest of this version of Opwright")
    return Manifest(folder, step, files, "", gone)


def _read(data: bytes) -> dict[str, object]:
    """What a manifest holds; nothing when it is none of this format."""
    from json import loads

    try:
        whole = loads(data)
    except (ValueError, RecursionError):
        return {}
    return whole if isinstance(whole, dict) and whole.get("format") == FORMAT else {}


def _checksums(files: object) -> dict[str, str] | None:
    """The checksums by name; None when any of them is not as it is written here."""
    if not isinstance(files, dict):
        return None
    is_sound = all([_NAME.fullmatch(name) and isinstance(held, str) for name, held in files.items()])
    return files if is_sound else None


class Leftover(Value):
    """A file of an earlier run that is not made any more; `held` is the checksum of what was written."""

    manifest: Manifest
    name: str
    held: str

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self.manifest.folder / self.name

    def is_untouched(self) -> bool:
        """Whether it is a file in the folder itself, no link leads to it, and its content is what was written.

        That is also true of a file that is gone: nobody's work is lost with it.
        """
        folder = self.manifest.folder
        try:
            if os.path.realpath(self.path) != os.path.join(os.path.realpath(folder), *self.name.split("/")):  # noqa: PTH118
                return False
            return stat.S_ISREG(self.path.lstat().st_mode) and checksum(self.path.read_bytes()) == self.held
        except FileNotFoundError:  # another run has removed it just now
            return True
        except OSError:
            return False


def obsolete(leftover: Leftover) -> str:
    """What a check shows of a leftover."""
    name = leftover.path.as_posix()
    what = "--prune removes it" if leftover.is_untouched() else "it was edited, so --prune keeps it"
    return f"--- {name} (on disk)\n+++ {name} (generated)\nthis file is not made any more; {what}\n"


def leftovers(manifests: Iterable[Manifest], steps: Collection[str], names: Collection[str]) -> list[Leftover]:
    """What is left over of earlier runs of `steps` now that a run has made the files called `names`.

    `manifests` are those of all steps: what another step has made is no leftover.
    """
    manifests = list(manifests)
    wanted = set(names).union(*[manifest.files for manifest in manifests if manifest.step not in steps])
    found = [
        Leftover(manifest, name, held)
        for manifest in manifests
        if manifest.step in steps
        for name, held in manifest.ever_made().items()
        if name not in wanted and os.path.lexists(manifest.folder / name)
    ]
    return _without_aliases(found, wanted)


def _without_aliases(found: list[Leftover], wanted: Collection[str]) -> list[Leftover]:
    # Where the system takes `Add.h` and `add.h` for one file, it is the one that is still made.
    by_case = {name.casefold(): name for name in wanted} if found else {}
    kept = []
    for leftover in found:
        twin = by_case.get(leftover.name.casefold())
        with suppress(OSError):
            if twin is not None and leftover.path.samefile(leftover.manifest.folder / twin):
                continue
        kept.append(leftover)
    return kept


def prune(found: Iterable[Leftover]) -> None:
    """Remove these leftovers, and the folders that are empty for that reason. Raises `WriteError`."""
    folders: set[Path] = set()
    for leftover in found:
        remove(leftover.path)
        parents = PurePosixPath(leftover.name).parents
        folders.update(leftover.manifest.folder / parent for parent in parents if parent.name)
    for folder in sorted(folders, key=lambda folder: len(folder.parts), reverse=True):
        with suppress(OSError):  # it still holds something
            folder.rmdir()
