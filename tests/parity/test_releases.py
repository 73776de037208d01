"""Opwright set to any PyTorch release makes the files of that release's torchgen.

What is fetched is compared; `python tests/parity/fetch.py --all` fetches every release.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from opwright.cpp.tokens import tokenize
from opwright.releases import find_release
from opwright.releases.release import Release
from tests.parity.checks import MODES, check_all, check_files, fetched_or_skip, run_opwright
from tests.parity.fetch import ALL
from tests.parity.reference import packaged_source, run_torchgen
from tests.parity.subset import write_subset
from tests.parity.test_parity import MATRIX, PER_OPERATOR, STATIC, TOY_NATIVE, TWENTY, with_selection, with_templates
from tests.program import outputs

COMPAT = "--torchgen-compat"
FUNCTIONALIZATION = "torchgen/gen_functionalization_type.py"
EVERY_RELEASE = pytest.mark.parametrize("version", ALL)


def release_of(version: str) -> Release:
    found = find_release(version)
    assert found is not None
    return found


def device_options(version: str) -> list[str]:
    """The device switches that a release has."""
    return sorted({f"--{flag}" for flag in release_of(version).key_facts.flags.values()})


def unordered_files(version: str) -> Collection[str]:
    """The files of a release in which the order of some lists changes from run to run."""
    return release_of(version).unordered_files


def check(version: str, source: Path, folder: Path, options: Sequence[str], *own_options: str) -> None:
    """Compare all files with those of a release's torchgen; `own_options` go to Opwright alone."""
    check_all(
        fetched_or_skip(version),
        source,
        folder,
        options,
        release=version,
        own_options=own_options,
        braces_as_sets=unordered_files(version),
    )


@pytest.mark.thorough
@EVERY_RELEASE
@MODES
def test_packaged_operators(version: str, mode: tuple[str, ...], tmp_path: Path) -> None:
    """What the digests show for own templates."""
    check(version, packaged_source(fetched_or_skip(version)), tmp_path, mode)


@pytest.mark.thorough
@EVERY_RELEASE
def test_packaged_operators_of_all_devices(version: str, tmp_path: Path) -> None:
    """What the digests show for own templates."""
    source = packaged_source(fetched_or_skip(version))
    check(version, source, tmp_path, [*device_options(version), "--rocm", PER_OPERATOR])


@pytest.mark.thorough
@EVERY_RELEASE
@pytest.mark.parametrize("device", ["--rocm", "--mps", "--xpu", "--mtia"])
def test_packaged_operators_of_one_device(version: str, device: str, tmp_path: Path) -> None:
    source = packaged_source(fetched_or_skip(version))
    if device not in ["--rocm", *device_options(version)]:
        pytest.skip(f"PyTorch {version} has no {device}")
    check(version, source, tmp_path, [device])


#: The options of which releases differ most; the others are compared when one asks for that.
TELLING = ("rocm", "static", "selection-forced", "backend-whitelist")


@EVERY_RELEASE
@pytest.mark.parametrize(
    "options",
    [
        pytest.param(options, id=name, marks=() if name in TELLING else pytest.mark.thorough)
        for name, options in MATRIX.items()
    ],
)
def test_every_option(version: str, options: tuple[str, ...], tmp_path: Path) -> None:
    root = fetched_or_skip(version)
    missing = {"--mps", "--xpu", "--mtia"} & set(options) - set(device_options(version))
    if missing:
        pytest.skip(f"PyTorch {version} has no {', '.join(sorted(missing))}")
    source = write_subset(packaged_source(root), tmp_path / "source", 150, seed=8, include=TWENTY)
    check(version, source, tmp_path / "out", with_selection(options, tmp_path))


@EVERY_RELEASE
@pytest.mark.parametrize(
    ("seed", "options"), [(1, ()), (2, (PER_OPERATOR,)), (6, (STATIC, "CPU", "CUDA", PER_OPERATOR))]
)
def test_part_of_the_operators(version: str, seed: int, options: tuple[str, ...], tmp_path: Path) -> None:
    """Where no operator of the part mentions Meta, torchgen includes headers that are not made."""
    root = fetched_or_skip(version)
    source = write_subset(packaged_source(root), tmp_path / "source", 150, seed, include=("add",))
    check(version, source, tmp_path / "out", options, COMPAT)


@EVERY_RELEASE
@pytest.mark.parametrize("options", [(), (STATIC, "CPU", "CUDA", PER_OPERATOR)], ids=["plain", "static"])
def test_operators_of_another_namespace(version: str, options: tuple[str, ...], tmp_path: Path) -> None:
    """Also with torchgen's fault of older releases that forgets registrations between two namespaces."""
    root = fetched_or_skip(version)
    if not TOY_NATIVE.is_dir():
        pytest.skip("the toy operators are not there")
    if release_of(version).functionalization.replays_single_outputs:
        pytest.skip("torchgen refuses the toy's view of several tensors, as all but three of PyTorch's own")
    check(version, with_templates(TOY_NATIVE, root, tmp_path / "source"), tmp_path / "out", options, COMPAT)


def test_checkouts_before_2_1(tmp_path: Path) -> None:
    """2.0's generator with 2.1's functionalization, which registers composite kernels as 2.0 does."""
    old, new = fetched_or_skip("2.0.1"), fetched_or_skip("2.1.2")
    between = tmp_path / "between"
    source = write_subset(packaged_source(old), tmp_path / "source", 300, 1, include=("add",))
    shutil.copytree(old / "torchgen", between / "torchgen", ignore=shutil.ignore_patterns("packaged"))
    shutil.copyfile(new / FUNCTIONALIZATION, between / FUNCTIONALIZATION)
    kernels, others = run_torchgen(between, source), run_torchgen(old, source)
    actual = run_opwright(source, tmp_path / "out", ["--release", "2.1.0a0", COMPAT])
    for name, path in outputs(others).items():
        found = outputs(actual)[name]
        if name.startswith("RegisterFunctionalization"):
            defined, registered = parts(found)
            assert defined == parts(kernels / name)[0], name
            assert registered == parts(path)[1], name
        else:
            check_files(others, actual, [name], unordered_files("2.0.1"))


def parts(path: Path) -> tuple[list[str], list[str]]:
    """The tokens of the definitions in a file, and those of its registrations."""
    defined, _, registered = path.read_text(encoding="utf-8").partition("TORCH_LIBRARY_IMPL(")
    return list(tokenize(defined)), list(tokenize(registered))
