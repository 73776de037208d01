"""Where the operators come from: the source folder and the release it belongs to.

In: what the command line says and the current folder. Out: a `Located` with the folder and a sentence that says how it
was found. Nothing is imported to look for an installed torch. For who needs operators but not PyTorch's templates,
those of any release are known without a torch. All that is looked at goes through the `Inputs` of the run.
"""

from __future__ import annotations

import re
from pathlib import Path

from opwright.inputs import Inputs
from opwright.recognize import Vote, is_pytorch, recognize
from opwright.releases import NAMES, NEWEST, find_release, named_release, operators
from opwright.releases.release import Release
from opwright.source import Source
from opwright.values import Value

CHECKOUT_SOURCE = Path("aten/src/ATen")
PACKAGED_SOURCE = Path("torchgen/packaged/ATen")
SAMPLE = Path(__file__).parent / "sample"
SAMPLE_RELEASE = "2.13"
GIVEN = "given with --release"


class NotFoundError(Exception):
    """No source or release as asked for; the message is a plain sentence."""


class Located(Value):
    """The source folder (which holds `native/` and `templates/`), its release, and how each was found."""

    folder: Path
    origin: str
    release: Release
    release_origin: str
    #: How the marks of releases voted, where the release was told by them.
    votes: tuple[Vote, ...] = ()

    @property
    def name(self) -> str:
        """How the source is called in messages."""
        return self.folder.as_posix()

    @property
    def native(self) -> Path | Source:
        """The operators."""
        return self.folder / "native" / "native_functions.yaml"

    @property
    def tags(self) -> Path | Source:
        """The tags."""
        return self.folder / "native" / "tags.yaml"

    @property
    def inputs(self) -> list[Path]:
        """The files that operators and tags are read from."""
        return [self.folder / "native" / "native_functions.yaml", self.folder / "native" / "tags.yaml"]

    @property
    def templates(self) -> Path:
        """The folder of templates."""
        return self.folder / "templates"

    def header(self, name: str, inputs: Inputs) -> Path | None:
        """Where a header of PyTorch is, or where it would be missed; None when it is not known of any."""
        return Path(name) if inputs.is_file(Path(name)) else find_header(name, self.folder, inputs) or Path(name)


class KnownOperators(Located):
    """The operators of a release as Opwright knows them, with templates and headers that are not PyTorch's."""

    @property
    def name(self) -> str:
        return f"the operators of PyTorch {operators.described(self.release.name)}"

    @property
    def native(self) -> Source:
        return Source(self._path("native_functions.yaml"), operators.native_functions_yaml(self.release.name))

    @property
    def tags(self) -> Source:
        return Source(self._path("tags.yaml"), operators.tags_yaml(self.release.name))

    @property
    def inputs(self) -> list[Path]:
        return [operators.DATA]

    def header(self, name: str, inputs: Inputs) -> Path | None:
        return Path(name) if inputs.is_file(Path(name)) else None

    def _path(self, file: str) -> str:
        return f"PyTorch {operators.described(self.release.name)}'s {file}"


def locate(
    source: str | None, release: str | None, torchgen: str | None = None, inputs: Inputs | None = None
) -> Located:
    """Find the source and its release.

    `source` and `release` are the options of these names, or None; `torchgen` is the version of the torchgen to
    compare with, if there is one. `inputs` gets what was looked at. Raises `NotFoundError`.
    """
    inputs = inputs or Inputs()
    folder, origin = find_source(source, inputs)
    found, release_origin, votes = choose_release(folder, release, torchgen, inputs)
    return Located(folder, origin, found, release_origin, votes)


def locate_operators(
    source: str | None, release: str | None, inputs: Inputs | None = None, *, takes_sample: bool
) -> Located:
    """Find the source and its release, for who needs the operators of PyTorch but not its templates.

    A release that is asked for and not installed is one of those known. The sample may be a source of operators when
    no release is asked for. `inputs` gets what was looked at. Raises `NotFoundError`.
    """
    inputs = inputs or Inputs()
    if source is None and release is not None and not is_checkout(inputs):
        wanted, packaged = known_release(release, GIVEN), find_packaged(inputs)
        version = source_version(packaged, inputs)[0] if packaged else None
        if version is None or find_release(version) is not wanted:
            installed = f"the installed torch is {version}" if version else "no torch of it is installed"
            return KnownOperators(SAMPLE, f"they come with Opwright; {installed}", wanted, GIVEN)
    located = locate(source, release, inputs=inputs)
    if located.folder == SAMPLE and source is None and not takes_sample:
        raise NotFoundError(
            "no operators of PyTorch are found: install torch, name their folder with --source-path, or choose a "
            "release with --release"
        )
    return located


def is_checkout(inputs: Inputs) -> bool:
    """Whether the current folder is a checkout of PyTorch."""
    return inputs.is_file(CHECKOUT_SOURCE / "native" / "native_functions.yaml")


