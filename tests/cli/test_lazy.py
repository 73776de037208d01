"""The verb `lazy` as a user runs it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from opwright.cli.lazy_options import SWITCHES, TEXTS
from opwright.locate import SAMPLE
from opwright.options import LazyOptions
from opwright.values import field_names
from tests.gen import age, content, names, touched
from tests.program import environment

BACKEND = """\
backend: Lazy
cpp_namespace: mine
full_codegen:
- blend
- ripple
supported:
- smear
autograd:
- swirl.angle
non_native:
- func: cast(Tensor self, ScalarType dtype) -> Tensor
"""
FILES = [
    "LazyIr.h",
    "LazyNativeFunctions.cpp",
    "LazyNativeFunctions.h",
    "LazyNonNativeIr.h",
    "RegisterAutogradLazy.cpp",
    "RegisterLazy.cpp",
]
MANUAL = Path(__file__).parents[2] / "docs" / "reference" / "command-line.md"
WITHOUT_SHAPES = ("--shape-inference-hdr", "")
RIPPLE = (
    "TORCH_API std::vector<torch::lazy::Shape> compute_shape_ripple("
    "const at::Tensor & self, double rate, int64_t steps, double eps, ::std::optional<double> decay);"
)


def lazy(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `opwright lazy` on the backend file in `folder`, into `gen`; it never shows a traceback."""
    command = [sys.executable, "-m", "opwright", "lazy", "-s", "backend.yaml", "-o", "gen", "--source-path", SAMPLE]
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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "backend.yaml").write_text(BACKEND, encoding="utf-8")
    return tmp_path


class TestFiles:
    def test_they_are_written_once(self, folder: Path) -> None:
        done = lazy(folder, *WITHOUT_SHAPES)
        assert (done.returncode, done.stdout) == (0, "6 files for gen: 6 written, 0 unchanged\n")
        assert names(folder / "gen") == FILES
        age(folder / "gen")
        assert lazy(folder, *WITHOUT_SHAPES).stdout == "6 files for gen: 0 written, 6 unchanged\n"
        assert touched(folder / "gen") == []

    def test_a_dry_run_and_a_list_touch_nothing(self, folder: Path) -> None:
        dry = lazy(folder, *WITHOUT_SHAPES, "--dry_run")
        assert dry.stdout == "6 files for gen: 6 would be written, 0 unchanged\n"
        listed = lazy(folder, "--print-outputs", "lines")
        assert [line.removeprefix("gen/") for line in listed.stdout.splitlines()] == FILES
        assert not (folder / "gen").exists()

    def test_a_check_tells_stale_files(self, folder: Path) -> None:
        lazy(folder, *WITHOUT_SHAPES)
        assert lazy(folder, *WITHOUT_SHAPES, "--check").returncode == 0
        done = lazy(folder, *WITHOUT_SHAPES, "--check", "--node-base", "Mine")
        assert done.returncode == 1
        assert "+class Blend : public Mine {" in done.stdout

    def test_files_of_operators_that_are_gone_can_be_removed(self, folder: Path) -> None:
        lazy(folder, *WITHOUT_SHAPES)
        (folder / "backend.yaml").write_text(BACKEND.replace("autograd:\n- swirl.angle\n", ""), encoding="utf-8")
        assert "1 removed" in lazy(folder, *WITHOUT_SHAPES, "--prune").stdout
        assert "RegisterAutogradLazy.cpp" not in names(folder / "gen")

    def test_a_depfile_names_what_was_read(self, folder: Path) -> None:
        (folder / "shapes.h").write_text(RIPPLE, encoding="utf-8")
        (folder / "kernels.cpp").write_text("", encoding="utf-8")
        options = ("--shape-inference-path", "shapes.h", "--depfile", "stamp.d", "--impl-path", "kernels.cpp")
        assert lazy(folder, *options, "--write-stubs", "new.cpp").returncode == 0
        text = (folder / "stamp.d").read_text(encoding="utf-8")
        assert text.startswith("stamp:")
        for name in ("backend.yaml", "shapes.h", "kernels.cpp", "native_functions.yaml", "LazyIr.h"):
            assert name in text, name

    def test_quiet_and_verbose(self, folder: Path) -> None:
        done = lazy(folder, *WITHOUT_SHAPES, "-q")
        assert (done.stdout, done.stderr) == ("", "")
        assert "unchanged gen/LazyIr.h\n" in lazy(folder, *WITHOUT_SHAPES, "-v").stdout

    def test_a_misspelled_option_of_depfile(self, folder: Path) -> None:
        done = lazy(folder, *WITHOUT_SHAPES, "--depfile", "stamp")
        assert done.returncode == 2 and "opwright lazy: 'stamp' does not end in .d" in done.stderr


