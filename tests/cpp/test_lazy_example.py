"""The example of a lazy backend: built with CMake, loaded, and run, as its README says."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

import opwright
from tests.cpp.toolchain import compile_cpp, run
from tests.program import outputs

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("compiler of backends")]

EXAMPLE = Path(__file__).parents[2] / "examples" / "lazy"
PACKAGE = Path(opwright.__file__).parent / "cmake"
#: The operators that have generated kernels, and the nodes that they make.
NODES = {"mm": "Mm", "mul": "MulTensor", "roll": "Roll", "add": "AddTensor", "relu": "Relu"}


@pytest.fixture(scope="module")
def built(torch: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example, built."""
    folder = tmp_path_factory.mktemp("lazy") / "traced"
    shutil.copytree(EXAMPLE, folder)
    found = f"-DCMAKE_PREFIX_PATH={torch / 'share' / 'cmake'};{PACKAGE}"
    chosen = ("-DCMAKE_CXX_FLAGS=-O0 -g0 -w", f"-DPython3_EXECUTABLE={sys.executable}", found)
    run(["cmake", "-G", "Ninja", "-S", ".", "-B", "build", *chosen], folder)
    run(["cmake", "--build", "build", "-j", "1"], folder)
    return folder


def test_a_function_becomes_a_graph_of_generated_nodes(built: Path) -> None:
    printed = run([sys.executable, "trace.py", "build/traced.so"], built)
    nodes = dict(re.findall(r"aten::(\w+)\(.*NodeType=N6traced\d+(\w+)E$", printed, re.MULTILINE))
    assert nodes == NODES
    assert "aten::roll(%1), shifts=1, dims=0," in printed
    assert re.findall(r"^traced::(\w+) 1$", printed, re.MULTILINE) == sorted(NODES)
    assert printed.endswith("computes what the CPU computes\n")


def test_skeletons_of_shape_functions_compile(torch: Path, tmp_path: Path) -> None:
    (tmp_path / "none.h").write_text("", encoding="utf-8")
    command = [sys.executable, "-m", "opwright", "lazy", "-q", "-s", str(EXAMPLE / "ops.yaml"), "-o", "gen"]
    options = ["--shape-inference-hdr=", "--shape-inference-path", "none.h", "--write-shape-stubs", "shapes.cpp"]
    run([*command, *options], tmp_path)
    assert (tmp_path / "shapes.cpp").read_text(encoding="utf-8").count("is not written yet") == 2
    compile_cpp(torch, tmp_path, "-fsyntax-only", "shapes.cpp")


def test_nothing_is_built_twice(built: Path) -> None:
    assert run(["cmake", "--build", "build"], built) == "ninja: no work to do.\n"


def test_generated_files_name_no_folder_of_this_machine(built: Path) -> None:
    made = outputs(built / "build" / "generated")
    assert "RegisterLazy.cpp" in made
    for path in made.values():
        assert str(built) not in path.read_text(encoding="utf-8")
