"""The CMake package: a small program is built around generated files, and built again after each kind of change."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from opwright import __version__
from opwright.locate import SAMPLE
from tests.program import environment

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "cmake.md"
PROJECT = """\
cmake_minimum_required(VERSION 3.20)
project(small CXX)
find_package(Opwright REQUIRED)
opwright_generate(ops SOURCE_PATH "op source" INSTALL_DIR generated/ATen PER_OPERATOR_HEADERS RELEASE 2.13
                  OPTIONS --op-selection-yaml-path "${CMAKE_CURRENT_SOURCE_DIR}/op source/selection.yaml")
foreach(group ops_SOURCES ops_CPU_VEC_SOURCES ops_CUDA_SOURCES ops_XPU_SOURCES ops_AOTI_SOURCES ops_HEADERS)
  foreach(file ${${group}})
    message(STATUS "${group}: ${file}")
  endforeach()
endforeach()
list(FILTER ops_SOURCES INCLUDE REGEX "/core/ATenOpList")
add_executable(small main.cpp tags.cpp ${ops_SOURCES})
target_include_directories(small PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/generated")
add_dependencies(small ops)
"""
MAIN = """\
#include <cstdio>
int operators();
int tags();
int main() { std::printf("%d %d\\n", operators(), tags()); }
"""
TAGS = """\
#include <ATen/core/enum_tag.h>
int tags() { return static_cast<int>(at::Tag::core); }
"""
#: Templates that make C++ which needs no libtorch; all others of the sample are empty here.
TEMPLATES = {
    "enum_tag.h": "namespace at { enum class Tag { ${enum_of_valid_tags} }; }\n",
    "ATenOpList.cpp": """\
struct Name { const char* name; const char* overload; };
static const Name names[] = {
  ${aten_ops}
};
int operators() { return sizeof(names) / sizeof(Name); }
""",
}
SOAK = "- func: soak(Tensor self) -> Tensor\n"
WRING = "- func: wring(Tensor self) -> Tensor\n"
SELECTION = "operators:\n  aten::soak: {include_all_overloads: true}\n"
OPERATORS, CHOSEN, TEMPLATE = (
    f"op source/{name}" for name in ("native/native_functions.yaml", "selection.yaml", "templates/enum_tag.h")
)


def needs(*programs: str) -> pytest.MarkDecorator:
    """The mark of tests that run these programs."""
    absent = [program for program in programs if shutil.which(program) is None]
    return pytest.mark.skipif(bool(absent), reason=f"not installed: {', '.join(absent)}")


NEEDS_NINJA = needs("cmake", "ninja", "c++")
GENERATORS = [
    pytest.param("Ninja", marks=NEEDS_NINJA),
    pytest.param("Unix Makefiles", marks=needs("cmake", "make", "c++")),
]


class Project:
    """A source folder, and a build folder of CMake that belongs to it."""

    def __init__(self, folder: Path, generator: str) -> None:
        self.folder = folder
        self.build = folder / "build"
        shutil.copytree(SAMPLE, folder / "op source")
        for template in (SAMPLE / "templates").iterdir():
            self.write(f"op source/templates/{template.name}", TEMPLATES.get(template.name, ""))
        texts = {OPERATORS: SOAK, CHOSEN: SELECTION, "CMakeLists.txt": PROJECT, "main.cpp": MAIN, "tags.cpp": TAGS}
        for name, text in texts.items():
            self.write(name, text)
        self.configured = configure(folder, "-G", generator).stdout

    def write(self, name: str, text: str) -> None:
        self.touch(name, lambda path: path.write_text(text, encoding="utf-8", newline="\n"))

    def touch(self, name: str, change: Callable[[Path], object] = os.utime) -> None:
        """Change a file, or only its time, so that it is newer than all that was built."""
        time.sleep(0.02)  # file systems tell times apart that are some milliseconds apart
        change(self.folder / name)

    def make(self) -> subprocess.CompletedProcess[str]:
        """Build."""
        return run("cmake", "--build", str(self.build))

    def check(self, *compiled: str, generated: bool = True) -> None:
        """Build twice: the first run must generate, and compile these files; the second one must do nothing."""
        first, second = self.make(), self.make()
        assert (first.returncode, second.returncode) == (0, 0), first.stdout
        assert ("Generating ops" in first.stdout) == generated
        assert compiled_files(first.stdout) == sorted(compiled)
        assert "Generating" not in second.stdout and "Building" not in second.stdout
        if (self.build / "build.ninja").exists():
            assert second.stdout == "ninja: no work to do.\n"

    def result(self) -> str:
        """What the program prints that was built."""
        return subprocess.run([self.build / "small"], stdout=subprocess.PIPE, text=True, check=True).stdout


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False
    )


def configure(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Let CMake make `build` of a project in `folder`; the package is where the program says it is."""
    place = run(sys.executable, "-m", "opwright", "--cmake-dir").stdout.strip()
    given = [f"-DOpwright_DIR={place}", *arguments]
    if not any("OPWRIGHT_EXECUTABLE" in argument or "Python3" in argument for argument in arguments):
        given.append(f"-DPython3_EXECUTABLE={sys.executable}")
    return run("cmake", "-S", str(folder), "-B", str(folder / "build"), *given)


def compiled_files(printed: str) -> list[str]:
    """The C++ files that a build has compiled."""
    lines = [line for line in printed.splitlines() if "Building CXX" in line]
    return sorted(re.split(r"[/.]", line)[-3] for line in lines)


@pytest.mark.parametrize("generator", GENERATORS)
def test_builds_do_what_is_needed_and_no_more(generator: str, tmp_path: Path) -> None:
    project = Project(tmp_path, generator)
    project.check("main", "tags", "ATenOpList")
    count, _, core = project.result().partition(" ")
    assert count == "1"
    for touched in (OPERATORS, CHOSEN, TEMPLATE, "op source/native/tags.yaml"):
        project.touch(touched)
        project.check()
    project.write(OPERATORS, SOAK + WRING)
    project.check("ATenOpList")
    assert project.result() == f"2 {core}"
    wring = project.build / "generated" / "ATen" / "ops" / "wring.h"
    assert wring.is_file()
    project.write(OPERATORS, SOAK)
    project.check("ATenOpList")
    assert not wring.exists()
    project.write(TEMPLATE, TEMPLATES["enum_tag.h"] + "// changed\n")
    project.check("tags")
    project.touch("tags.cpp")
    project.check("tags", generated=False)


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_fault_in_the_operators_stops_the_build(generator: str, tmp_path: Path) -> None:
    project = Project(tmp_path, generator)
    project.write(OPERATORS, SOAK.replace("Tensor self", "Tensr self"))
    failed = project.make()
    assert failed.returncode != 0
    assert "native_functions.yaml:1:14: error[unknown-type]: 'Tensr' is not a type of PyTorch 2.13" in failed.stdout
    assert "opwright_generate: the files of ops cannot be made, see above" in failed.stdout
    project.write(OPERATORS, SOAK)
    project.check("main", "tags", "ATenOpList")


@NEEDS_NINJA
def test_the_variables_hold_what_is_generated(tmp_path: Path) -> None:
    project = Project(tmp_path, "Ninja")
    told = dict.fromkeys(re.findall(r"^-- (ops_\w+): (.*)$", project.configured, re.MULTILINE))
    assert project.make().returncode == 0
    made = {path for path in project.build.rglob("generated/ATen/**/*") if path.suffix in (".h", ".cpp", ".cu")}
    assert {Path(path) for _, path in told} == made
    assert len(told) == len(made)
    for group, path in told:
        assert (group == "ops_HEADERS") == path.endswith(".h")
        assert (group == "ops_CUDA_SOURCES") == path.endswith(".cu") or "CUDA" in path


def shown_in_the_guide() -> list[str]:
    """The pieces of CMake that the how-to page shows."""
    return re.findall(r"^```cmake\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@NEEDS_NINJA
def test_the_guide(tmp_path: Path) -> None:
    """The project that the how-to page shows."""
    shown = shown_in_the_guide()[0]
    shutil.copytree(SAMPLE, tmp_path / "my_library")
    for template in (tmp_path / "my_library" / "templates").iterdir():
        template.write_text(TEMPLATES.get(template.name, ""), encoding="utf-8")
    (tmp_path / "kernels.cpp").write_text(TAGS, encoding="utf-8")
    (tmp_path / "CMakeLists.txt").write_text(shown, encoding="utf-8")
    assert configure(tmp_path, "-G", "Ninja").returncode == 0
    built = run("cmake", "--build", str(tmp_path / "build"))
    assert built.returncode == 0, built.stdout
    assert {"kernels", "ATenOpList", "RegisterSchema"} < {*compiled_files(built.stdout)}
    assert run("cmake", "--build", str(tmp_path / "build")).stdout == "ninja: no work to do.\n"


BACKEND = """\
cmake_minimum_required(VERSION 3.20)
project(kernels CXX)
find_package(Opwright REQUIRED)
opwright_backend(ops SOURCE_YAML "my stubs.yaml" OUTPUT_DIR generated RELEASE 2.13
                 OPTIONS --lean --source-path "${CMAKE_CURRENT_SOURCE_DIR}/op source")
foreach(file ${ops_SOURCES} ${ops_HEADERS})
  message(STATUS "made: ${file}")
endforeach()
add_executable(small main.cpp other.cpp)
target_include_directories(small PRIVATE headers "${CMAKE_CURRENT_BINARY_DIR}/generated")
add_dependencies(small ops)
"""
CLASS = """\
#pragma once
#include <ATen/Tensor.h>
${namespace_prologue}
struct ${class_name} {
${dispatch_declarations}
};
${namespace_epilogue}
"""
STUBS = "backend: PrivateUse1\ncpp_namespace: small\nsupported:\n- soak\n"
KERNELS = """\
#include "PrivateUse1NativeFunctions.h"
at::Tensor small::PrivateUse1NativeFunctions::soak(const at::Tensor & self) { return self; }
"""


class BackendProject(Project):
    """The same for the stubs of a backend. Their header is compiled, with a stand-in for the one of PyTorch."""

    def __init__(self, folder: Path, generator: str) -> None:
        self.folder = folder
        self.build = folder / "build"
        shutil.copytree(SAMPLE, folder / "op source")
        (folder / "headers" / "ATen").mkdir(parents=True)
        texts = {
            OPERATORS: SOAK,
            "my stubs.yaml": STUBS,
            "op source/templates/DispatchKeyNativeFunctions.h": CLASS,
            "headers/ATen/Tensor.h": "#pragma once\nnamespace at { struct Tensor {}; }\n",
            "main.cpp": KERNELS + "int main() {}\n",
            "other.cpp": "int other() { return 0; }\n",
            "CMakeLists.txt": BACKEND,
        }
        for name, text in texts.items():
            self.write(name, text)
        self.configured = configure(folder, "-G", generator).stdout


@pytest.mark.parametrize("generator", GENERATORS)
def test_backends(generator: str, tmp_path: Path) -> None:
    project = BackendProject(tmp_path, generator)
    project.check("main", "other")
    made = re.findall(r"^-- made: .*/build/generated/(.*)$", project.configured, re.MULTILINE)
    assert made == ["RegisterPrivateUse1.cpp", "PrivateUse1NativeFunctions.h"]
    for touched in ("my stubs.yaml", OPERATORS):
        project.touch(touched)
        project.check()
    project.write("my stubs.yaml", STUBS + "autograd:\n- wring\n")
    assert "'wring'" in project.make().stdout
    project.write(OPERATORS, SOAK + WRING)
    project.check("main")
    assert (project.build / "generated" / "RegisterAutogradPrivateUse1.cpp").is_file()
    registration = (project.build / "generated" / "RegisterPrivateUse1.cpp").read_text(encoding="utf-8")
    assert '#include "PrivateUse1NativeFunctions.h"' in registration
    project.write("my stubs.yaml", STUBS)
    project.check("main")
    assert not (project.build / "generated" / "RegisterAutogradPrivateUse1.cpp").exists()


@NEEDS_NINJA
def test_a_backend_without_its_kernels_stops_the_build(tmp_path: Path) -> None:
    project = BackendProject(tmp_path, "Ninja")
    project.write("CMakeLists.txt", BACKEND.replace("RELEASE 2.13", 'IMPL main.cpp "more kernels" RELEASE 2.13'))
    project.touch("main.cpp", lambda path: path.write_text("int main() {}\n", encoding="utf-8"))
    (tmp_path / "more kernels").mkdir()
    failed = project.make()
    assert failed.returncode != 0
    assert "soak" in failed.stdout
    project.write("more kernels/soak.cpp", KERNELS)
    project.check("main", "other")


@NEEDS_NINJA
def test_the_guide_to_backends(tmp_path: Path) -> None:
    project = BackendProject(tmp_path, "Ninja")
    project.write("my_device.yaml", STUBS)
    (tmp_path / "csrc").mkdir()
    project.write("csrc/kernels.cpp", KERNELS)
    _, shown = shown_in_the_guide()
    head = "cmake_minimum_required(VERSION 3.20)\nproject(my_device CXX)\nfind_package(Opwright REQUIRED)\n"
    source = 'OPTIONS --source-path "${CMAKE_CURRENT_SOURCE_DIR}/op source"'
    project.write("CMakeLists.txt", head + shown.replace("OPTIONS", source))
    built = run("cmake", "--build", str(project.build), "--target", "my_stubs")
    assert built.returncode == 0, built.stdout
    assert {path.name for path in (project.build / "generated").glob("*.*")} >= {
        "PrivateUse1NativeFunctions.h",
        "RegisterPrivateUse1.cpp",
    }


MINIMAL = """\
cmake_minimum_required(VERSION 3.20)
project(minimal NONE)
find_package(Opwright {version} REQUIRED)
message(STATUS "found ${{Opwright_VERSION}}")
{more}
"""


def minimal(folder: Path, *arguments: str, version: str = "", more: str = "") -> tuple[bool, str]:
    """Whether a project with these lines can be configured, and what CMake prints, without its line breaks."""
    (folder / "CMakeLists.txt").write_text(MINIMAL.format(version=version, more=more), encoding="utf-8")
    done = configure(folder, *arguments)
    return done.returncode == 0, " ".join(done.stdout.split())


@NEEDS_NINJA
class TestPackage:
    @pytest.mark.parametrize(
        ("version", "found"), [(__version__, True), ("0.1", True), ("0.1.99", False), ("0.0.5", False), ("1.0", False)]
    )
    def test_version(self, version: str, found: bool, tmp_path: Path) -> None:
        done, printed = minimal(tmp_path, version=version)
        assert done is found
        assert (f"found {__version__}" in printed) is found

    def test_program_that_does_not_run(self, tmp_path: Path) -> None:
        done, printed = minimal(tmp_path, "-DOPWRIGHT_EXECUTABLE=/nowhere/opwright")
        assert not done
        assert "'/nowhere/opwright' does not run: set OPWRIGHT_EXECUTABLE to the program" in printed

    @pytest.mark.skipif(os.name == "nt", reason="Windows runs no script by its first line")
    def test_program_that_is_named(self, tmp_path: Path) -> None:
        program = tmp_path / "my opwright"
        program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m opwright \"$@\"\n", encoding="utf-8")
        program.chmod(0o755)
        more = f'opwright_generate(ops SOURCE_PATH "{SAMPLE.as_posix()}" INSTALL_DIR out)\nmessage("${{ops_HEADERS}}")'
        done, printed = minimal(
            tmp_path, f"-DOPWRIGHT_EXECUTABLE={program}", "-DPython3_EXECUTABLE=/nowhere", more=more
        )
        assert done
        assert f"{tmp_path.as_posix()}/build/out/Functions.h;" in printed

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ("SOURCE_PATH ops", "opwright_generate needs SOURCE_PATH and INSTALL_DIR"),
            ("SOURCE_PATH ops INSTALL_DIR out HEADERS", "opwright_generate: unknown arguments: HEADERS"),
            ("SOURCE_PATH ops INSTALL_DIR out", "there is no native/native_functions.yaml in"),
        ],
    )
    def test_wrong_calls(self, arguments: str, message: str, tmp_path: Path) -> None:
        done, printed = minimal(tmp_path, more=f"opwright_generate(ops {arguments})")
        assert not done
        assert message in printed

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ("SOURCE_YAML ops.yaml", "opwright_backend needs SOURCE_YAML and OUTPUT_DIR"),
            ("SOURCE_YAML ops.yaml OUTPUT_DIR out HEADERS", "opwright_backend: unknown arguments: HEADERS"),
            ("SOURCE_YAML ops.yaml OUTPUT_DIR out", "opwright_backend: the files of ops cannot be made, see above"),
        ],
    )
    def test_wrong_calls_for_backends(self, arguments: str, message: str, tmp_path: Path) -> None:
        done, printed = minimal(tmp_path, more=f"opwright_backend(ops {arguments})")
        assert not done
        assert message in printed
