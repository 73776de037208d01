"""Make the digests of what every release's torchgen makes, which `test_digests.py` compares Opwright's files with.

    python -m tests.parity.digests [--check] [VERSION ...]

In: the torchgens that `fetch.py` got, of all releases or of the versions given. Out: `digests.json.xz` with those
releases anew, or, with `--check`, what is not as that file has it, and exit status 1.

For each release, the file has a digest of all that the release's files are made of, and by set and by name a digest of
each of them, as the difference to the release before: a file that is gone has null, and so has a set whose input the
release does not accept.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from opwright.releases import NAMES, find_release
from opwright.releases.release import Release
from opwright.values import Value
from tests.parity.digest_sets import SETS, Files, FileSet
from tests.parity.fetch import ALL
from tests.parity.forms import DIGITS, file_digest
from tests.parity.reference import fetched_torchgen
from tests.parity.written_source import source_texts, write_source

STORE = Path(__file__).with_name("digests.json.xz")

#: The digests of the files of a set by their names; None when a release does not accept its input.
Digests = dict[str, str] | None
#: The difference to the release before: a file that is gone has None.
Change = Mapping[str, str | None] | None


class Recorded(Value):
    """What is known of a release: the digest of what its files are made of, and those of the files by set."""

    input: str
    sets: dict[str, Digests]


def digests_of(files: Files | None, release: Release) -> Digests:
    """The digests of files."""
    if files is None:
        return None
    unordered = release.unordered_files
    return {
        name: file_digest(name, path.read_bytes(), braces_as_sets=name in unordered) for name, path in files.items()
    }


def input_digest(release: Release) -> str:
    """The digest of all that the files of a release are made of."""
    texts = {**source_texts(release), **{name: one.described(release) for name, one in SETS.items()}}
    return hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()[:DIGITS]


def record(version: str, root: Path) -> Recorded:
    """What the torchgen in `root`, which is of this version, makes."""
    release = release_of(version)
    with tempfile.TemporaryDirectory() as place:
        source = write_source(release, Path(place) / "source")
        sets = {name: _record_set(one, root, release, source) for name, one in SETS.items()}
    return Recorded(input_digest(release), sets)


def _record_set(one: FileSet, root: Path, release: Release, source: Path) -> Digests:
    with tempfile.TemporaryDirectory() as folder:
        return digests_of(one.by_torchgen(root, release, source, Path(folder)), release)


def release_of(version: str) -> Release:
    found = find_release(version)
    assert found is not None, f"{version} is not a release that Opwright knows"
    return found


def read_store() -> dict[str, Recorded]:
    """What is stored, by the names of the releases."""
    found: dict[str, Recorded] = {}
    before: dict[str, Digests] = {}
    for release, input, changes in json.loads(lzma.decompress(STORE.read_bytes())):
        before = {name: _applied(before.get(name), change) for name, change in changes.items()}
        found[release] = Recorded(input, before)
    return found


def _applied(before: Digests, change: Change) -> Digests:
    """A set of the release before with what has changed."""
    if change is None:
        return None
    return {name: digest for name, digest in {**(before or {}), **change}.items() if digest is not None}


def write_store(records: dict[str, Recorded]) -> None:
    """Store what is known of all releases."""
    stored = []
    before: dict[str, Digests] = {}
    for release in filter(records.__contains__, NAMES):
        sets = records[release].sets
        changes = {name: _change(before.get(name), digests) for name, digests in sets.items()}
        stored.append((release, records[release].input, changes))
        before = sets
    text = json.dumps(stored, separators=(",", ":"), sort_keys=True)
    STORE.write_bytes(lzma.compress(text.encode(), preset=lzma.PRESET_EXTREME | 9))


def _change(before: Digests, after: Digests) -> Change:
    """The difference between a set and that of the release before."""
    if after is None:
        return None
    before = before or {}
    return {**dict.fromkeys(before.keys() - after.keys()), **dict(after.items() - before.items())}


def differing(expected: Digests, actual: Digests) -> list[str]:
    """What is wrong with the files of a set, a line for each."""
    if expected is None or actual is None:
        return [] if expected == actual else [f"the input is {'refused' if actual is None else 'accepted'}"]
    return [
        *(f"{name} is missing" for name in sorted(expected.keys() - actual.keys())),
        *(f"{name} should not be there" for name in sorted(actual.keys() - expected.keys())),
        *(f"{name} differs" for name in sorted(expected.keys() & actual.keys()) if expected[name] != actual[name]),
    ]


def faults_of(expected: Recorded, actual: Recorded) -> list[str]:
    """What is wrong with what was made of a release."""
    if expected.input != actual.input:
        return ["the files are made of something else"]
    return [f"{name}: {line}" for name in SETS for line in differing(expected.sets[name], actual.sets[name])]


def main(arguments: Sequence[str]) -> int:
    """Make or check the digests; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.parity.digests")
    parser.add_argument("--check", action="store_true", help="write nothing, and say what is not as it is stored")
    parser.add_argument("versions", metavar="VERSION", nargs="*", help="such as 2.0.1 (default: all that are fetched)")
    options = parser.parse_args(arguments)
    stored, made = read_store() if STORE.is_file() else {}, dict[str, Recorded]()
    faults: list[str] = []
    for version in options.versions or filter(fetched_torchgen, ALL):
        root, release = fetched_torchgen(version), release_of(version).name
        if root is None:
            faults.append(f"{version}: not there; get it with: python tests/parity/fetch.py {version}")
            continue
        print(version, flush=True)
        found = record(version, root)
        expected = stored.get(release) if options.check else made.setdefault(release, found)
        lines = faults_of(expected, found) if expected else ["there are no digests"]
        faults += [f"{version}: {line}" for line in lines]
        if not options.check:
            write_store({**stored, **made})
    sys.stderr.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
