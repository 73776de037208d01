"""Where the operators come from: the source folder and the release it belongs to.

In: what the command line says and the current folder. Out: a `Located` with the folder and a sentence that says how it
was found. Nothing is imported to look for an installed torch. For who needs operators but not PyTorch's templates,
those of any release are known without a torch.
"""

from __future__ import annotations

import re
from pathlib import Path

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

    def header(self, name: str) -> Path | None:
        """Where a header of PyTorch is, or where it would be missed; None when it is not known of any."""
        return Path(name) if Path(name).is_file() else find_header(name, self.folder) or Path(name)


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

    def header(self, name: str) -> Path | None:
        return Path(name) if Path(name).is_file() else None

    def _path(self, file: str) -> str:
        return f"PyTorch {operators.described(self.release.name)}'s {file}"


def locate(source: str | None, release: str | None, torchgen: str | None = None) -> Located:
    """Find the source and its release.

    `source` and `release` are the options of these names, or None; `torchgen` is the version of the torchgen to
    compare with, if there is one. Raises `NotFoundError`.
    """
    folder, origin = find_source(source)
    found, release_origin, votes = choose_release(folder, release, torchgen)
    return Located(folder, origin, found, release_origin, votes)


def locate_operators(source: str | None, release: str | None, *, takes_sample: bool) -> Located:
    """Find the source and its release, for who needs the operators of PyTorch but not its templates.

    A release that is asked for and not installed is one of those known. The sample may be a source of operators when
    no release is asked for. Raises `NotFoundError`.
    """
    if source is None and release is not None and not is_checkout():
        wanted, packaged = known_release(release, GIVEN), find_packaged()
        version = source_version(packaged)[0] if packaged else None
        if version is None or find_release(version) is not wanted:
            installed = f"the installed torch is {version}" if version else "no torch of it is installed"
            return KnownOperators(SAMPLE, f"they come with Opwright; {installed}", wanted, GIVEN)
    located = locate(source, release)
    if located.folder == SAMPLE and source is None and not takes_sample:
        raise NotFoundError(
            "no operators of PyTorch are found: install torch, name their folder with --source-path, or choose a "
            "release with --release"
        )
    return located


def is_checkout() -> bool:
    """Whether the current folder is a checkout of PyTorch."""
    return (CHECKOUT_SOURCE / "native" / "native_functions.yaml").is_file()


def find_source(source: str | None) -> tuple[Path, str]:
    """The source folder: the one named, that of a checkout, that of an installed torch, or the sample."""
    if source is not None:
        folder = Path(source)
        if not (folder / "native" / "native_functions.yaml").is_file():
            raise NotFoundError(f"there is no native/native_functions.yaml in '{folder.as_posix()}'")
        return folder, "as given"
    if is_checkout():
        return CHECKOUT_SOURCE, "the checkout in the current folder"
    packaged = find_packaged()
    if packaged is not None:
        return packaged, "the installed torch"
    return SAMPLE, "the sample that comes with Opwright; no torch is installed"


def find_packaged() -> Path | None:
    """The operators that come with an installed torch; None when there is none."""
    from importlib.util import find_spec

    try:
        spec = find_spec("torchgen")
    except (ImportError, ValueError):
        return None
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place).parent / PACKAGED_SOURCE
        if (folder / "native" / "native_functions.yaml").is_file():
            return folder
    return None


def find_header(name: str, folder: Path) -> Path | None:
    """A header of the installed torch that the operators in `folder` belong to, or of any; None when there is none."""
    for place in (folder.absolute(), find_packaged()):
        if place is not None and place.parts[-3:] == PACKAGED_SOURCE.parts:
            header = place.parents[2] / "torch" / "include" / name
            if header.is_file():
                return header
    return None


def choose_release(
    folder: Path, wanted: str | None, torchgen: str | None = None
) -> tuple[Release, str, tuple[Vote, ...]]:
    """The release that is asked for, that of the source, that of torchgen, or what a source that does not say comes to.

    For another library than PyTorch that is the release of the installed torch, else the one that the inputs tell, or
    the newest one known. Comes with a sentence that says how it was found, and the votes if it was by these.

    Raises `NotFoundError`.
    """
    if wanted is not None:
        return known_release(wanted, GIVEN), GIVEN, ()
    if folder == SAMPLE:
        return named_release(SAMPLE_RELEASE), "the sample's", ()
    version, where = source_version(folder)
    if version is None:
        version, where = torchgen, "the version of torchgen"
    if version is not None:
        return known_release(version, where), where, ()
    if not is_pytorch(folder):
        packaged = find_packaged()
        installed = find_release(source_version(packaged)[0] or "") if packaged else None
        if installed is not None:
            return installed, "the version of the installed torch, for a library that is not PyTorch", ()
    name, votes = recognize(folder)
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


def source_version(folder: Path) -> tuple[str | None, str]:
    """The PyTorch version of a source folder, as its torch or its checkout gives it, and where that was read."""
    folder = folder.absolute()
    if folder.parts[-3:] == PACKAGED_SOURCE.parts:
        return _torch_version(folder.parents[2]), "the version of the installed torch"
    if folder.parts[-3:] == CHECKOUT_SOURCE.parts:
        return _checkout_version(folder.parents[2]), "version.txt of the checkout"
    return None, ""


def torchgen_version(package: Path) -> str | None:
    """The PyTorch version that the folder of a torchgen belongs to: of the torch beside it, or of its checkout."""
    return _torch_version(package.parent) or _checkout_version(package.parent)


def _torch_version(root: Path) -> str | None:
    found = re.search(r"^__version__\s*=\s*['\"]([^'\"]+)", _text(root / "torch" / "version.py"), re.MULTILINE)
    return found.group(1) if found else None


def _checkout_version(root: Path) -> str | None:
    return _text(root / "version.txt").strip() or None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
