"""The verb `backend` as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from opwright import locate
from opwright.cli.main import main
from opwright.locate import SAMPLE
from tests.gen import age, content, names, touched
from tests.program import environment

BACKEND = """\
backend: PrivateUse1
cpp_namespace: mine
supported:
- blend.out: {structured: true}
- ripple
- peel_copy
autograd:
- probe
"""
FILES = ["PrivateUse1NativeFunctions.h", "RegisterAutogradPrivateUse1.cpp", "RegisterPrivateUse1.cpp"]
CLASS = "PrivateUse1NativeFunctions"
RIPPLE = f"at::Tensor {CLASS}::ripple(const at::Tensor& x, double r, int64_t s, double e, std::optional<double> d) {{}}"
PEEL = f"Tensor {CLASS}::peel_copy(const Tensor& x, IntArrayRef margin, optional<int64_t> offset) {{}}"
PROBE = f"bool {CLASS}::probe(const Tensor & x, double tolerance) {{}}"
BLEND = "TORCH_IMPL_FUNC(blend_out)(const Tensor& x, const Tensor& y, const Scalar& w, const Tensor& out) {}"


def backend(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `opwright backend` on the backend file in `folder`, into `gen`; it never shows a traceback."""
    command = [sys.executable, "-m", "opwright", "backend", "-s", "backend.yaml", "-o", "gen", "--source-path", SAMPLE]
    done = subprocess.run(
        [*map(str, command), *map(str, arguments)],
        cwd=folder,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def write(folder: Path, text: str, name: str = "backend.yaml") -> None:
    (folder / name).write_text(text, encoding="utf-8")


def codes(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [item["code"] for item in json.loads(done.stdout)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, BACKEND)
    return tmp_path


class TestFiles:
    def test_they_are_written_once(self, folder: Path) -> None:
        done = backend(folder)
        assert (done.returncode, done.stdout) == (0, "3 files for gen: 3 written, 0 unchanged\n")
        assert names(folder / "gen") == FILES
        age(folder / "gen")
        assert backend(folder).stdout == "3 files for gen: 0 written, 3 unchanged\n"
        assert touched(folder / "gen") == []

    def test_a_dry_run_and_a_list_touch_nothing(self, folder: Path) -> None:
        assert backend(folder, "--dry-run").stdout == "3 files for gen: 3 would be written, 0 unchanged\n"
        assert backend(folder, "--dry_run").returncode == 0
        listed = backend(folder, "--print-outputs", "lines")
        assert listed.stdout.split() == [f"gen/{name}" for name in FILES]
        assert not (folder / "gen").exists()

    def test_a_check_tells_stale_files(self, folder: Path) -> None:
        backend(folder)
        assert backend(folder, "--check").returncode == 0
        write(folder, BACKEND.replace("- ripple\n", ""))
        done = backend(folder, "--check")
        assert done.returncode == 1
        assert "2 of 3 files are stale" in done.stderr

    def test_what_is_not_made_anymore_is_pruned(self, folder: Path) -> None:
        backend(folder)
        write(folder, BACKEND.partition("autograd")[0])
        assert "1 more of earlier runs" in backend(folder).stderr
        assert backend(folder, "--prune").stdout.endswith("1 removed\n")
        assert names(folder / "gen") == [FILES[0], FILES[2]]

    def test_two_backends_share_a_folder(self, folder: Path) -> None:
        backend(folder)
        write(folder, BACKEND.replace("PrivateUse1", "XLA"))
        assert backend(folder, "--prune").stdout == "3 files for gen: 3 written, 0 unchanged, 0 removed\n"
        assert len(names(folder / "gen")) == 6

    def test_a_depfile_names_what_was_read(self, folder: Path) -> None:
        write(folder, f"{RIPPLE}\n{PEEL}\n{PROBE}\n{BLEND}\n", "kernels.cpp")
        assert backend(folder, "--depfile", "gen.stamp.d", "--impl-path", "kernels.cpp").returncode == 0
        text = (folder / "gen.stamp.d").read_text(encoding="utf-8")
        assert text.startswith("gen.stamp: \\\n  backend.yaml")
        for name in ("kernels.cpp", "native_functions.yaml", "RegisterDispatchKey.cpp", "backend_stubs.py"):
            assert name in text

    def test_a_depfile_has_its_suffix(self, folder: Path) -> None:
        done = backend(folder, "--depfile", "stamp")
        assert done.returncode == 2
        assert "does not end in .d" in done.stderr


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ((), '#include "gen/PrivateUse1NativeFunctions.h"'),
        (("-o", "gen/"), '#include "gen//PrivateUse1NativeFunctions.h"'),  # as torchgen has it
        (("--include-prefix", "mine/generated/"), '#include "mine/generated/PrivateUse1NativeFunctions.h"'),
        (("--include-prefix", ""), '#include "PrivateUse1NativeFunctions.h"'),
        (("--include-prefix", "x", "--lean"), '#include "x/PrivateUse1NativeFunctions.h"'),
    ],
)
def test_the_path_of_the_header(options: tuple[str, ...], line: str, folder: Path) -> None:
    assert backend(folder, *options).returncode == 0
    for name in FILES[1:]:
        assert line in (folder / "gen" / name).read_text(encoding="utf-8").splitlines()


