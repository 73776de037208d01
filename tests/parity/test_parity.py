"""Opwright's files are those of the installed torchgen.

All of them, for PyTorch's own operators under every option, for parts of them, and for operators of other libraries.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from opwright.locate import SAMPLE
from tests.parity.checks import MODES, check_all, check_files, installed_or_skip, run_opwright
from tests.parity.fetch import CHECKOUT
from tests.parity.reference import packaged_source, view_binding
from tests.parity.subset import write_subset
from tests.program import outputs

SHARED = CHECKOUT.parent / "shared"
XPU_NATIVE = SHARED / "inputs" / "torch_xpu_ops" / "release-2.13" / "native"
TOY_NATIVE = SHARED / "spec" / "toy"

PER_OPERATOR = "--per-operator-headers"
WHITELIST = "--op-registration-whitelist"
BY_FILE = ("--op-selection-yaml-path", "{selection}")
SKIP, FORCE = "--skip-dispatcher-op-registration", "--force-schema-registration"
STATIC = "--static-dispatch-backend"
DEVICES = ("--mps", "--xpu", "--mtia")
TWENTY = (
    "add", "mul", "sum", "relu", "mm", "addmm", "empty", "full", "expand", "view", "as_strided", "cat", "split",
    "index_put", "native_batch_norm", "convolution", "dropout", "nonzero", "record_stream", "_to_copy",
)  # fmt: skip
SELECTION = """\
operators:
  aten::add.Tensor: {is_root_operator: true, is_used_for_training: false, include_all_overloads: false}
  aten::mul: {is_root_operator: false, is_used_for_training: true, include_all_overloads: true}
"""

#: Options under which a part of them is always compared, and all of them, in both header modes, when one asks for that.
MATRIX: dict[str, tuple[str, ...]] = {
    "plain": (),
    "rocm": ("--rocm",),
    "mps": ("--mps",),
    "xpu": ("--xpu",),
    "mtia": ("--mtia",),
    "devices": DEVICES,
    "backend-whitelist": ("--backend-whitelist", "CPU"),
    "static": (STATIC, "CPU"),
    "static-two": (STATIC, "CPU", "CUDA"),
    "whitelist": (WHITELIST, *(f"aten::{name}" for name in TWENTY)),
    "selection": BY_FILE,
    "selection-forced": (FORCE, *BY_FILE),
    "skip": (SKIP,),
    "headers": ("--generate", "headers"),
    "sources": ("--generate", "sources"),
    "declarations": ("--generate", "declarations_yaml"),
}


def with_selection(options: Sequence[str], folder: Path) -> list[str]:
    """The options, with the selection file that they name in place."""
    selection = folder / "selection.yaml"
    selection.write_text(SELECTION, encoding="utf-8")
    return [option.format(selection=selection) for option in options]


def test_packaged_operators(tmp_path: Path) -> None:
    """All of PyTorch's operators; the digests show other sets of options."""
    root = installed_or_skip()
    check_all(root, packaged_source(root), tmp_path / "out", (*DEVICES, "--rocm", PER_OPERATOR))


@pytest.mark.parametrize("options", MATRIX.values(), ids=list(MATRIX))
def test_every_option(options: Sequence[str], tmp_path: Path) -> None:
    root = installed_or_skip()
    source = write_subset(packaged_source(root), tmp_path / "source", 150, seed=8, include=TWENTY)
    check_all(root, source, tmp_path / "out", with_selection(options, tmp_path))


@pytest.mark.thorough
@MODES
@pytest.mark.parametrize("options", MATRIX.values(), ids=list(MATRIX))
def test_every_option_on_all_operators(options: Sequence[str], mode: Sequence[str], tmp_path: Path) -> None:
    root = installed_or_skip()
    check_all(root, packaged_source(root), tmp_path / "out", [*with_selection(options, tmp_path), *mode])


def test_binding_of_view_metadata(tmp_path: Path) -> None:
    root = installed_or_skip()
    source = packaged_source(root)
    actual = run_opwright(source, tmp_path / "out", ["--generate", "view_meta_binding"])
    expected = view_binding(root, source)
    assert list(outputs(actual)) == list(outputs(expected)) == ["ViewMetaClassesPythonBinding.cpp"]
    check_files(expected, actual, outputs(expected))


@pytest.mark.parametrize(
    ("seed", "options"),
    [
        (1, ()),
        (2, (PER_OPERATOR,)),
        (3, (*DEVICES, "--rocm")),
        (6, (STATIC, "CPU", "CUDA", PER_OPERATOR)),
        (7, ("--generate", "headers", PER_OPERATOR)),
    ],
    ids=lambda value: f"seed-{value}" if isinstance(value, int) else "",
)
def test_part_of_the_operators(seed: int, options: Sequence[str], tmp_path: Path) -> None:
    root = installed_or_skip()
    source = write_subset(packaged_source(root), tmp_path / "source", 150, seed, include=("add",))
    check_all(root, source, tmp_path / "out", options)


def with_templates(native: Path, root: Path, target: Path) -> Path:
    """A source folder with these operators and the templates of the reference."""
    shutil.copytree(native, target / "native")
    shutil.copytree(packaged_source(root) / "templates", target / "templates")
    return target


@MODES
@pytest.mark.parametrize(
    ("native", "options"),
    [
        (XPU_NATIVE, ["--xpu"]),
        (TOY_NATIVE, []),
        (TOY_NATIVE, [STATIC, "CPU", "CUDA"]),
        (TOY_NATIVE, ["--generate", "headers"]),
        (SAMPLE / "native", []),
        (SAMPLE / "native", [*DEVICES, STATIC, "CPU", "MPS"]),
    ],
    ids=["torch-xpu-ops", "toy", "toy-static", "toy-headers", "sample", "sample-devices"],
)
def test_other_operators(native: Path, options: Sequence[str], mode: Sequence[str], tmp_path: Path) -> None:
    root = installed_or_skip()
    if not native.is_dir():
        pytest.skip(f"{native.name} of {native.parent.name} is not there")
    source = with_templates(native, root, tmp_path / "source")
    # Some have operators in namespaces of their own, which torchgen prints as `aten`.
    check_all(root, source, tmp_path / "out", [*options, *mode], own_options=["--torchgen-compat"])


@MODES
def test_structured_operators_without_meta(mode: Sequence[str], tmp_path: Path) -> None:
    """No entry mentions Meta; torchgen makes no kernels under it then, and includes the headers of their functions."""
    root = installed_or_skip()
    native = tmp_path / "native"
    native.mkdir()
    shutil.copyfile(SAMPLE / "native" / "tags.yaml", native / "tags.yaml")
    shutil.copyfile(CHECKOUT / "tests" / "golden" / "cases" / "structured.yaml", native / "native_functions.yaml")
    source = with_templates(native, root, tmp_path / "source")
    check_all(root, source, tmp_path / "out", mode, own_options=["--torchgen-compat"])


@pytest.mark.parametrize(
    "options",
    [
        (WHITELIST, "aten::add", "aten::mul"),
        (FORCE, WHITELIST, "aten::add", "aten::mul"),
        (WHITELIST,),
        (SKIP, FORCE, *BY_FILE),
    ],
    ids=["whitelist", "whitelist-forced", "empty-whitelist", "skip-forced"],
)
def test_selection(options: Sequence[str], tmp_path: Path) -> None:
    root = installed_or_skip()
    source = write_subset(packaged_source(root), tmp_path / "source", 60, seed=4, include=("add", "mul"))
    check_all(root, source, tmp_path / "out", with_selection(options, tmp_path))
