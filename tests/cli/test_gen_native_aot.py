"""Native AOT declarations as a user of `gen` gives them: what is read, what is never run, and what comes of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.gen import gen, make_source, names

OPERATORS = """\
- func: soak(Tensor self) -> Tensor
  structured_delegate: soak.out
- func: soak.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA, XPU: soak_out
"""
#: A module that shows when it is run.
MODULE = """\
ATEN_OP = "soak"
DISPATCH_KEY = "CUDA"
KERNEL_MODULE = "kernels.py"
open("was_run", "w").close()
from shared import kernel_precompile_grid, covered_axes, cpp_dispatch, cpp_launch
"""
TEMPLATES = Path(__file__).parents[1] / "golden" / "templates"
NEW = ("-s", "source", "-d", "out", "--release", "2.15")
STUBS = ("NativeAotStubs.cpp", "NativeAotStubs.h")
ASKED = "at::native::soak_aot_stub.is_device_supported(c10::DeviceType::{})"
INCLUDE = "#include <ATen/NativeAotStubs.h>\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a source, a declaration for it, and the same declaration where torchgen looks by itself."""
    for place in ("aot/soak", "torch/_native/ops/soak"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "aot.py").write_text(MODULE)
    (tmp_path / "aot" / "notes.txt").touch()
    (tmp_path / "aot" / "without").mkdir()
    make_source(tmp_path / "source", OPERATORS)
    for name in STUBS:
        shutil.copyfile(TEMPLATES / name, tmp_path / "source" / "templates" / name)
    return tmp_path


def read(folder: Path, name: str) -> str:
    return (folder / "out" / name).read_text(encoding="utf-8")


class TestFiles:
    def test_with_declarations(self, folder: Path) -> None:
        run = gen(*NEW, "--aot-ops-dir", "aot", folder=folder)
        assert run.returncode == 0, run.stderr
        assert "DECLARE_DISPATCH(soak_aot_fn, soak_aot_stub)\n" in read(folder, "NativeAotStubs.h")
        assert "DEFINE_DISPATCH(soak_aot_stub);\n" in read(folder, "NativeAotStubs.cpp")
        cuda = read(folder, "RegisterCUDA_0.cpp")
        assert cuda.count(INCLUDE) == 1 and cuda.count(ASKED.format("CUDA")) == 2
        assert not any("aot_stub" in read(folder, name) for name in names(folder / "out") if name[:11] == "RegisterCPU")
        assert not (folder / "was_run").exists()

    def test_without(self, folder: Path) -> None:
        """A declaration counts only when its folder is given, wherever else one lies."""
        assert gen(*NEW, folder=folder).returncode == 0
        assert all("_aot_" not in read(folder, name) for name in STUBS)
        assert "NativeAotStubs" not in read(folder, "RegisterCUDA_0.cpp")
        before = {name: read(folder, name) for name in names(folder / "out")}
        assert gen(*NEW, "--native-aot-ops-dir", "", folder=folder).returncode == 0
        assert {name: read(folder, name) for name in names(folder / "out")} == before
        assert gen(*NEW, "--native_aot_ops_dir", "aot", folder=folder).returncode == 0
        changed = {name for name in names(folder / "out") if read(folder, name) != before[name]}
        assert changed == {*STUBS, "RegisterCUDA_0.cpp"}

    def test_a_library_without_such_templates(self, folder: Path) -> None:
        """It can do without empty files; what is declared needs them."""
        for name in STUBS:
            (folder / "source" / "templates" / name).unlink()
        run = gen(*NEW, folder=folder)
        assert run.returncode == 0, run.stderr
        assert not set(STUBS) & set(names(folder / "out"))
        run = gen(*NEW, "--aot-ops-dir", "aot", folder=folder)
        assert run.returncode == 1
        assert "error[template-missing]: the template 'NativeAotStubs.h' cannot be used" in run.stderr

    def test_older_releases_have_none(self, folder: Path) -> None:
        old = ("-s", "source", "-d", "out", "--release", "2.14")
        run = gen(*old, "--aot-ops-dir", "aot", folder=folder)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr == "opwright gen: PyTorch 2.14 has no native AOT stubs, which --aot-ops-dir is about\n"
        assert gen(*old, folder=folder).returncode == 0
        assert not set(STUBS) & set(names(folder / "out"))

    @pytest.mark.parametrize(("options", "count"), [((), 1), (("--torchgen-compat",), 0)])
    def test_another_device(self, options: tuple[str, ...], count: int, folder: Path) -> None:
        """torchgen includes the stubs for CUDA only, so that what it makes for others does not compile."""
        (folder / "aot" / "soak" / "aot.py").write_text(MODULE.replace("CUDA", "XPU"))
        run = gen(*NEW, "--aot-ops-dir", "aot", "--xpu", *options, folder=folder)
        assert run.returncode == 0, run.stderr
        xpu = read(folder, "RegisterXPU_0.cpp")
        assert (xpu.count(INCLUDE), xpu.count(ASKED.format("XPU"))) == (count, 2)
        assert "NativeAotStubs" not in read(folder, "RegisterCUDA_0.cpp")

    def test_a_device_that_is_off(self, folder: Path) -> None:
        (folder / "aot" / "soak" / "aot.py").write_text(MODULE.replace("CUDA", "XPU"))
        run = gen(*NEW, "--aot-ops-dir", "aot", folder=folder)
        assert (run.returncode, "warning" in run.stderr) == (0, False)
        assert "soak_aot_stub" in read(folder, "NativeAotStubs.h")


