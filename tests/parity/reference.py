"""Find reference generators, run them, and keep what they made.

In: a *root*, that is, a folder that holds a `torchgen` package; a source folder with `native/` and `templates/`;
options of `torchgen.gen`. Out: a folder with the files that the reference made.

A reference always runs in a process of its own. What it made is kept under `.references/cache` in the checkout, in a
folder named after everything that the run depends on; removing that folder is always safe.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from opwright.cli.gen_options import AOTI_FOLDER
from tests.parity.fetch import CHECKOUT, references_folder

CACHE = CHECKOUT / ".references" / "cache"
MODEL_DUMP = Path(__file__).with_name("model_dump.py")
UNCHECKED = Path(__file__).with_name("unchecked_driver.py")
SHIM_LISTS = Path(__file__).with_name("shim_list_driver.py")
VIEW_BINDING = Path(__file__).with_name("view_binding_driver.py")
LAZY = Path(__file__).with_name("lazy_driver.py")
#: Where the header with shape functions is when the lazy generator of a reference runs, and where its files go.
SHAPE_HEADER = "torch/csrc/lazy/core/shape_inference.h"
LAZY_OUT = "lazy/generated"
#: The option for the folder of native AOT declarations; without it, a reference looks for them near the source.
NATIVE_AOT = "--native-aot-ops-dir"


class ReferenceRunError(Exception):
    """The reference generator did not accept its input; the text is the end of what it printed."""


def installed_torchgen() -> Path | None:
    """The root of the torchgen that belongs to the torch of this interpreter, or None. Does not import torch."""
    found = importlib.util.find_spec("torchgen")
    if found is None or not found.submodule_search_locations or installed_version() is None:
        return None
    return Path(next(iter(found.submodule_search_locations))).parent


def installed_version() -> str | None:
    """The release of the installed torch without local label, such as `2.13.0`, or None."""
    try:
        return importlib.metadata.version("torch").partition("+")[0]
    except importlib.metadata.PackageNotFoundError:
        return None


def fetched_torchgen(version: str) -> Path | None:
    """The root of a torchgen that `fetch.py` got, such as for `2.0.1`, or None if it is not there."""
    root = references_folder() / version
    return root if (root / "torchgen" / "gen.py").is_file() else None


def packaged_source(root: Path) -> Path:
    """The source folder with PyTorch's own operators that comes with a torchgen."""
    return root / "torchgen" / "packaged" / "ATen"


def _files(folder: Path, pattern: str) -> Iterator[tuple[str, bytes]]:
    """Name and content of the matching files below a folder, sorted."""
    for path in sorted(folder.rglob(pattern)):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def _option_parts(options: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Options, and the content of the files and the folders of modules that they name."""
    for option in options:
        path = Path(option)
        if path.is_absolute() and path.is_file():
            yield "file", path.read_bytes()
        elif path.is_absolute() and path.is_dir():
            yield from _files(path, "*.py")
        else:
            yield "option", option.encode()


def _digest(parts: Iterable[tuple[str, bytes]]) -> str:
    """A name for everything in `parts`; lengths are included, so no two different sequences run together."""
    digest = hashlib.sha256()
    for name, content in parts:
        digest.update(f"{len(name)} {len(content)} {name}".encode())
        digest.update(content)
    return digest.hexdigest()[:32]


def _inputs(root: Path, source: Path, script: Path | None, options: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """All that a run of the reference depends on."""
    package = root / "torchgen"
    for name, content in _files(package, "*.py"):
        yield f"torchgen/{name}", content
    if script is not None:
        yield script.name, script.read_bytes()
    for folder in ("native", "templates"):
        for name, content in _files(source / folder, "*"):
            yield f"{folder}/{name}", content
    yield from _option_parts(options)


def reference_environment(root: Path) -> dict[str, str]:
    """The environment in which Python finds the torchgen of `root`, with hashes that do not change between runs."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    if root != installed_torchgen():
        paths = [str(root), os.environ.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    return environment


def _call(root: Path, arguments: Sequence[str], folder: Path) -> str:
    """Run Python on the torchgen of `root` in `folder`; what it printed. Raises ReferenceRunError."""
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=reference_environment(root), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ReferenceRunError(done.stderr[-3000:])
    return done.stdout


def _kept(digest: str, make: Callable[[Path], None]) -> Path:
    """The cache folder `digest`; if it is not there, `make` fills a new one, which appears only when complete."""
    place = CACHE / digest
    if place.is_dir():
        return place
    CACHE.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=CACHE, prefix=".new-"))
    try:
        make(scratch)
        scratch.chmod(0o755)
        try:
            scratch.rename(place)
        except OSError:
            # Somebody else was faster with the same run.
            if not place.is_dir():
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return place


def has_native_aot(version_root: Path) -> bool:
    """Whether a reference is of a release with native AOT stubs, that is, 2.15 or later."""
    return (version_root / "torchgen" / "native_aot.py").is_file()


def generator_command(
    version_root: Path, source: Path, out_dir: Path | str, options: Sequence[str], *, shim_list: Path | None = None
) -> list[str]:
    """What to pass to Python to run the reference in `version_root`."""
    start = [str(UNCHECKED)] if has_native_aot(version_root) else ["-m", "torchgen.gen"]
    start = [str(SHIM_LISTS), str(shim_list)] if shim_list is not None else start
    return [*start, "-s", str(source), "-d", str(out_dir), *options]


