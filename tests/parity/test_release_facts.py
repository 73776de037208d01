"""The facts about releases are what the releases' own files say."""

from __future__ import annotations

import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from opwright.diagnostics import Diagnostics
from opwright.releases.operators import DATA, GZIP, native_functions_yaml, tags_yaml
from opwright.source import Source, read_source
from opwright.syntax.yaml_reading import read_yaml
from opwright.syntax.yamltree import Mapping, Node, Scalar, Sequence
from tests.parity.checks import fetched_or_skip, installed_or_skip
from tests.parity.fetch import ALL, CHECKOUT, references_folder
from tests.parity.reference import packaged_source
from tests.program import environment

#: The data were made of the last one of two patches.
VERSIONS = [version for version in ALL if version != "2.1.0"]


def test_the_installed_release() -> None:
    check(packaged_source(installed_or_skip()) / "native", "2.13")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_fetched_release(version: str) -> None:
    check(packaged_source(fetched_or_skip(version)) / "native", version.rpartition(".")[0])


def test_the_data_are_those_that_the_script_writes(tmp_path: Path) -> None:
    for version in ("1.13.1", *VERSIONS):
        if not (references_folder() / version / "torchgen").is_dir():
            pytest.skip(f"torchgen {version} is not in {references_folder()}")
    command = [sys.executable, "tools/release_facts.py", "--references", str(references_folder())]
    subprocess.run([*command, "--output", tmp_path / "data"], cwd=CHECKOUT, env=environment(), check=True)
    # Compression may differ with the version of zlib.
    assert zlib.decompress((tmp_path / "data").read_bytes(), GZIP) == zlib.decompress(DATA.read_bytes(), GZIP)


def check(native: Path, release: str) -> None:
    """Hold the operators and the names of tags against the files of the release itself, fields in order and all."""
    expected = plain(read(read_source(native / "native_functions.yaml")))
    assert plain(read(Source("facts", native_functions_yaml(release)))) == expected
    assert names(Source("facts", tags_yaml(release))) == names(read_source(native / "tags.yaml"))


def names(source: Source) -> list[object]:
    """The tags of a file."""
    root = read(source)
    assert isinstance(root, Sequence)
    return [plain(item.fields["tag"][1]) for item in root.items if isinstance(item, Mapping)]


def read(source: Source) -> Node:
    """The content of a file without faults."""
    faults = Diagnostics()
    root = read_yaml(source, faults)
    assert root is not None
    assert not faults.items
    return root


def plain(node: Node) -> object:
    """What a node says, comparable: texts with their types, and mappings as ordered pairs."""
    if isinstance(node, Scalar):
        return node.kind, node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return [(name, plain(value)) for name, (_, value) in node.fields.items()]