class TestContent:
    def text(self, folder: Path) -> str:
        return "".join(data.decode() for data in content(folder / "gen").values())

    def test_every_option_has_a_help_and_is_in_the_manual(self) -> None:
        assert {*TEXTS, *SWITCHES} == set(field_names(LazyOptions))
        manual = MANUAL.read_text(encoding="utf-8")
        for name in field_names(LazyOptions):
            assert re.search(rf"^\| `--(no-)?{name.replace('_', '-')}\b", manual, re.MULTILINE), name

    @pytest.mark.parametrize("name", sorted(TEXTS.keys() - {"tensor_class", "shape_inference_hdr"}))
    def test_every_name(self, name: str, folder: Path) -> None:
        """Two results, an optional tensor and a list of tensors use every name."""
        # A list of tensors is no value of another class, and `glue` has no other argument.
        listed = ["pool", "grade"] if name == "lazy_value_class" else ["pool", "grade", "glue"]
        backend = f"backend: Lazy\ncpp_namespace: mine\nfull_codegen: [{', '.join(listed)}]\n"
        (folder / "backend.yaml").write_text(backend, encoding="utf-8")
        done = lazy(folder, *WITHOUT_SHAPES, f"--{name}", "Own::name")
        assert done.returncode == 0, done.stderr
        before = self.text(folder)
        assert "Own::name" in before
        lazy(folder, *WITHOUT_SHAPES, f"--{name.replace('_', '-')}", "Own::name")
        assert self.text(folder) == before

    def test_the_header_of_shapes(self, folder: Path) -> None:
        (folder / "shapes.h").write_text(RIPPLE, encoding="utf-8")
        assert lazy(folder, "--shape_inference_hdr", "shapes.h").returncode == 0
        assert "#include <shapes.h>" in self.text(folder)

    def test_no_header_of_shapes(self, folder: Path) -> None:
        lazy(folder, *WITHOUT_SHAPES)
        assert "shape_inference.h" not in (folder / "gen" / "LazyNativeFunctions.cpp").read_text(encoding="utf-8")

    @pytest.mark.parametrize(
        ("option", "written"),
        [
            ("--gen-ts-lowerings", "torch::lazy::TSOpVector Lower("),
            ("--gen_ts_lowerings", "torch::lazy::TSOpVector Lower("),
            ("--gen-forced-fallback-code", "force_eager_fallback("),
            ("--build-in-tree", "#include <gen/LazyNativeFunctions.h>\n"),
            ("--create-from-first-tensor", "self.LazyTensor::Create("),
            ("--include-prefix=mine/gen", "#include <mine/gen/LazyIr.h>"),
            ("--include-prefix=", "#include <LazyIr.h>"),
        ],
    )
    def test_every_switch(self, option: str, written: str, folder: Path) -> None:
        lazy(folder, *WITHOUT_SHAPES)
        assert written not in self.text(folder).replace("#include <gen/LazyNativeFunctions.h>\n", "", 1)
        lazy(folder, *WITHOUT_SHAPES, option)
        assert written in self.text(folder)

    def test_no_shapes_for_nodes(self, folder: Path) -> None:
        lazy(folder, *WITHOUT_SHAPES)
        assert "Shape>&& shapes" in self.text(folder)
        lazy(folder, *WITHOUT_SHAPES, "--no-use-lazy-shape")
        assert "Shape>&& shapes" not in self.text(folder)

    def test_single_headers(self, folder: Path) -> None:
        lazy(folder, *WITHOUT_SHAPES, "--per-operator-headers")
        assert "#include <ATen/ops/as_strided_native.h>" in self.text(folder)