def find_source(source: str | None, inputs: Inputs) -> tuple[Path, str]:
    """The source folder: the one named, that of a checkout, that of an installed torch, or the sample."""
    if source is not None:
        folder = Path(source)
        if not inputs.is_file(folder / "native" / "native_functions.yaml"):
            raise NotFoundError(f"there is no native/native_functions.yaml in '{folder.as_posix()}'")
        return folder, "as given"
    if is_checkout(inputs):
        return CHECKOUT_SOURCE, "the checkout in the current folder"
    packaged = find_packaged(inputs)
    if packaged is not None:
        return packaged, "the installed torch"
    return SAMPLE, "the sample that comes with Opwright; no torch is installed"


def find_packaged(inputs: Inputs | None = None) -> Path | None:
    """The operators that come with an installed torch; None when there is none."""
    inputs = inputs or Inputs()
    for place in inputs.names("package", "torchgen"):
        folder = Path(place).parent / PACKAGED_SOURCE
        if inputs.is_file(folder / "native" / "native_functions.yaml"):
            return folder
    return None


def find_header(name: str, folder: Path, inputs: Inputs) -> Path | None:
    """A header of the installed torch that the operators in `folder` belong to, or of any; None when there is none."""
    for place in (folder.absolute(), find_packaged(inputs)):
        if place is not None and place.parts[-3:] == PACKAGED_SOURCE.parts:
            header = place.parents[2] / "torch" / "include" / name
            if inputs.is_file(header):
                return header
    return None


def choose_release(
    folder: Path, wanted: str | None, torchgen: str | None = None, inputs: Inputs | None = None
) -> tuple[Release, str, tuple[Vote, ...]]:
    """The release that is asked for, that of the source, that of torchgen, or what a source that does not say comes to.

    For another library than PyTorch that is the release of the installed torch, else the one that the inputs tell, or
    the newest one known. Comes with a sentence that says how it was found, and the votes if it was by these.
    `inputs` gets what was looked at. Raises `NotFoundError`.
    """
    inputs = inputs or Inputs()
    if wanted is not None:
        return known_release(wanted, GIVEN), GIVEN, ()
    if folder == SAMPLE:
        return named_release(SAMPLE_RELEASE), "the sample's", ()
    version, where = source_version(folder, inputs)
    if version is None:
        version, where = torchgen, "the version of torchgen"
    if version is not None:
        return known_release(version, where), where, ()
    if not is_pytorch(folder, inputs):
        packaged = find_packaged(inputs)
        installed = find_release(source_version(packaged, inputs)[0] or "") if packaged else None
        if installed is not None:
            return installed, "the version of the installed torch, for a library that is not PyTorch", ()
    name, votes = recognize(folder, inputs)
    if name is None:
        return named_release(NEWEST), "the newest one known; the source does not say", votes
    count = sum(vote.speaks_for(name) for vote in votes)
    asked = sum(vote.answer is not None for vote in votes)
    return named_release(name), f"told by the tags and templates: {count} of {asked} marks", votes


def known_release(version: str, where: str) -> Release:
    """The release of a PyTorch version; `where` says, for the message, where that was found. Raises `NotFoundError`."""
    found = find_release(version)
    if found is None:
        raise NotFoundError(
            f"PyTorch {version} ({where}) is not a release that Opwright knows; it knows {NAMES[0]} to {NEWEST}. "
            "Choose one with --release"
        )
    return found


def source_version(folder: Path, inputs: Inputs) -> tuple[str | None, str]:
    """The PyTorch version of a source folder, as its torch or its checkout gives it, and where that was read."""
    folder = folder.absolute()
    if folder.parts[-3:] == PACKAGED_SOURCE.parts:
        return _torch_version(folder.parents[2], inputs), "the version of the installed torch"
    if folder.parts[-3:] == CHECKOUT_SOURCE.parts:
        return _checkout_version(folder.parents[2], inputs), "version.txt of the checkout"
    return None, ""


def torchgen_version(package: Path) -> str | None:
    """The PyTorch version that the folder of a torchgen belongs to: of the torch beside it, or of its checkout."""
    inputs = Inputs()
    return _torch_version(package.parent, inputs) or _checkout_version(package.parent, inputs)


def _torch_version(root: Path, inputs: Inputs) -> str | None:
    text = _text(root / "torch" / "version.py", inputs)
    found = re.search(r"^__version__\s*=\s*['\"]([^'\"]+)", text, re.MULTILINE)
    return found.group(1) if found else None


def _checkout_version(root: Path, inputs: Inputs) -> str | None:
    return _text(root / "version.txt", inputs).strip() or None


def _text(path: Path, inputs: Inputs) -> str:
    try:
        return (inputs.peek(path) or b"").decode()
    except UnicodeDecodeError:
        return ""
