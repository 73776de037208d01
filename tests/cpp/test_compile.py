"""What is generated compiles against the installed libtorch; a small library made of it loads, and computes.

Needs g++ and a torch of the newest release, which is looked for and not imported. Compiling takes about a minute.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opwright.locate import SAMPLE
from tests.parity.checks import installed_or_skip
from tests.program import environment
from tests.shim_forms import listing, operators

LIBRARY = Path(__file__).parent / "library"


@pytest.fixture(scope="module")
def torch() -> Path:
    """The folder of the installed torch; skips where there is none, or no compiler."""
    if shutil.which("g++") is None:
        pytest.skip("there is no g++")
    folder = installed_or_skip() / "torch"
    if not (folder / "include" / "ATen" / "Tensor.h").is_file():
        pytest.skip("the installed torch has no headers")
    return folder


def run(command: list[str], folder: Path) -> str:
    """Run a program in `folder`; what it prints. The test fails with its messages if it does."""
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        pytest.fail(f"exit status {done.returncode} of {' '.join(command)}\n{done.stderr[:5000]}", pytrace=False)
    return done.stdout


def generate(source: Path, out: str, folder: Path, *options: str) -> None:
    run([sys.executable, "-m", "opwright", "gen", "-q", "-s", str(source), "-d", out, *options], folder)


def check_compiles(torch: Path, folder: Path, *arguments: str) -> None:
    """Run the compiler with the generated headers in `include` before those of libtorch."""
    run(["g++", "-std=c++20", "-O0", "-g0", "-Iinclude", f"-I{torch / 'include'}", *arguments], folder)


class TestSample:
    """The sample with its own templates: its headers take the place of libtorch's of the same names."""

    def test_aggregated(self, torch: Path, tmp_path: Path) -> None:
        generate(SAMPLE, "include/ATen", tmp_path, "--headeronly-install-dir", "include/torch/headeronly/core")
        # One at a time, so that the names of one file cannot hide what another lacks.
        for name in ("Operators_0.cpp", "RegisterSchema.cpp"):
            check_compiles(torch, tmp_path, "-fsyntax-only", f"include/ATen/{name}")

    def test_per_operator(self, torch: Path, tmp_path: Path) -> None:
        options = ("--per-operator-headers", "--headeronly-install-dir", "include/torch/headeronly/core")
        generate(SAMPLE, "include/ATen", tmp_path, *options)
        check_compiles(torch, tmp_path, "-fsyntax-only", "-DAT_PER_OPERATOR_HEADERS", "include/ATen/Operators_1.cpp")


def test_library_that_is_used(torch: Path, tmp_path: Path) -> None:
    """Operators in a namespace of their own, called from Python and from C++.

    Tensors are libtorch's here, so only the headers of the library's own operators go before libtorch's.
    """
    source = tmp_path / "source"
    shutil.copytree(SAMPLE / "templates", source / "templates")
    shutil.copyfile(LIBRARY / "RegisterSchema.cpp", source / "templates" / "RegisterSchema.cpp")
    (source / "native").mkdir()
    shutil.copyfile(LIBRARY / "operators.yaml", source / "native" / "native_functions.yaml")
    shutil.copyfile(LIBRARY / "tags.yaml", source / "native" / "tags.yaml")
    generate(source, "generated", tmp_path, "--per-operator-headers")
    shutil.copytree(tmp_path / "generated" / "ops", tmp_path / "include" / "ATen" / "ops")
    shared = ("-fPIC", "-shared", "-DAT_PER_OPERATOR_HEADERS", "-I.", str(LIBRARY / "kernels.cpp"), "-o", "libmine.so")
    check_compiles(torch, tmp_path, *shared, f"-L{torch / 'lib'}", "-ltorch_cpu", "-lc10")
    assert run([sys.executable, str(LIBRARY / "use.py"), "./libmine.so"], tmp_path) == "all is well\n"


def test_shims(torch: Path, tmp_path: Path) -> None:
    """A C function for each form of an argument and a return; all but the operators themselves is libtorch's."""
    source, shims = tmp_path / "source", "include/torch/csrc/inductor/aoti_torch/generated"
    (source / "native").mkdir(parents=True)
    shutil.copytree(torch.parent / "torchgen" / "packaged" / "ATen" / "templates", source / "templates")
    shutil.copyfile(SAMPLE / "native" / "tags.yaml", source / "native" / "tags.yaml")
    (source / "native" / "native_functions.yaml").write_text(operators(), encoding="utf-8")
    listed = f"devices:\n{listing(operators())}aten:\n{listing(operators())}"
    (tmp_path / "list.yaml").write_text(listed, encoding="utf-8")
    options = ("--per-operator-headers", "--aoti-install-dir", shims, "--aoti-ops", "list.yaml", "--update-aoti-c-shim")
    generate(source, "generated", tmp_path, *options)
    shutil.copytree(tmp_path / "generated" / "ops", tmp_path / "include" / "ATen" / "ops")
    for name in ("c_shim_aten.cpp", "c_shim_cpu.cpp"):
        check_compiles(torch, tmp_path, "-fsyntax-only", "-DAT_PER_OPERATOR_HEADERS", f"{shims}/{name}")
