"""The sets of files that digests are kept of: for each, what makes them, and how both programs are run for it.

In: a release, and its source folder as `written_source` makes it. Out: the files of a set by their names, made by the
release's torchgen or by Opwright; None where the input of the set is not for the release, and both refuse it.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from opwright.cli.main import DONE, FAULTY, main
from opwright.releases.release import Release
from opwright.values import Value
from tests.parity.checks import run_opwright
from tests.parity.reference import (
    LAZY_OUT,
    SHAPE_HEADER,
    ReferenceRunError,
    backend_stubs,
    lazy_files,
    run_torchgen,
)
from tests.parity.test_aoti import UPDATE
from tests.parity.test_backend import FORMS, INPUTS, VARIANTS, said_of
from tests.parity.test_lazy import TORCHSCRIPT, XLA, Options, spelled
from tests.parity.test_parity import PER_OPERATOR
from tests.program import outputs

Files = dict[str, Path]
#: The file for the shape functions that a lazy backend needs.
SHAPES = "shape_functions.h"
#: What a torchgen says of an operator in the file of a backend that it does not know.
UNKNOWN_OPERATOR = "invalid operator name"


class Generated(Value):
    """The files of the library under some options."""

    options: tuple[str, ...] = ()
    #: Whether the kernels of all devices that the release has are kept, and the headers of shims written.
    all_devices: bool = False

    def chosen(self, release: Release) -> list[str]:
        """The options for both programs."""
        if not self.all_devices:
            return list(self.options)
        devices = sorted({f"--{flag}" for flag in release.key_facts.flags.values()})
        return [*self.options, *devices, *([UPDATE] if release.shims.compares_headers else [])]

    def by_torchgen(self, root: Path, release: Release, source: Path, folder: Path) -> Files | None:
        """What the torchgen in `root` makes; `folder` is there to work in."""
        return outputs(run_torchgen(root, source, self.chosen(release)))

    def by_opwright(self, release: Release, source: Path, folder: Path) -> Files | None:
        """What Opwright makes, below `folder`."""
        out = folder / "out"
        shims = ["--aoti-install-dir", str(out / "aoti")] if release.has_shims else []
        return outputs(run_opwright(source, out, ["--release", release.name, *shims, *self.chosen(release)]))

    def described(self, release: Release) -> str:
        """All that the files depend on besides the source."""
        return json.dumps(self.chosen(release))


class Stubs(Value):
    """The stubs of a backend; its file has this text."""

    text: str

    def by_torchgen(self, root: Path, release: Release, source: Path, folder: Path) -> Files | None:
        return accepted(lambda: outputs(backend_stubs(root, source, self.text)))

    def by_opwright(self, release: Release, source: Path, folder: Path) -> Files | None:
        (folder / "backend.yaml").write_text(self.text, encoding="utf-8")
        is_done = run_verb(["backend", "-s", "backend.yaml", "-o", "out"], release, source, folder)
        return outputs(folder / "out") if is_done else None

    def described(self, release: Release) -> str:
        return self.text


class Lazy(Value):
    """The files of a lazy backend, and the shape functions that it needs, which Opwright tells."""

    backend: Path
    options: Options

    def by_torchgen(self, root: Path, release: Release, source: Path, folder: Path) -> Files | None:
        shapes = (self.by_opwright(release, source, folder) or {}).get(SHAPES)
        text = shapes.read_text(encoding="utf-8") if shapes else ""
        made = accepted(lambda: outputs(lazy_files(root, source, self.backend, text, self.options)))
        return made if made is None or shapes is None else {**made, SHAPES: shapes}

    def by_opwright(self, release: Release, source: Path, folder: Path) -> Files | None:
        # An empty header in place, so that no installed one is found, and all functions are missing.
        (folder / SHAPE_HEADER).parent.mkdir(parents=True)
        (folder / SHAPE_HEADER).write_text("", encoding="utf-8")
        command = ["lazy", "-s", str(self.backend), "-o", LAZY_OUT, "--write-shape-stubs", "shapes.cpp"]
        if not run_verb([*command, *spelled(self.options)], release, source, folder):
            return None
        stubs, shapes = (folder / "shapes.cpp").read_text(encoding="utf-8"), folder / SHAPES
        declared = re.findall(r"^// (TORCH_API .*;)$", stubs, re.MULTILINE)
        shapes.write_text("\n".join([*declared, ""]), encoding="utf-8")
        return {**outputs(folder / LAZY_OUT), SHAPES: shapes}

    def described(self, release: Release) -> str:
        return self.backend.read_text(encoding="utf-8") + json.dumps(self.options)


FileSet = Generated | Stubs | Lazy


def accepted(make: Callable[[], Files]) -> Files | None:
    """What `make` makes by a torchgen; None when that does not know an operator. Raises other ReferenceRunErrors."""
    try:
        return make()
    except ReferenceRunError as error:
        if UNKNOWN_OPERATOR in str(error):
            return None
        raise


def run_verb(arguments: Sequence[str], release: Release, source: Path, folder: Path) -> bool:
    """Run a verb of Opwright in `folder`, in this process; whether it accepted its input."""
    before, said = Path.cwd(), io.StringIO()
    os.chdir(folder)
    try:
        with redirect_stdout(said), redirect_stderr(said):
            status = main([*arguments, "--source-path", str(source), "--release", release.name])
    finally:
        os.chdir(before)
    assert status in (DONE, FAULTY), said.getvalue()[-3000:]
    return status == DONE


def _stubs() -> Iterator[tuple[str, Stubs]]:
    for variant in ("plain", "guarded-out-primary"):
        yield f"forms-{variant}", Stubs(FORMS + VARIANTS[variant])
        for name in BACKENDS:
            yield f"{name}-{variant}", Stubs(said_of(f"{name}.yaml", VARIANTS[variant]))


BACKENDS: dict[str, Options] = {"ts_2_0": TORCHSCRIPT, "ts_2_13": TORCHSCRIPT, "xla_2_1": XLA, "xla_2_10": XLA}
SETS: dict[str, FileSet] = {
    "aggregated": Generated(),
    "per-operator": Generated((PER_OPERATOR,)),
    "devices-per-operator": Generated((PER_OPERATOR, "--rocm"), all_devices=True),
    **dict(_stubs()),
    **{f"{name}-lazy": Lazy(INPUTS / f"{name}.yaml", options) for name, options in BACKENDS.items()},
}
