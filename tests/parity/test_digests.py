"""Opwright set to any PyTorch release makes the files of that release's torchgen, which need not be there.

What is made of the operator facts is compared with the digests that `digests.py` stored; see there. When a set differs
and its torchgen is fetched, the test shows the differences.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from opwright.compare.differences import file_difference
from opwright.releases.release import Release
from tests.parity.checks import SHOWN
from tests.parity.digest_sets import SETS, Files
from tests.parity.digests import Recorded, differing, digests_of, input_digest, read_store, release_of
from tests.parity.fetch import ALL
from tests.parity.forms import file_digest
from tests.parity.reference import fetched_torchgen
from tests.parity.written_source import write_source

#: The version whose torchgen shows the differences, by release.
VERSIONS = {release_of(version).name: version for version in ALL}
#: The largest set; what is not in the others are the files of some devices.
DEVICES = "devices-per-operator"
RELEASES = {
    release: pytest.param(release, marks=pytest.mark.xdist_group(f"digests {release}"), id=release)
    for release in VERSIONS
}


@cache  # takes a moment, and is the same for all tests
def stored() -> dict[str, Recorded]:
    return read_store()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that does not outlive the test: the files of all releases are 3 GB."""
    yield tmp_path
    shutil.rmtree(tmp_path)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.thorough if name == DEVICES else ()) for name in SETS]
)
@pytest.mark.parametrize("release_name", RELEASES.values())
def test_files(release_name: str, name: str, folder: Path) -> None:
    release, one, expected = release_of(release_name), SETS[name], stored().get(release_name)
    remake = f"python tests/parity/fetch.py {VERSIONS[release_name]} && python -m tests.parity.digests"
    assert expected, f"there are no digests of this release; run: {remake}"
    assert expected.input == input_digest(release), f"what the digests were made of has changed; run: {remake}"
    source = write_source(release, folder / "source")
    files = one.by_opwright(release, source, folder)
    faults = differing(expected.sets[name], digests_of(files, release))
    if faults:
        details = shown(release, name, source, folder, files or {})
        heads = [f"{len(faults)} difference(s) to PyTorch {VERSIONS[release_name]}", *faults[:10]]
        pytest.fail("\n".join([*heads, *islice(filter(None, details), SHOWN)]), pytrace=False)


def shown(release: Release, name: str, source: Path, folder: Path, files: Files) -> Iterator[str]:
    """What differs in the files of a set, or how to see it."""
    version = VERSIONS[release.name]
    root = fetched_torchgen(version)
    if root is None:
        yield f"To see what differs, get the reference, and run this again: python tests/parity/fetch.py {version}"
        return
    (folder / "reference").mkdir()
    expected = SETS[name].by_torchgen(root, release, source, folder / "reference") or {}
    for file in sorted(expected.keys() & files.keys()):
        found = file_difference(expected[file], files[file], braces_as_sets=file in release.unordered_files)
        yield f"{file}: {found}" if found else ""


def test_releases() -> None:
    """Every release has digests, and a set that one accepts is not empty."""
    assert list(stored()) == list(VERSIONS)
    for recorded in stored().values():
        assert recorded.sets.keys() == SETS.keys()
        assert all(digests is None or digests for digests in recorded.sets.values())
        assert len(recorded.sets["per-operator"] or ()) > 6500


def test_differing() -> None:
    expected = {"kept.h": "1", "changed.h": "2", "gone.h": "3"}
    actual = {"kept.h": "1", "changed.h": "4", "new.h": "5"}
    assert differing(expected, actual) == ["gone.h is missing", "new.h should not be there", "changed.h differs"]
    assert differing(expected, None) == ["the input is refused"]
    assert differing(None, actual) == ["the input is accepted"]
    assert differing(None, None) == differing(expected, dict(expected)) == []


def digest(name: str, text: str, *, braces_as_sets: bool = False) -> str:
    return file_digest(name, text.encode(), braces_as_sets=braces_as_sets)


@pytest.mark.parametrize(
    ("name", "text", "same", "other"),
    [
        ("f.h", "int f(); // here\nint g();", "int\nf ( );int g();", "int g();\nint f();"),
        ("f.h", 'auto f = R"(a\nb)";', 'auto f=R"(a\nb)" ;', 'auto f = R"(a\n b)";'),
        ("Declarations.yaml", "- a: 1\n  b: x\n- {}\n", "- {a: 0x1, b: 'x'}\n- {}", "- b: x\n  a: 1\n- {}\n"),
        ("Declarations.yaml", "- a: 1\n", "- 'a': 1\n", "- a: '1'\n"),
        ("RegistrationDeclarations.h", "// here\nint f(); // {}", "int f(); // {}", "int f();"),
    ],
    ids=["tokens", "raw string", "data", "type of data", "comments that are data"],
)
def test_file_digest(name: str, text: str, same: str, other: str) -> None:
    assert digest(name, text) == digest(name, same) != digest(name, other)


def test_digest_of_braces_as_sets() -> None:
    one, other = "f({b, a});", "f({a, b});"
    assert digest("f.h", one, braces_as_sets=True) == digest("f.h", other, braces_as_sets=True)
    assert digest("f.h", one) != digest("f.h", other)
