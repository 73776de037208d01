"""Verbs that need operators of a release but no torch: `backend`, `lazy` and `check`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from opwright import locate
from opwright.cli.main import main
from opwright.compare.differences import file_difference
from opwright.locate import SAMPLE
from opwright.releases import NAMES
from opwright.releases.operators import DATA
from tests.gen import make_source, names
from tests.parity.checks import INSTALLED_RELEASE, installed_or_skip
from tests.program import environment

BACKEND = """\
backend: PrivateUse1
cpp_namespace: mine
supported:
- empty.memory_format
- mul.Tensor
- sigmoid.out
autograd:
- max_pool2d
"""
LAZY = """\
backend: Lazy
cpp_namespace: mine
full_codegen:
- abs
- add.Tensor
supported:
- clone
"""
STUBS = ["PrivateUse1NativeFunctions.h", "RegisterAutogradPrivateUse1.cpp", "RegisterPrivateUse1.cpp"]
NODES = ["LazyIr.h", "LazyNativeFunctions.cpp", "LazyNativeFunctions.h", "LazyNonNativeIr.h", "RegisterLazy.cpp"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a backend file and one of a lazy backend; no torch is installed."""
    (tmp_path / "backend.yaml").write_text(BACKEND, encoding="utf-8")
    (tmp_path / "lazy.yaml").write_text(LAZY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(locate, "find_packaged", lambda _: None)
    return tmp_path


def install(folder: Path, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something that looks like an installed torch."""
    packaged = make_source(folder / "site" / "torchgen" / "packaged" / "ATen")
    (folder / "site" / "torch").mkdir()
    (folder / "site" / "torch" / "version.py").write_text(f"__version__ = '{version}'\n", encoding="utf-8")
    monkeypatch.setattr(locate, "find_packaged", lambda _: packaged)


class TestSource:
    def test_no_torch(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["backend", "-s", "backend.yaml", "-o", "gen", "--release", "2.10"]) == 0
        assert capsys.readouterr().err.splitlines() == [
            "source: the operators of PyTorch 2.10 (they come with Opwright; no torch of it is installed)",
            "release: PyTorch 2.10 (given with --release)",
        ]
        assert names(folder / "gen") == STUBS

    def test_a_torch_of_another_release(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        install(folder, "2.13.0+cpu", monkeypatch)
        assert main(["backend", "-s", "backend.yaml", "-o", "gen", "--release", "2.10"]) == 0
        assert "PyTorch 2.10 (they come with Opwright; the installed torch is 2.13.0+cpu)" in capsys.readouterr().err

    def test_a_torch_of_the_release(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        install(folder, "2.10.0", monkeypatch)
        assert main(["backend", "-s", "backend.yaml", "-o", "gen", "--release", "2.10"]) == 1
        shown = capsys.readouterr().err
        assert "site/torchgen/packaged/ATen (the installed torch)" in shown
        assert "error[backend-unknown-operator]" in shown

    def test_a_torch_and_no_release(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        install(folder, "2.10.0", monkeypatch)
        assert main(["lazy", "-s", "lazy.yaml", "-o", "gen"]) == 1
        assert "(the installed torch)" in capsys.readouterr().err

    def test_a_checkout_goes_first(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        make_source(folder / "aten" / "src" / "ATen")
        assert main(["backend", "-s", "backend.yaml", "-o", "gen", "--release", "2.10"]) == 1
        assert "source: aten/src/ATen (the checkout in the current folder)" in capsys.readouterr().err

    def test_a_folder_that_is_named_goes_first(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        given = ["--release", "2.10", "--source-path", str(SAMPLE)]
        assert main(["backend", "-s", "backend.yaml", "-o", "gen", *given]) == 1
        assert "(as given)" in capsys.readouterr().err

    @pytest.mark.parametrize("verb", ["backend", "lazy"])
    def test_no_torch_and_no_release(self, verb: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main([verb, "-s", f"{verb}.yaml", "-o", "gen"]) == 2
        assert capsys.readouterr().err == (
            f"opwright {verb}: no operators of PyTorch are found: install torch, name their folder with --source-path, "
            "or choose a release with --release\n"
        )

    def test_a_release_that_is_not_known(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["backend", "-s", "backend.yaml", "-o", "gen", "--release", "1.13"]) == 2
        assert "PyTorch 1.13 (given with --release) is not a release that Opwright knows" in capsys.readouterr().err

    def test_the_state_without_a_wheel(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["backend", "-s", "backend.yaml", "-o", "gen", "--release", "2.1.0a0"]) == 0
        assert capsys.readouterr().err.splitlines() == [
            "source: the operators of PyTorch 2.0 (they come with Opwright; no torch of it is installed)",
            "release: PyTorch 2.1.0a0 (given with --release)",
        ]

    def test_gen_has_the_sample(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["gen", "-d", "gen", "--release", "2.10"]) == 0
        assert "(the sample that comes with Opwright; no torch is installed)" in capsys.readouterr().err

    def test_in_a_python_without_torch(self, folder: Path) -> None:
        (folder / "site").mkdir()
        # What runs at the start of every Python: from there on, a torchgen cannot be found.
        (folder / "site" / "sitecustomize.py").write_text("import sys; sys.modules['torchgen'] = None")
        command = [sys.executable, "-m", "opwright", "backend", "-s", "backend.yaml", "-o", "gen", "--release", "2.7"]
        done = subprocess.run(
            command, cwd=folder, env=environment(folder / "site"), capture_output=True, text=True, check=False
        )
        assert (done.returncode, names(folder / "gen")) == (0, STUBS)


class TestFiles:
    @pytest.mark.parametrize("release", NAMES)
    def test_stubs_of_every_release(self, release: str, folder: Path) -> None:
        assert main(["backend", "-q", "-s", "backend.yaml", "-o", "gen", "--release", release]) == 0
        text = (folder / "gen" / "RegisterPrivateUse1.cpp").read_text(encoding="utf-8")
        assert text.count("\nvoid resize_out(const Tensor &out") == 1
        assert '\nm.impl("mul.Tensor",' in text

    @pytest.mark.parametrize("release", NAMES)
    def test_nodes_of_every_release(self, release: str, folder: Path) -> None:
        assert main(["lazy", "-q", "-s", "lazy.yaml", "-o", "gen", "--release", release]) == 0
        assert names(folder / "gen") == NODES

    def test_what_was_read_is_the_data_file(self, folder: Path) -> None:
        given = ["-s", "backend.yaml", "-o", "gen", "--release", "2.10", "--depfile", "gen.d"]
        assert main(["backend", *given]) == 0
        text = (folder / "gen.d").read_text(encoding="utf-8")
        assert DATA.as_posix() in text
        assert "native_functions.yaml" not in text

    def test_shape_functions_are_not_looked_for(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["lazy", "-s", "lazy.yaml", "-o", "gen", "--release", "2.10"]) == 0
        remark = "shape functions are not looked for: no torch of the release has their header"
        assert remark in capsys.readouterr().err
        (folder / "shapes.h").write_text("", encoding="utf-8")
        given = ["--release", "2.10", "--shape-inference-path", "shapes.h"]
        assert main(["lazy", "-s", "lazy.yaml", "-o", "gen", *given]) == 1
        shown = capsys.readouterr().err
        assert remark not in shown
        assert "'shapes.h' does not declare the shape function of 'abs'" in shown

    def test_only_includes_differ_from_those_made_with_torch(self, folder: Path) -> None:
        source = installed_or_skip() / "torchgen" / "packaged" / "ATen"
        for verb in ("backend", "lazy"):
            common = [verb, "-q", "-s", f"{verb}.yaml", "--include-prefix", "x", "--release", INSTALLED_RELEASE]
            assert main([*common, "-o", "known"]) == 0
            assert main([*common, "-o", "torch", "--source-path", str(source)]) == 0
        for name in names(folder / "torch"):
            for place in ("known", "torch") if name.startswith("Register") else ():
                path = folder / place / name
                path.write_text(without_head(path.read_text(encoding="utf-8")), encoding="utf-8")
            assert file_difference(folder / "torch" / name, folder / "known" / name) is None, name


def without_head(text: str) -> str:
    """A file of registrations from the helper functions on, which the includes stand before."""
    return text[text.index("C10_DIAGNOSTIC_PUSH") :]


class TestCheck:
    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("backend: PrivateUse1\ncpp_namespace: mine\nsupported: [align_to]\n", "backend-unknown-operator"),
            ("operators:\n  aten::align_to: {}\n", "selection-unknown-operator"),
            ("devices:\n  aten::align_to: {}\n", "aoti-unknown-operator"),
            ("- func: a(Tensor self, Dimname d) -> Tensor\n  tags: out\n", "unknown-tag"),
        ],
        ids=["backend", "selection", "aoti", "native"],
    )
    def test_names_of_a_release(self, text: str, code: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (folder / "a.yaml").write_text(text, encoding="utf-8")
        assert main(["check", "a.yaml", "--release", "2.13", "--format", "concise"]) == 1
        newer = capsys.readouterr().out
        main(["check", "a.yaml", "--release", "2.12", "--format", "concise"])
        older = capsys.readouterr().out
        assert (f"[{code}]" in newer) != (f"[{code}]" in older)

    def test_without_a_file_it_is_the_sample(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check", "--release", "2.13"]) == 0
        assert capsys.readouterr().err == "no faults in 2 files\n"

    @pytest.mark.parametrize(
        ("text", "release", "message", "help"),
        [
            (
                "backend: PrivateUse1\ncpp_namespace: mine\nsupported: [align_to]\n",
                "2.13",
                "there is no operator 'align_to' in PyTorch 2.13: it was last there in PyTorch 2.12",
                "remove it, or choose the release with --release",
            ),
            (
                "backend: PrivateUse1\ncpp_namespace: mine\nsupported: [_nested_tensor_offsets]\n",
                "2.4",
                "there is no operator '_nested_tensor_offsets' in PyTorch 2.4: it was last there in PyTorch 2.0",
                "did you mean '_nested_tensor_storage_offsets', which came with PyTorch 2.1?",
            ),
            (
                "backend: PrivateUse1\ncpp_namespace: mine\nsupported: [linalg_polar]\n",
                "2.4",
                "there is no operator 'linalg_polar' in PyTorch 2.4: it came with PyTorch 2.14",
                "remove it, or choose the release with --release",
            ),
            (
                "operators:\n  aten::_nested_tensor_offsets: {}\n",
                "2.4",
                "there is no operator 'aten::_nested_tensor_offsets' in PyTorch 2.4: it was last there in PyTorch 2.0",
                "did you mean 'aten::_nested_tensor_storage_offsets', which came with PyTorch 2.1?",
            ),
            (
                "devices:\n  aten::_foreach_mm: {}\n",
                "2.4",
                "there is no operator 'aten::_foreach_mm' in PyTorch 2.4: it came with PyTorch 2.13",
                "remove it, or choose the release with --release",
            ),
            (
                "backend: ORT\ncpp_namespace: mine\nsupported: [abs]\n",
                "2.4",
                "'ORT' is not a dispatch key of PyTorch 2.4",
                "it was last there in PyTorch 2.3; a backend without a key of its own uses 'PrivateUse1'",
            ),
            (
                "- func: a(Tensor self) -> Tensor\n  dispatch: {CPU: b, MAIA: c}\n",
                "2.3",
                "'MAIA' is not a dispatch key of PyTorch 2.3",
                "it came with PyTorch 2.4",
            ),
            (
                "- func: a(Tensor self) -> Tensor\n  dispatch: {CPU: b, XPU: c}\n",
                "2.4",
                "'XPU' is a dispatch key, but kernels cannot be listed under it",
                "they can since PyTorch 2.5",
            ),
            (
                "- func: a(Tensor self, Dimname d) -> Tensor\n",
                "2.13",
                "'Dimname' is not a type of PyTorch 2.13",
                "it was last there in PyTorch 2.12",
            ),
            (
                "- func: a(Tensor self) -> Tensor\n  tags: reduction\n",
                "2.9",
                "tags.yaml does not define the tag 'reduction'",
                "it came with PyTorch 2.10",
            ),
            (
                "- func: a(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\n  structured: true\n"
                "  ufunc_inner_loop: a (Float8_e8m0fnu)\n",
                "2.6",
                "'Float8_e8m0fnu' is not a scalar type of PyTorch 2.6 or a class of them",
                "it came with PyTorch 2.7",
            ),
        ],
    )
    def test_what_another_release_has(
        self, text: str, release: str, message: str, help: str, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / "a.yaml").write_text(text, encoding="utf-8")
        assert main(["check", "-q", "a.yaml", "--release", release, "--format", "json"]) == 1
        found = json.loads(capsys.readouterr().out)
        assert [(item["message"], item["help"]) for item in found if item["severity"] == "error"] == [(message, help)]
