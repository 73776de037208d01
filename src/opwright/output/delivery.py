"""Bringing the files of a run to where they belong, and keeping the manifests of the install folder.

In: finished files and their places. Out: files and manifests on disk, and what became of each file, of a run before
this one too.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from opwright.output.manifest import Leftover, Manifest, digest, leftovers, manifest_text, prune
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
        made = {file.path for file in self.files if file.path not in self.moved}
        return leftovers(self.manifests, self.steps, made | {_name(self.folder, at) for at in self.moved.values()})

    def new_manifests(self, staying: Sequence[Leftover]) -> list[Manifest]:
        """The manifests of this run's steps, in which the leftovers that stay are kept in mind."""
        held: dict[str, dict[str, str]] = {step: {} for step in sorted(self.steps)}
        for leftover in staying:
            held[leftover.manifest.step][leftover.name] = leftover.held
        for file in self.files:
            if file.path not in self.moved:
                held[file.step][file.path] = digest(file.text.encode())
        return [Manifest(self.folder, step, files) for step, files in held.items()]


def _name(folder: Path, place: Path) -> str:
    """The path of `place` relative to `folder`; for a place outside it is none that a manifest can hold."""
    try:
        return Path(os.path.relpath(os.path.realpath(place), os.path.realpath(folder))).as_posix()
    except ValueError:  # on another drive
        return place.as_posix()


class Delivery(Value):
    """What became of the files of a run, and of the leftovers: which are removed and which are kept."""

    written: list[Written]
    removed: list[Leftover]
    kept: list[Leftover]


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
    if not dry_run:
        prune(removed)
        manifests = run.new_manifests([] if pruning else kept)
        write_files([(one.path, manifest_text(one, head)) for one in manifests], dry_run=False)
    return Delivery(written, removed, kept)