def test_lean_files_include_little(folder: Path) -> None:
    backend(folder, "--lean")
    includes = {
        name: [line for line in text.decode().splitlines() if line.startswith("#include")]
        for name, text in content(folder / "gen").items()
    }
    assert includes["RegisterAutogradPrivateUse1.cpp"] == [
        '#include "gen/PrivateUse1NativeFunctions.h"',
        "#include <ATen/core/Tensor.h>",
        "#include <torch/library.h>",
    ]
    assert "#include <ATen/native/Resize.h>" in includes["RegisterPrivateUse1.cpp"]
    assert not {"#include <ATen/Functions.h>", "#include <ATen/NativeFunctions.h>"} & set(
        includes["RegisterPrivateUse1.cpp"]
    )


class TestMistakes:
    def test_all_are_shown_and_nothing_is_written(self, folder: Path) -> None:
        backend(folder)
        before = content(folder / "gen")
        write(folder, BACKEND.replace("- ripple", "- rippel\n- blend_\n- nudge_: {kernal: x}"))
        done = backend(folder, "--format", "json")
        assert done.returncode == 1
        assert codes(done) == ["backend-unknown-operator", "backend-served-by-structured", "backend-unknown-field"]
        assert "nothing was written" in done.stderr
        assert content(folder / "gen") == before

    def test_no_operators(self, folder: Path) -> None:
        write(folder, "backend: PrivateUse1\ncpp_namespace: mine\nsupported:\nautograd:\n")
        done = backend(folder)
        assert done.returncode == 0
        assert "warning[backend-nothing-supported]: no operator is listed, so nothing is generated" in done.stderr
        assert done.stdout == "0 files for gen: 0 written, 0 unchanged\n"

    def test_no_file(self, folder: Path) -> None:
        (folder / "backend.yaml").unlink()
        done = backend(folder)
        assert done.returncode == 2
        assert "error[unreadable-file]: there is no such file" in done.stderr

    def test_no_source(self, folder: Path) -> None:
        done = backend(folder, "--source-path", folder)
        assert done.returncode == 2
        assert "there is no native/native_functions.yaml" in done.stderr

    def test_no_torch(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        monkeypatch.chdir(folder)
        monkeypatch.setattr(locate, "find_packaged", lambda _: None)
        assert main(["backend", "-s", "backend.yaml", "-o", "gen"]) == 2
        assert "no operators of PyTorch are found: install torch, name" in capsys.readouterr().err

    def test_no_place_to_write(self, folder: Path) -> None:
        write(folder, "", "gen")
        done = backend(folder)
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1].startswith("opwright backend: gen")

    def test_no_options(self, folder: Path) -> None:
        command = [sys.executable, "-m", "opwright", "backend"]
        done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
        assert done.returncode == 2


