"""Lists of files: which file is in which, and how each form looks."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from opwright.output.lists import FAMILIES, LISTED, Groups, dependency_lists, group, outputs_text
from opwright.output.tree import OutputFile

FILES = [
    OutputFile("ops/b.h", "", "ops"),
    OutputFile("ops/a.b.h", "", "ops"),
    OutputFile("ops/a/x.h", "", "ops"),
    OutputFile("Functions.cpp", ""),
    OutputFile("OperatorsEverything.cpp", "", is_umbrella=True),
    OutputFile("core/enum_tag.h", "", "header-only"),
    OutputFile("c_shim_cpu.h", "", "aoti"),
    OutputFile("UfuncCUDA_add.cu", "", "cuda"),
]


def groups(folder: str = "out") -> Groups:
    return group(FILES, [f"{folder}/{file.path}" for file in FILES])


def test_a_file_is_in_the_list_of_its_family() -> None:
    found = groups()
    assert tuple(found) == FAMILIES
    assert {family: names for family, names in found.items() if names} == {
        "general": ["out/Functions.cpp"],
        "ops": ["out/ops/a/x.h", "out/ops/a.b.h", "out/ops/b.h"],
        "cuda": ["out/UfuncCUDA_add.cu"],
        "header-only": ["out/core/enum_tag.h"],
        "aoti": ["out/c_shim_cpu.h"],
        "umbrella": ["out/OperatorsEverything.cpp"],
    }


def test_dependency_lists(tmp_path: Path) -> None:
    lists = dependency_lists(tmp_path / "made.x.cmake", groups(), [*LISTED, "xpu"], joined=False)
    assert {path.relative_to(tmp_path.resolve()).as_posix(): text for path, text in lists} == {
        "made.x.cmake": 'set(\nmade.x\n    "out/Functions.cpp"\n)',
        "cpu_vec_made.x.cmake": "set(\ncpu_vec_made.x\n)",
        "core_made.x.cmake": "set(\ncore_made.x\n)",
        "ops_made.x.cmake": 'set(\nops_made.x\n    "out/ops/a/x.h"\n    "out/ops/a.b.h"\n    "out/ops/b.h"\n)',
        "cuda_made.x.cmake": 'set(\ncuda_made.x\n    "out/UfuncCUDA_add.cu"\n)',
        "xpu_made.x.cmake": "set(\nxpu_made.x\n)",
    }


def test_dependency_lists_of_older_releases(tmp_path: Path) -> None:
    lists = dependency_lists(tmp_path / "made", groups("./out/"), LISTED, joined=True)
    assert {path.name: text for path, text in lists} == {
        "made": 'set(made\n    "./out//Functions.cpp")',
        "cpu_vec_made": "set(cpu_vec_made\n    )",
        "core_made": "set(core_made\n    )",
        "ops_made": 'set(ops_made\n    "./out//ops/a.b.h"\n    "./out//ops/a/x.h"\n    "./out//ops/b.h")',
        "cuda_made": 'set(cuda_made\n    "./out//UfuncCUDA_add.cu")',
    }


def test_outputs_as_lines_and_json() -> None:
    assert outputs_text(groups(), "lines").splitlines() == [
        "out/Functions.cpp",
        "out/OperatorsEverything.cpp",
        "out/UfuncCUDA_add.cu",
        "out/c_shim_cpu.h",
        "out/core/enum_tag.h",
        "out/ops/a/x.h",
        "out/ops/a.b.h",
        "out/ops/b.h",
    ]
    assert json.loads(outputs_text(groups("große Ordner"), "json")) == groups("große Ordner")


def test_outputs_as_cmake() -> None:
    text = outputs_text(groups(), "cmake")
    assert text.startswith('set(opwright_general\n    "out/Functions.cpp")\nset(opwright_core)\n')
    assert '\nset(opwright_header_only\n    "out/core/enum_tag.h")\n' in text


@pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no cmake")
def test_cmake_reads_every_name(tmp_path: Path) -> None:
    folder = 'a b/$c/${d}/"e"/#f/ü'
    script = (
        outputs_text(groups(folder), "cmake") + 'foreach(name ${opwright_ops})\n  message("<${name}>")\nendforeach()\n'
    )
    (tmp_path / "read.cmake").write_text(script, encoding="utf-8")
    done = subprocess.run(
        ["cmake", "-P", "read.cmake"], cwd=tmp_path, stderr=subprocess.PIPE, encoding="utf-8", check=True
    )
    assert done.stderr.splitlines() == [f"<{name}>" for name in groups(folder)["ops"]]