def run_torchgen(
    version_root: Path,
    source_dir: Path,
    options: Sequence[str] = (),
    out_dir: Path | None = None,
    *,
    shim_list: Path | None = None,
) -> Path:
    """Run the reference in `version_root` on `source_dir`; the folder with the result.

    `options` are further options of `torchgen.gen`; files in them must be absolute paths. The folder returned belongs
    to the cache and must not be changed; with `out_dir` the result is copied there, and that is returned.
    The shims are in the folder `aoti`. `shim_list` is a list as Opwright reads it, which takes the place of the
    reference's own. Declarations of native AOT kernels count only when `options` name their folder, as for Opwright.
    Raises ReferenceRunError.
    """
    source = source_dir.resolve()
    script = SHIM_LISTS if shim_list else None
    has_shims = (version_root / "torchgen" / "gen_aoti_c_shim.py").is_file()
    has_option = has_shims and (version_root / "torchgen" / "aoti").is_dir()
    if has_native_aot(version_root) and NATIVE_AOT not in options:
        options = [*options, NATIVE_AOT, ""]

    def make(scratch: Path) -> None:
        own = ["--aoti-install-dir", str(scratch / "aoti")] if has_option else []
        command = generator_command(version_root, source, scratch, [*options, *own], shim_list=shim_list)
        # Some releases make a folder relative to the working directory, whatever the options say.
        with tempfile.TemporaryDirectory() as work:
            _call(version_root, command, Path(work))
            if has_shims and not has_option and (Path(work) / AOTI_FOLDER).is_dir():
                shutil.move(Path(work) / AOTI_FOLDER, scratch / "aoti")

    kept_by = [*options, *(["shims"] if has_shims else []), *([str(shim_list)] if shim_list else [])]
    result = _kept(_digest(_inputs(version_root, source, script, kept_by)), make)
    if out_dir is None:
        return result
    shutil.copytree(result, out_dir, dirs_exist_ok=True)
    return out_dir


def file_lists(version_root: Path, source_dir: Path, options: Sequence[str] = ()) -> dict[str, str]:
    """The lists of files that the reference writes in a dry run into `./out/`, called `generated.cmake`: texts by name.

    Raises ReferenceRunError.
    """
    source = source_dir.resolve()
    chosen = [*options, "--dry-run", "-o", "lists/generated.cmake"]

    def make(scratch: Path) -> None:
        _call(version_root, generator_command(version_root, source, "./out/", chosen), scratch)

    place = _kept(_digest(_inputs(version_root, source, None, chosen)), make)
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((place / "lists").iterdir())}


def view_binding(version_root: Path, source_dir: Path) -> Path:
    """The folder with the Python binding of view metadata. Raises ReferenceRunError."""
    source = source_dir.resolve()

    def make(scratch: Path) -> None:
        _call(version_root, [str(VIEW_BINDING), str(source), str(scratch)], scratch)

    return _kept(_digest(_inputs(version_root, source, VIEW_BINDING, ())), make)


def lazy_files(
    version_root: Path, source_dir: Path, backend: Path, shapes: str, options: Mapping[str, str | bool]
) -> Path:
    """The folder with the files of a lazy backend; `shapes` is the text of the header with shape functions.

    `options` are those of `run_gen_lazy_tensor`, and `gen_ts_lowerings`. Raises ReferenceRunError.
    """
    source = source_dir.resolve()

    def make(scratch: Path) -> None:
        (scratch / SHAPE_HEADER).parent.mkdir(parents=True)
        (scratch / SHAPE_HEADER).write_text(shapes, encoding="utf-8")
        _call(version_root, [str(LAZY), str(source), str(backend), LAZY_OUT, json.dumps(dict(options))], scratch)

    kept_by = [backend.read_text(encoding="utf-8"), shapes, json.dumps(dict(options), sort_keys=True)]
    return _kept(_digest(_inputs(version_root, source, LAZY, kept_by)), make) / LAZY_OUT


def model_lines(version_root: Path, source_dir: Path, flags: Sequence[str] = ()) -> dict[str, list[str]]:
    """What the reference in `version_root` reads from `source_dir`; see `model_dump` for keys and lines.

    `flags` may hold `--mps`, `--xpu` and `--mtia`. Raises ReferenceRunError.
    """
    source = source_dir.resolve()

    def make(scratch: Path) -> None:
        printed = _call(version_root, [str(MODEL_DUMP), str(source), *flags], scratch)
        (scratch / "model.json").write_text(printed, encoding="utf-8")

    place = _kept(_digest(_inputs(version_root, source, MODEL_DUMP, flags)), make)
    lines: dict[str, list[str]] = json.loads((place / "model.json").read_text(encoding="utf-8"))
    return lines


def backend_stubs(version_root: Path, source_dir: Path, backend: str, kernels: str | None = None) -> Path:
    """The folder with the stubs of a backend; `backend` is the text of its file, `kernels` that of its C++ file.

    The include of the header names the folder `out`. Raises ReferenceRunError.
    """
    source = source_dir.resolve()

    def make(scratch: Path) -> None:
        # The generator looks for the operators beside the folder that it lies in itself.
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            shutil.copytree(version_root / "torchgen", work / "torchgen", ignore=shutil.ignore_patterns("packaged"))
            for part in ("native", "templates"):
                shutil.copytree(source / part, work / "aten" / "src" / "ATen" / part)
            (work / "backend.yaml").write_text(backend, encoding="utf-8")
            command = ["-m", "torchgen.gen_backend_stubs", "-s", "backend.yaml", "-o", "out"]
            if kernels is not None:
                (work / "kernels.cpp").write_text(kernels, encoding="utf-8")
                command += ["--impl-path", "kernels.cpp"]
            _call(work, command, work)
            if (work / "out").is_dir():
                shutil.copytree(work / "out", scratch / "out")
        (scratch / "out").mkdir(exist_ok=True)

    kept_by = ["backend stubs", backend, kernels or ""]
    return _kept(_digest(_inputs(version_root, source, None, kept_by)), make) / "out"
