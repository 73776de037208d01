"""Native AOT stubs of PyTorch's own declarations and of others, as torchgen makes them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from opwright.cli.gen_options import AOT_OPTIONS
from tests.parity.checks import MODES, check_files, fetched_or_skip, run_opwright
from tests.parity.reference import packaged_source, run_torchgen

VERSION = "2.15.0"
STUBS = ("NativeAotStubs.cpp", "NativeAotStubs.h")
FUNCTIONS = """
def kernel_precompile_grid({0}): return [{{"dtype": "float32"}}]
def covered_axes({1}*arguments): return {{}}
def cpp_dispatch({1}spec): return "true"
def cpp_launch({1}spec, launch_fn): return ""
"""
#: Operators with an overload, with precomputed values, with lists, with several outputs, and one for another device.
MODULES = {
    "compare": 'ATEN_OP = "gt.Tensor"\nDISPATCH_KEY = "CUDA"\nUNCONDITIONAL = True\n',
    "index": 'ATEN_OP = "index_add"\nDISPATCH_KEY = "CUDA"\n',
    "join": 'ATEN_OP = "cat"\nDISPATCH_KEY = "CUDA"\n',
    "order": 'ATEN_OP = "sort.stable"\nDISPATCH_KEY = "CUDA"\n',
}
ON_CPU = {"add": 'ATEN_OP = "sub.Tensor"\nDISPATCH_KEY = "CPU"\n'}
FAMILY = (
    "class Base:\n    DISPATCH_KEY = 'CUDA'\n    KERNEL_MODULE = 'kernels.py'\n"
    + FUNCTIONS.format("self", "self, ").replace("\n", "\n    ")
    + """
class Lower(Base):
    ATEN_OP = "lt.Scalar"
class Upper(Base):
    ATEN_OP = "ge.Scalar"
    UNCONDITIONAL = True
def declarations(): return [Lower(), Upper()]
"""
)


def check(root: Path, tmp_path: Path, declared: str, mode: Sequence[str] = ()) -> None:
    """Compare what belongs to stubs with the reference: the files of stubs and the registrations of structured keys."""
    options = ["--generate", "headers", "sources", *mode, AOT_OPTIONS[0], declared]
    expected = run_torchgen(root, packaged_source(root), options)
    actual = run_opwright(
        packaged_source(root), tmp_path / "out", ["--release", VERSION, "--torchgen-compat", *options]
    )
    registrations = sorted(path.name for path in expected.glob("Register*.cpp"))
    assert "RegisterCUDA_0.cpp" in registrations and "RegisterCPU_3.cpp" in registrations
    check_files(expected, actual, [*STUBS, *registrations])


@MODES
def test_its_own_declarations(mode: Sequence[str], tmp_path: Path) -> None:
    root = fetched_or_skip(VERSION)
    check(root, tmp_path, str(root / "torch" / "_native" / "ops"), mode)
    assert "topk_aot_stub" in (tmp_path / "out" / "RegisterCUDA_0.cpp").read_text(encoding="utf-8")


def test_no_declarations(tmp_path: Path) -> None:
    check(fetched_or_skip(VERSION), tmp_path, "")
    assert "aot_stub" not in (tmp_path / "out" / "RegisterCUDA_0.cpp").read_text(encoding="utf-8")


@pytest.mark.parametrize("modules", [MODULES, ON_CPU, {"family": FAMILY}], ids=["single", "for the CPU", "family"])
def test_other_declarations(modules: dict[str, str], tmp_path: Path) -> None:
    root = fetched_or_skip(VERSION)
    for name, text in modules.items():
        (tmp_path / "ops" / name).mkdir(parents=True)
        whole = text if "def " in text else text + 'KERNEL_MODULE = "kernels.py"\n' + FUNCTIONS.format("", "")
        (tmp_path / "ops" / name / "aot.py").write_text(whole)
    check(root, tmp_path, str(tmp_path / "ops"))
