"""Opwright's files are those of the installed torchgen: for PyTorch's own operators, parts of them, and a backend's."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from opwright.locate import SAMPLE
from tests.parity.checks import MODES, check_all, check_files, installed_or_skip, run_opwright
from tests.parity.fetch import CHECKOUT
from tests.parity.reference import packaged_source, run_torchgen
from tests.parity.subset import write_subset

SHARED = CHECKOUT.parent / "shared"
XPU_NATIVE = SHARED / "inputs" / "torch_xpu_ops" / "release-2.13" / "native"
TOY_NATIVE = SHARED / "spec" / "toy"

SELECTION = """\
operators:
  aten::add.Tensor: {is_root_operator: true, is_used_for_training: false, include_all_overloads: false}
  aten::mul: {is_root_operator: false, is_used_for_training: true, include_all_overloads: true}
"""
WHITELIST = ("--op-registration-whitelist", "aten::add", "aten::mul")
BY_FILE = ("--op-selection-yaml-path", "{selection}")
FORCE = "--force-schema-registration"
SKIP = "--skip-dispatcher-op-registration"


@MODES
def test_packaged_operators(mode: Sequence[str], tmp_path: Path) -> None:
    root = installed_or_skip()
    check_all(root, packaged_source(root), tmp_path, mode)


@pytest.mark.parametrize(
    ("seed", "mode"), [(1, ()), (2, ("--per-operator-headers",)), (3, ())], ids=["seed-1", "seed-2", "seed-3"]
)
def test_part_of_the_operators(seed: int, mode: Sequence[str], tmp_path: Path) -> None:
    root = installed_or_skip()
    source = write_subset(packaged_source(root), tmp_path / "source", 150, seed)
    check_all(root, source, tmp_path / "out", mode)


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
        (SAMPLE / "native", []),
        (SAMPLE / "native", ["--mps", "--xpu", "--mtia"]),
    ],
    ids=["torch-xpu-ops", "toy", "sample", "sample-devices"],
)
def test_other_operators(native: Path, options: Sequence[str], mode: Sequence[str], tmp_path: Path) -> None:
    root = installed_or_skip()
    if not native.is_dir():
        pytest.skip(f"{native.name} of {native.parent.name} is not there")
    source = with_templates(native, root, tmp_path / "source")
    # Some have operators in namespaces of their own, which torchgen prints as `aten`.
    check_all(root, source, tmp_path / "out", [*options, *mode], own_options=["--torchgen-compat"])


@pytest.mark.parametrize("option", ["--mps", "--xpu", "--mtia"])
def test_device_option(option: str, tmp_path: Path) -> None:
    root = installed_or_skip()
    check_all(root, packaged_source(root), tmp_path, [option])


@pytest.mark.parametrize(
    "options",
    [WHITELIST, (FORCE, *WHITELIST), WHITELIST[:1], BY_FILE, (FORCE, *BY_FILE), (SKIP,), (SKIP, FORCE, *BY_FILE)],
    ids=["whitelist", "whitelist-forced", "empty-whitelist", "file", "file-forced", "skip", "skip-forced"],
)
def test_selection(options: Sequence[str], tmp_path: Path) -> None:
    root = installed_or_skip()
    selection = tmp_path / "selection.yaml"
    selection.write_text(SELECTION, encoding="utf-8")
    options = [option.format(selection=selection) for option in options]
    source = write_subset(packaged_source(root), tmp_path / "source", 60, seed=4, include=("add", "mul"))
    expected = run_torchgen(root, source, options)
    check_files(expected, run_opwright(source, tmp_path / "out", options), ["RegisterSchema.cpp"])