class TestShapes:
    def test_a_missing_function_is_reported_at_its_operator(self, folder: Path) -> None:
        (folder / "own.h").write_text("", encoding="utf-8")
        done = lazy(folder, "--shape-inference-path", "own.h", "--format", "json")
        assert done.returncode == 1
        (found,) = json.loads(done.stdout)
        assert (found["code"], found["line"], found["column"]) == ("lazy-missing-shape", 5, 3)
        assert RIPPLE in found["help"]
        assert not (folder / "gen").exists()

    def test_functions_may_be_in_several_headers(self, folder: Path) -> None:
        (folder / "one.h").write_text("", encoding="utf-8")
        (folder / "two.h").write_text(RIPPLE, encoding="utf-8")
        options = ("--shape-inference-path", "one.h", "--shape-inference-path", "two.h")
        assert lazy(folder, *options).returncode == 0

    def test_a_header_that_is_not_there(self, folder: Path) -> None:
        done = lazy(folder, "--shape-inference-path", "none.h")
        assert done.returncode == 2 and "unreadable-file" in done.stderr and "none.h" in done.stderr

    def test_skeletons(self, folder: Path) -> None:
        (folder / "own.h").write_text("", encoding="utf-8")
        options = ("--shape-inference-path", "own.h", "--write-shape-stubs", "shapes.cpp")
        done = lazy(folder, *options)
        assert done.returncode == 0 and "1 skeleton written to shapes.cpp" in done.stderr
        text = (folder / "shapes.cpp").read_text(encoding="utf-8")
        assert f"// {RIPPLE}\nstd::vector<torch::lazy::Shape> compute_shape_ripple(" in text
        again = lazy(folder, *options)
        assert again.returncode == 2 and "shapes.cpp" in again.stderr
        assert (folder / "shapes.cpp").read_text(encoding="utf-8") == text

    def test_no_skeletons_when_nothing_is_missing(self, folder: Path) -> None:
        (folder / "own.h").write_text(RIPPLE, encoding="utf-8")
        options = ("--shape-inference-path", "own.h", "--write-shape-stubs", "shapes.cpp")
        assert lazy(folder, *options).returncode == 0
        assert not (folder / "shapes.cpp").exists()


class TestKernels:
    def test_those_that_are_generated_are_not_looked_for(self, folder: Path) -> None:
        (folder / "kernels.cpp").write_text("", encoding="utf-8")
        done = lazy(folder, *WITHOUT_SHAPES, "--impl_path", "kernels.cpp", "--format", "json")
        assert done.returncode == 1
        found = [(item["code"], item["line"]) for item in json.loads(done.stdout)]
        assert found == [("backend-kernel-missing", 7), ("backend-kernel-missing", 9)]

    def test_skeletons(self, folder: Path) -> None:
        assert lazy(folder, *WITHOUT_SHAPES, "--write-stubs", "kernels.cpp").returncode == 0
        text = (folder / "kernels.cpp").read_text(encoding="utf-8")
        assert "LazyNativeFunctions::smear(" in text and "LazyNativeFunctions::swirl(" in text
        assert "blend" not in text
        assert lazy(folder, *WITHOUT_SHAPES, "--impl-path", "kernels.cpp").returncode == 0


GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "lazy-backend.md"
HOOKS = """\
from opwright.lazy import LazyHooks

class Own(LazyHooks):
    def lowering(self, node):
        return f"{TABLE[node.base]} Lower() const override;"

TABLE = {"blend": "Op", "ripple": "Op"}
"""


