"""The inputs of a run: what it reads and looks for, with what was found.

In: names of files and folders. Out: what is there; and afterwards the sights of the run, by which `looks.is_same` can
tell whether another run would find the same.

    inputs.read(Path("tags.yaml")).text  ->  "- tag: core\\n", and inputs.sights["content"]["tags.yaml"] is its digest
"""

from __future__ import annotations

import os
from pathlib import Path

from opwright.looks import Found, digest, look
from opwright.source import Source, Text, UnreadableError, decoded, read_bytes, shown_path

#: What is kept of a name under which one run has found two different things; nothing that can be found is equal to it.
UNSTEADY = "changed while the run was reading"


class Inputs:
    """Reads and looks, and keeps in mind what was found. `paths` are the files that were read as input, in order."""

    __slots__ = ("paths", "sights")

    def __init__(self) -> None:
        self.paths: list[Path] = []
        self.sights: dict[str, dict[str, Found]] = {}

    def look(self, kind: str, name: str | Path) -> Found:
        """What is found under a name; for the kinds see `looks`."""
        return self._note(kind, name, look(kind, os.fspath(name)))

    def is_file(self, path: Path) -> bool:
        """Whether there is a file at `path`."""
        return bool(self.look("is_file", path))

    def exists(self, path: Path) -> bool:
        """Whether there is anything at `path`."""
        return bool(self.look("exists", path))

    def names(self, kind: str, name: str | Path) -> list[str]:
        """What is found under a name where that is a list; empty when it cannot be looked at."""
        found = self.look(kind, name)
        return found if isinstance(found, list) else []

    def read(self, text: Text) -> Source:
        """Read an input; a text that is made needs no reading. Raises `UnreadableError`, as `source.read_source`."""
        if isinstance(text, Source):
            return text
        self.paths.append(Path(text))
        return decoded(self._bytes(text), shown_path(text))

    def source(self, text: Text) -> Text:
        """The input read ahead for who reads it later; one that cannot be read as it is, so that they report it."""
        try:
            return self.read(text)
        except UnreadableError:
            return text

    def peek(self, path: Path) -> bytes | None:
        """The bytes of a file that is looked into for a hint and is no input; None when it cannot be read."""
        try:
            return self._bytes(path)
        except UnreadableError:
            return None

    def _bytes(self, path: str | Path) -> bytes:
        # The digest is that of the bytes that are used, so a file that changes later is not taken for them.
        try:
            data = read_bytes(path, shown_path(path))
        except UnreadableError:
            self._note("content", path, None)
            raise
        self._note("content", path, digest(data))
        return data

    def _note(self, kind: str, name: str | Path, found: Found) -> Found:
        known = self.sights.setdefault(kind, {})
        if known.setdefault(os.fspath(name), found) != found:
            known[os.fspath(name)] = UNSTEADY
        return found
