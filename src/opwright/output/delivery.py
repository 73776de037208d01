"""Bringing the files of a run to where they belong, and keeping the manifests of the install folder.

In: files as they are made, with their places. Out: files and manifests on disk, and what became of each file, of a run
before this one too.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from opwright.output.manifest import Leftover, Manifest, leftovers, manifest_text, prune
from opwright.output.tree import Change, OutputFile, OutputTree, Written, stale, write_files
from opwright.values import Value, derived


class Taken(Value):
    """What is kept of a file when its text is gone: what it is, as `OutputFile` has it, and what became of it."""

    path: str
    family: str
    is_umbrella: bool
    step: str
    written: Written


class Intake:
    """Takes the files of a run as they are made, and keeps of each only what `Taken` has.

    Nothing is to be seen of them before `commit`; left without it, the `with` block leaves everything as it was. When
    `checking`, or with `dry_run`, nothing is written. When `checking`, `differing` has a diff for each file that is not
    as it should be.
    """

    __slots__ = ("_tree", "differing", "files", "is_checking")

    def __init__(self, *, checking: bool, dry_run: bool) -> None:
        self.is_checking = checking
        self._tree = OutputTree(dry_run=dry_run or checking)
        self.files: list[Taken] = []
        self.differing: list[tuple[Path, str]] = []

    def __enter__(self) -> Intake:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._tree.__exit__(kind, error, at)

    def take(self, file: OutputFile, place: str) -> Written:
        """Take a file that belongs at the path `place`, and say what is to become of it. Raises `WriteError`."""
        written = self._tree.add(place, file.text)
        self.files.append(Taken(file.path, file.family, file.is_umbrella, file.step, written))
        if self.is_checking and written.change is not Change.UNCHANGED:
            self.differing += stale([(written.path, file.text)])
        return written

    def commit(self) -> None:
        """Put the files in place. Raises `WriteError`."""
        self._tree.commit()


class Run(Value):
    """The files of a run that makes `steps`, for an install folder with its manifests.

    `moved` has the places of files that do not go to the folder. `made` are the paths of the files relative to the
    folder.
    """

    folder: Path
    steps: Collection[str]
    files: Sequence[Taken]
    moved: Mapping[str, Path]
    manifests: Sequence[Manifest]
    made: frozenset[str] = derived()

    def __post_init__(self) -> None:
        made = frozenset([file.path for file in self.files]).difference(self.moved)
        object.__setattr__(self, "made", made.union([_name(self.folder, at) for at in self.moved.values()]))

    def leftovers(self) -> list[Leftover]:
        """What is left over of the steps that this run makes."""
        return leftovers(self.manifests, self.steps, self.made)

    def new_manifests(self, kept: Sequence[Leftover], *, pruning: bool) -> list[Manifest]:
        """The manifests of this run's steps, which keep in mind the leftovers that are `kept`, and what is gone.

        After pruning what is kept is somebody's own, so it is forgotten.
        """
        held: dict[str, dict[str, str]] = {step: {} for step in sorted(self.steps)}
        for leftover in () if pruning else kept:
            held[leftover.manifest.step][leftover.name] = leftover.held
        for file in self.files:
            if file.path not in self.moved:
                held[file.step][file.path] = file.written.checksum
        gone = self._gone({leftover.name for leftover in kept})
        return [Manifest(self.folder, step, files, "", gone.get(step, {})) for step, files in held.items()]

    def _gone(self, kept: Collection[str]) -> dict[str, dict[str, str]]:
        """What earlier runs of this run's steps have made that is neither made any more nor kept, by step."""
        others = [manifest.files for manifest in self.manifests if manifest.step not in self.steps]
        known = self.made.union(kept, *others)
        return {
            manifest.step: {name: held for name, held in manifest.ever_made().items() if name not in known}
            for manifest in self.manifests
            if manifest.step in self.steps
        }


def _name(folder: Path, place: Path) -> str:
    """The path of `place` relative to `folder`; for a place outside it is none that a manifest can hold."""
    try:
        return Path(os.path.relpath(os.path.realpath(place), os.path.realpath(folder))).as_posix()
    except ValueError:  # on another drive
        return place.as_posix()


class Delivery(Value):
    """What became of the files of a run, and of the leftovers: which are removed and which are kept.

    `manifests` are what became of the manifests, and `gone` the names that they have of files that are gone.
    """

    written: list[Written]
    removed: list[Leftover]
    kept: list[Leftover]
    manifests: list[Written]
    gone: list[str]


def deliver(run: Run, intake: Intake, head: Mapping[str, object], *, pruning: bool, dry_run: bool) -> Delivery:
    """Put the files of the intake in place, remove leftovers, and write the manifests.

    Leftovers are removed with `pruning`, and when nobody has edited them. With `dry_run` nothing is touched, and what
    would happen is told. `head` says in the manifests how the files were made. A leftover that was edited is its
    editor's from now on, so the manifests forget it. Raises `WriteError`.
    """
    intake.commit()
    written = [file.written for file in run.files]
    removed: list[Leftover] = []
    kept: list[Leftover] = []
    for leftover in run.leftovers():
        (removed if pruning and leftover.is_untouched() else kept).append(leftover)
    if dry_run:
        return Delivery(written, removed, kept, [], [])
    prune(removed)
    new = run.new_manifests(kept, pruning=pruning)
    manifests = write_files([(one.path, manifest_text(one, head)) for one in new], dry_run=False)
    return Delivery(written, removed, kept, manifests, [name for one in new for name in one.gone])
