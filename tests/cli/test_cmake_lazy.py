"""`opwright_lazy` of the CMake package; that its files compile and run, `tests/cpp/test_lazy_example.py` shows."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from opwright.locate import SAMPLE
from tests.cli.test_cmake import configure, minimal, needs, run

pytestmark = needs("cmake", "ninja")

PROJECT = """\
cmake_minimum_required(VERSION 3.20)
project(nodes NONE)
find_package(Opwright REQUIRED)
opwright_lazy(ops SOURCE_YAML "my ops.yaml" OUTPUT_DIR generated RELEASE 2.13 IMPL kernels.cpp
              OPTIONS --shape-inference-hdr= --source-path "{source}" --node-base Mine)
foreach(file ${{ops_SOURCES}} ${{ops_HEADERS}})
  message(STATUS "made: ${{file}}")
endforeach()
add_custom_target(everything ALL DEPENDS ${{ops_SOURCES}})
add_dependencies(everything ops)
"""
BACKEND = "backend: Lazy\ncpp_namespace: mine\nfull_codegen:\n- blend\n"
KERNEL = "at::Tensor mine::LazyNativeFunctions::ripple(const at::Tensor& a, double b, int64_t c, double d, Own e) {}\n"


def test_files_are_made_again_when_something_that_they_are_made_of_changes(tmp_path: Path) -> None:
    texts = {"CMakeLists.txt": PROJECT.format(source=SAMPLE.as_posix()), "my ops.yaml": BACKEND, "kernels.cpp": KERNEL}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    configured = configure(tmp_path, "-G", "Ninja")
    assert configured.returncode == 0, configured.stdout
    made = re.findall(r"^-- made: .*/build/generated/(.*)$", configured.stdout, re.MULTILINE)
    headers = ["LazyIr.h", "LazyNativeFunctions.h", "LazyNonNativeIr.h"]
    assert made == ["LazyNativeFunctions.cpp", "RegisterLazy.cpp", *headers]

    def build() -> str:
        done = run("cmake", "--build", str(tmp_path / "build"))
        assert done.returncode == 0, done.stdout
        return done.stdout

    assert "Generating ops" in build()
    assert build() == "ninja: no work to do.\n"
    nodes = tmp_path / "build" / "generated" / "LazyIr.h"
    assert "class Blend : public Mine {" in nodes.read_text(encoding="utf-8")
    time.sleep(0.02)  # file systems tell times apart that are some milliseconds apart
    (tmp_path / "my ops.yaml").write_text(f"{BACKEND}supported:\n- ripple\nir_gen:\n- smear\n", encoding="utf-8")
    assert "Generating ops" in build()
    assert "class Smear : public Mine {" in nodes.read_text(encoding="utf-8")
    assert build() == "ninja: no work to do.\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("SOURCE_YAML ops.yaml", "opwright_lazy needs SOURCE_YAML and OUTPUT_DIR"),
        ("SOURCE_YAML ops.yaml OUTPUT_DIR out HEADERS", "opwright_lazy: unknown arguments: HEADERS"),
        ("SOURCE_YAML ops.yaml OUTPUT_DIR out", "opwright_lazy: the files of ops cannot be made, see above"),
    ],
)
def test_wrong_calls(arguments: str, message: str, tmp_path: Path) -> None:
    done, printed = minimal(tmp_path, more=f"opwright_lazy(ops {arguments})")
    assert not done
    assert message in printed