class TestHooks:
    def test_they_write_parts(self, folder: Path) -> None:
        (folder / "hooks.py").write_text(HOOKS + "TABLE['cast'] = 'Own'\n", encoding="utf-8")
        done = lazy(folder, *WITHOUT_SHAPES, "--hooks", "hooks.py:Own", "--depfile", "stamp.d")
        assert done.returncode == 0, done.stderr
        assert "Op Lower() const override;" in (folder / "gen" / "LazyIr.h").read_text(encoding="utf-8")
        assert "hooks.py" in (folder / "stamp.d").read_text(encoding="utf-8")

    def test_the_guide(self, folder: Path) -> None:
        """The hooks that the guide shows."""
        (code,) = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        (folder / "hooks.py").write_text(code, encoding="utf-8")
        done = lazy(folder, *WITHOUT_SHAPES, "--hooks", "hooks.py:Hooks")
        assert done.returncode == 0, done.stderr
        made = content(folder / "gen")
        assert b"return emit_ripple(builder, {operand(0)}, rate, steps, eps, decay);" in made["LazyIr.h"]
        assert b'count("LazyNativeFunctions::blend");' in made["LazyNativeFunctions.cpp"]

    @pytest.mark.parametrize(
        ("text", "name", "said"),
        [
            (HOOKS, "Own", "hooks.py:5: KeyError: 'cast'"),
            (HOOKS, "Other", "no class 'Other' derived from LazyHooks in 'hooks.py'"),
            ("Own = 3", "Own", "no class 'Own' derived from LazyHooks in 'hooks.py'"),
            ("\nimport nothing_of_that_name", "Own", "hooks.py:2: ModuleNotFoundError"),
            ("class Own(", "Own", "'hooks.py' cannot be used"),
            (None, "Own", "'hooks.py' cannot be used"),
        ],
    )
    def test_what_can_be_wrong_with_them(self, text: str | None, name: str, said: str, folder: Path) -> None:
        if text is not None:
            (folder / "hooks.py").write_text(text, encoding="utf-8")
        done = lazy(folder, *WITHOUT_SHAPES, "--hooks", f"hooks.py:{name}")
        assert done.returncode == 2
        assert said in done.stderr
        assert not (folder / "gen").exists()


class TestFaults:
    def test_operators_without_code(self, folder: Path) -> None:
        text = BACKEND.replace("- ripple\n", "- _foreach_nudge_.Scalar\n- blend_\n")
        (folder / "backend.yaml").write_text(text, encoding="utf-8")
        done = lazy(folder, *WITHOUT_SHAPES, "--format", "json")
        found = {(item["code"], item["line"]) for item in json.loads(done.stdout)}
        assert done.returncode == 1
        assert found == {("lazy-written-returns", 5), ("lazy-same-class", 6)}
        assert not (folder / "gen").exists()

    @pytest.mark.parametrize(
        ("text", "status", "said"),
        [
            ("backend: Lazy\ncpp_namespace: mine\n", 1, "backend-nothing-supported"),
            ("backend: Lazy\ncpp_namespace: mine\nfull_codegen: [blnd]\n", 1, "did you mean 'blend'?"),
            ("backend: Lazy\ncpp_namespace: mine\nfull_codegen: [blend]\nir_gen: [nope]\n", 1, "no operator 'nope'"),
            ("", 1, "empty-file"),
        ],
    )
    def test_files_that_say_nothing_sound(self, text: str, status: int, said: str, folder: Path) -> None:
        (folder / "backend.yaml").write_text(text, encoding="utf-8")
        done = lazy(folder, *WITHOUT_SHAPES)
        assert done.returncode == status
        assert said in done.stderr

    def test_no_file(self, folder: Path) -> None:
        (folder / "backend.yaml").unlink()
        assert lazy(folder, *WITHOUT_SHAPES).returncode == 2

    def test_no_such_release(self, folder: Path) -> None:
        done = lazy(folder, *WITHOUT_SHAPES, "--release", "1.0")
        assert done.returncode == 2 and "opwright lazy: PyTorch 1.0" in done.stderr
