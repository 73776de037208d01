"""Write the operators and tags of all releases: src/opwright/releases/data/operators.txt.gz.

    python tools/release_facts.py [--wheels DIR] [--references DIR] [--output FILE]

In: the torch wheels of the releases, `DIR/2.1.2/*.whl`, or what is in them, unpacked as `DIR/2.1.2/torchgen`; pip
fetches those that are in neither folder. Out: the data file, the same bytes for the same releases. (xz would make it a
quarter smaller, but there are Pythons without it.)

What is taken from native_functions.yaml is every field of every entry, in order; from tags.yaml the names. Comments and
descriptions stay behind. An entry is written once for all the releases in a row that have it in the same place, below a
line with the first and the last of them:

    @2.0 2.12
    - func: align_to(Tensor(a) self, Dimname[] names) -> Tensor(a)
      variants: method
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from pathlib import Path

from opwright.diagnostics import Diagnostics
from opwright.releases.operators import DATA, GZIP
from opwright.source import Source, read_source
from opwright.syntax.yaml_reading import read_yaml
from opwright.syntax.yaml_writing import write_scalar
from opwright.syntax.yamltree import Mapping, Node, Scalar
from opwright.syntax.yamltree import Sequence as YamlList

#: The wheels to look into, oldest first, each with a Python that it is made for.
WHEELS = {
    "1.13.1": "3.10", "2.0.1": "3.10", "2.1.2": "3.10", "2.2.2": "3.10", "2.3.1": "3.10", "2.4.1": "3.10",
    "2.5.1": "3.10", "2.6.0": "3.10", "2.7.1": "3.10", "2.8.0": "3.10", "2.9.1": "3.11", "2.10.0": "3.11",
    "2.11.0": "3.11", "2.12.1": "3.11", "2.13.0": "3.11", "2.14.1": "3.11", "2.15.0": "3.11",
}  # fmt: skip
FOLDER = "torchgen/packaged/ATen/native"
#: The wheels for macOS are the smallest.
_PLATFORMS = ("--platform", "macosx_11_0_arm64", "--platform", "macosx_14_0_arm64")


class Placed:
    """An entry at one place of the order, and the first and the last release that have it there."""

    def __init__(self, text: str, release: str) -> None:
        self.text = text
        self.first = self.last = release


def main() -> None:
    """Read all releases and write the file."""
    parser = argparse.ArgumentParser(description="Write the operators and tags of all releases.")
    parser.add_argument("--wheels", type=Path, metavar="DIR", help="folder with wheels, as DIR/2.1.2/*.whl")
    parser.add_argument("--references", type=Path, metavar="DIR", help="folder with DIR/2.1.2/torchgen")
    parser.add_argument(
        "--output", type=Path, metavar="FILE", default=DATA, help="file to write (default: the data file)"
    )
    options = parser.parse_args()
    sources = {minor(version): read(version, options.wheels, options.references) for version in WHEELS}
    data = compressed(facts_text(sources))
    options.output.write_bytes(data)
    print(f"{options.output.name}: {len(data)} bytes")


def facts_text(sources: dict[str, tuple[Source, Source]]) -> str:
    """The facts of releases, oldest first, from the native functions and the tags of each."""
    head = f"The operators of PyTorch; written by tools/release_facts.py.\n{' '.join(sources)}\n"
    tags = merged({release: [tag_text(entry) for entry in entries(one[1])] for release, one in sources.items()})
    native = merged({release: [entry_text(entry) for entry in entries(one[0])] for release, one in sources.items()})
    return "\n".join([head, "".join(marked(tags)), "".join(marked(native))])


def compressed(text: str) -> bytes:
    """The text as a file of gzip, without time and name."""
    compressor = zlib.compressobj(level=9, wbits=GZIP)
    return compressor.compress(text.encode()) + compressor.flush()


def minor(version: str) -> str:
    """The release of a version: 2.1 of 2.1.2."""
    return version.rpartition(".")[0]


# Getting the files of a release


def read(version: str, wheels: Path | None, references: Path | None) -> tuple[Source, Source]:
    """The native functions and the tags of a release."""
    unpacked = references and references / version / FOLDER
    if unpacked and unpacked.is_dir():
        return read_source(unpacked / "native_functions.yaml"), read_source(unpacked / "tags.yaml")
    wheel = next((wheels / version).glob("*.whl"), None) if wheels else None
    if wheel:
        return unpack(wheel)
    with tempfile.TemporaryDirectory() as scratch:
        return unpack(fetch(version, Path(scratch)))


def unpack(wheel: Path) -> tuple[Source, Source]:
    """The two files out of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        native, tags = (f"{FOLDER}/{name}.yaml" for name in ("native_functions", "tags"))
        return Source(native, archive.read(native).decode()), Source(tags, archive.read(tags).decode())