class TestReading:
    def test_what_was_read_is_noted(self, folder: Path) -> None:
        run = gen(*NEW, "--aot-ops-dir", "aot", "--depfile", "ops.stamp.d", folder=folder)
        assert run.returncode == 0, run.stderr
        assert " aot/soak/aot.py \\\n" in (folder / "ops.stamp.d").read_text(encoding="utf-8")
        manifest = json.loads(read(folder, ".opwright-sources.json"))
        assert manifest["options"] == {"aot_stubs": ["soak@CUDA"]}

    def test_faults_stop_the_run(self, folder: Path) -> None:
        (folder / "aot" / "soak" / "aot.py").write_text(MODULE.replace("soak", "saok"))
        (folder / "aot" / "without" / "aot.py").write_text("ATEN_OP =\n")
        run = gen(*NEW, "--aot-ops-dir", "aot", folder=folder)
        assert (run.returncode, run.stdout) == (1, "")
        assert "aot/soak/aot.py:1:11: error[aot-unknown-operator]: there is no operator 'saok'" in run.stderr
        assert "did you mean 'soak'?" in run.stderr
        assert "aot/without/aot.py:1:10: error[aot-syntax]" in run.stderr
        assert not (folder / "out").exists()

    def test_a_module_that_is_no_file(self, folder: Path) -> None:
        (folder / "aot" / "without" / "aot.py").mkdir()
        run = gen(*NEW, "--aot-ops-dir", "aot", folder=folder)
        assert run.returncode == 2
        assert "aot/without/aot.py: error[unreadable-file]: this is a directory, not a file" in run.stderr

    @pytest.mark.parametrize(
        ("place", "reason"), [("nowhere", "No such file or directory"), ("aot/notes.txt", "Not a directory")]
    )
    def test_no_folder(self, place: str, reason: str, folder: Path) -> None:
        run = gen(*NEW, "--aot-ops-dir", place, folder=folder)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr.endswith(f"opwright gen: --aot-ops-dir: '{place}' cannot be read: {reason}\n")

    def test_a_folder_without_modules(self, folder: Path) -> None:
        run = gen(*NEW, "--aot-ops-dir", "aot/without", folder=folder)
        assert run.returncode == 0
        assert "--aot-ops-dir: no folder in 'aot/without' has a file aot.py\n" in run.stderr
