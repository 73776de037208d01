"""Bringing the files of a run to where they belong, and keeping the manifests of the install folder.

In: finished files and their places. Out: files and manifests on disk, and what became of each file, of a run before
this one too.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from opwright.looks import digest
from opwright.output.manifest import Leftover, Manifest, leftovers, manifest_text, prune
from opwright.output.tree import OutputFile, Written, write_files
from opwright.values import Value


class Run(Value):
    """The files of a run that makes `steps`, with their places, for an install folder with its manifests.

    `moved` has the places of files that do not go to the folder.
    """

    folder: Path
    steps: Collection[str]
    files: Sequence[OutputFile]
    places: Sequence[Path]
    moved: Mapping[str, Path]
    manifests: Sequence[Manifest]

    def placed(self) -> list[tuple[Path, str]]:
        """Each place and what belongs there."""
        return [(place, file.text) for place, file in zip(self.places, self.files, strict=True)]

    def leftovers(self) -> list[Leftover]:
        """What is left over of the steps that this run makes."""
        return leftovers(self.manifests, self.steps, self._made())

    def _made(self) -> set[str]:
        """The files that this run makes, by their paths relative to the folder."""
        made = {file.path for file in self.files if file.path not in self.moved}
        return made | {_name(self.folder, at) for at in self.moved.values()}

    def new_manifests(self, kept: Sequence[Leftover], *, pruning: bool) -> list[Manifest]:
        """The manifests of this run's steps, which keep in mind the leftovers that are `kept`, and what is gone.

        After pruning what is kept is somebody's own, so it is forgotten.
        """
        held: dict[str, dict[str, str]] = {step: {} for step in sorted(self.steps)}
        for leftover in () if pruning else kept:
            held[leftover.manifest.step][leftover.name] = leftover.held
        for file in self.files:
            if file.path not in self.moved:
                held[file.step][file.path] = digest(file.text.encode())
        gone = self._gone({leftover.name for leftover in kept})
        return [Manifest(self.folder, step, files, "", gone.get(step, {})) for step, files in held.items()]

    def _gone(self, kept: Collection[str]) -> dict[str, dict[str, str]]:
        """What earlier runs of this run's steps have made that is neither made any more nor kept, by step."""
        others = [manifest.files for manifest in self.manifests if manifest.step not in self.steps]
        known = self._made().union(kept, *others)
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


def deliver(run: Run, head: Mapping[str, object], *, pruning: bool, dry_run: bool) -> Delivery:
    """Write the files; with `pruning`, remove the leftovers that nobody has edited; and write the manifests.

    With `dry_run` nothing is touched, and what would happen is told. `head` says in the manifests how the files were
    made. A leftover that was edited is its editor's from now on, so the manifests forget it. Raises `WriteError`.
    """
    written = write_files(run.placed(), dry_run=dry_run)
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