def fetch(version: str, folder: Path) -> Path:
    """Let pip put the wheel of a release into a folder."""
    print(f"torch {version}")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += ["--python-version", WHEELS[version], *_PLATFORMS, "--dest", str(folder), f"torch=={version}"]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


# Writing entries without what is said about them


def entries(source: Source) -> list[Mapping]:
    """The entries of a file. Raises ValueError when it is not a list of mappings."""
    faults = Diagnostics()
    root = read_yaml(source, faults)
    if faults.items or not isinstance(root, YamlList):
        raise ValueError(f"{source.path} cannot be read: {faults.items}")
    found = [item for item in root.items if isinstance(item, Mapping)]
    if len(found) != len(root.items):
        raise ValueError(f"{source.path} has items that are no entries")
    return found


def tag_text(entry: Mapping) -> str:
    """A tag without its description."""
    return f"- tag: {scalar_text(entry.fields['tag'][1])}\n"


def entry_text(entry: Mapping) -> str:
    """An entry with all its fields."""
    fields = "".join(f"  {key}:{value_text(value, '    ')}\n" for key, (_, value) in entry.fields.items())
    return f"-{fields[1:]}"


def value_text(node: Node, indent: str) -> str:
    """What stands behind the colon of a field."""
    if isinstance(node, YamlList):
        return "".join(f"\n{indent}- {scalar_text(item)}" for item in node.items) or " []"
    if isinstance(node, Mapping):
        return "".join(f"\n{indent}{key}: {scalar_text(value)}" for key, (_, value) in node.fields.items()) or " {}"
    return f" {scalar_text(node)}"


def scalar_text(node: Node) -> str:
    """A scalar that reads back as the same value. Raises ValueError for what entries do not have so deep inside."""
    if not isinstance(node, Scalar):
        raise ValueError(f"{node.place.begin}: no scalar")
    return write_scalar(node.value) if node.kind == "str" else node.value


# Bringing the releases together


def merged(releases: dict[str, list[str]]) -> list[Placed]:
    """The entries of releases, oldest first, in one order: those of a release are in its own order there."""
    order: list[Placed] = []
    previous = ""
    for release, texts in releases.items():
        there = [at for at, one in enumerate(order) if one.last == previous]
        matcher = SequenceMatcher(None, [order[at].text for at in there], texts, autojunk=False)
        following = len(texts)
        # From the back, so that places in front stay what they are.
        for start, begin, size in reversed([(0, 0, 0), *matcher.get_matching_blocks()]):
            stop, end = start + size, begin + size
            place = there[stop - 1] + 1 if stop else 0
            order[place:place] = [Placed(text, release) for text in texts[end:following]]
            for at in there[start:stop]:
                order[at].last = release
            following = begin
        previous = release
    return order


def marked(order: Iterable[Placed]) -> Iterator[str]:
    """The lines of the entries, below a line with the first and the last release where these change."""
    mark = ""
    for one in order:
        if mark != (mark := f"@{one.first} {one.last}\n"):
            yield mark
        yield one.text


if __name__ == "__main__":
    main()