class TestKernels:
    def test_all_are_there(self, folder: Path) -> None:
        (folder / "kernels" / "deep").mkdir(parents=True)
        write(folder, f"{RIPPLE}\n{BLEND}\n", "kernels/a.cpp")
        write(folder, f"{PEEL}\n", "kernels/deep/b.cu")
        write(folder, "no C++ at all: \udcff".encode("utf-8", "ignore").decode(), "kernels/notes.txt")
        write(folder, f"{PROBE}\n", "probe.cpp")
        assert backend(folder, "--impl-path", "kernels", "probe.cpp").returncode == 0
        assert backend(folder, "--impl_path", "kernels", "--impl-path", "probe.cpp").returncode == 0

    def test_what_is_missing(self, folder: Path) -> None:
        write(folder, f"// {RIPPLE}\nauto x = {json.dumps(PEEL)};\n/* {BLEND} */\n", "kernels.cpp")
        done = backend(folder, "--impl-path", "kernels.cpp", "--format", "json")
        assert done.returncode == 1
        assert codes(done) == ["backend-kernel-missing"] * 4
        assert [(item["line"], item["column"]) for item in json.loads(done.stdout)] == [(4, 3), (5, 3), (6, 3), (8, 3)]

    @pytest.mark.parametrize(
        ("kernel", "instead", "said"),
        [
            ("double r, int64_t s", "double r, c10::SymInt s", "parameter 'steps' must be 'int64_t'"),
            ("double r, ", "", "it has 4 parameters, not 5"),
            ("const at::Tensor& x", "at::Tensor& x", "parameter 'self' must be 'const at::Tensor &'"),
        ],
    )
    def test_other_arguments(self, kernel: str, instead: str, said: str, folder: Path) -> None:
        write(folder, f"\n{RIPPLE.replace(kernel, instead)}\n{PEEL}\n{PROBE}\n{BLEND}\n", "kernels.cpp")
        done = backend(folder, "--impl-path", "kernels.cpp")
        assert done.returncode == 1
        assert f"error[backend-kernel-signature]: '{CLASS}::ripple' takes other arguments" in done.stderr
        assert said in done.stderr
        assert "kernels.cpp:2:1: defined here" in done.stderr
        assert done.stderr.count("error[") == 1

    def test_symint_decides(self, folder: Path) -> None:
        symbolic = PEEL.replace("peel_copy", "peel_copy_symint").replace("IntArrayRef", "SymIntArrayRef")
        symbolic = symbolic.replace("int64_t", "SymInt")
        write(folder, BACKEND + "symint: [peel_copy]\n")
        write(folder, f"{RIPPLE}\n{symbolic}\n{PROBE}\n{BLEND}\n", "kernels.cpp")
        assert backend(folder, "--impl-path", "kernels.cpp").returncode == 0

    def test_too_many(self, folder: Path) -> None:
        write(folder, f"{RIPPLE}\n{PEEL}\n{PROBE}\n{BLEND}\nbool {CLASS}::probe(int x) {{}}\n", "kernels.cpp")
        done = backend(folder, "--impl-path", "kernels.cpp")
        assert done.returncode == 1
        assert f"kernels.cpp:5:1: error[backend-kernel-surplus]: '{CLASS}::probe' is defined" in done.stderr

    def test_a_file_that_is_not_there(self, folder: Path) -> None:
        done = backend(folder, "--impl-path", "nowhere.cpp")
        assert done.returncode == 2
        assert "nowhere.cpp: error[unreadable-file]" in done.stderr
        assert not (folder / "gen").exists()


class TestSkeletons:
    def test_those_of_missing_kernels_are_written(self, folder: Path) -> None:
        write(folder, f"{RIPPLE}\n{PROBE}\n", "kernels.cpp")
        done = backend(folder, "--impl-path", "kernels.cpp", "--write-stubs", "more.cpp")
        assert done.returncode == 0
        assert "2 skeletons written to more.cpp" in done.stderr
        text = (folder / "more.cpp").read_text(encoding="utf-8")
        assert "void structured_blend_out::impl(" in text
        assert f"at::Tensor {CLASS}::peel_copy(" in text
        assert "ripple" not in text and "probe" not in text
        complete = backend(folder, "--impl-path", "kernels.cpp", "more.cpp", "--write-stubs", "again.cpp")
        assert complete.returncode == 0
        assert not (folder / "again.cpp").exists()

    def test_without_files_all_are_written(self, folder: Path) -> None:
        assert "4 skeletons written" in backend(folder, "--write-stubs", "kernels.cpp").stderr
        assert backend(folder, "--impl-path", "kernels.cpp").returncode == 0

    def test_a_file_is_never_replaced(self, folder: Path) -> None:
        write(folder, "mine", "kernels.cpp")
        done = backend(folder, "--write-stubs", "kernels.cpp")
        assert done.returncode == 2
        assert "there is such a file already" in done.stderr
        assert (folder / "kernels.cpp").read_text(encoding="utf-8") == "mine"

    def test_a_dry_run_writes_none(self, folder: Path) -> None:
        done = backend(folder, "--write-stubs", "kernels.cpp", "--dry-run")
        assert "4 skeletons would be written to kernels.cpp" in done.stderr
        assert not (folder / "kernels.cpp").exists()

    def test_a_check_reports_instead(self, folder: Path) -> None:
        done = backend(folder, "--write-stubs", "kernels.cpp", "--check", "--format", "json")
        assert codes(done) == ["backend-kernel-missing"] * 4
