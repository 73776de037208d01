"""What is generated compiles against the installed libtorch; a small library made of it loads, and computes.

Needs g++ and a torch of the newest release, which is looked for and not imported. Compiling takes minutes.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from opwright.locate import SAMPLE
from tests.cpp.toolchain import FUNCTIONALIZATION_SHIM, compiler_errors, generate, link_library, precompile, run
from tests.shim_forms import listing, operators

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("compiler")]

HERE = Path(__file__).parent
LIBRARY = HERE / "library"
OWN = HERE / "sample"
REGISTERS = "m.impl("
PER_OPERATOR, PER_OPERATOR_HEADERS = "-DAT_PER_OPERATOR_HEADERS", "--per-operator-headers"
ONE_OF_EACH_KIND = (
    "CompositeViewCopyKernels.cpp",
    "Functions.cpp",
    "Operators_0.cpp",
    "RegisterBackendSelect.cpp",
    "RegisterCPU_0.cpp",
    "RegisterCompositeExplicitAutogradNonFunctional_0.cpp",
    "RegisterFunctionalization_0.cpp",
    "RegisterMeta_0.cpp",
    "RegisterSchema.cpp",
    "ViewMetaClasses.cpp",
)


def with_kernels(sources: Iterable[Path]) -> list[Path]:
    """Those of some registration files that register something; the others only have their headers."""
    return [source for source in sorted(sources) if REGISTERS in source.read_text(encoding="utf-8")]


def make_sample(folder: Path, *options: str) -> Path:
    """Generate from the sample into `include` of a folder, with headers in place of those that want a device."""
    generate(SAMPLE, "include/ATen", folder, "--headeronly-install-dir", "include/torch/headeronly/core", *options)
    shutil.copytree(HERE / "devices", folder / "include", dirs_exist_ok=True)
    return folder / "include" / "ATen"


def sample_errors(torch: Path, folder: Path, names: Iterable[str], *flags: str) -> dict[str, str]:
    """The files of the sample that do not compile, with what the compiler says.

    They are compiled one at a time, so that the names of one cannot hide what another lacks.

    What the sample's author would write, and what libtorch's headers want of another library, is in `sample`.
    """
    flags = (f"-I{OWN}", "-DCPU_CAPABILITY=DEFAULT", "-DCPU_CAPABILITY_DEFAULT", *flags)
    library = precompile(torch, folder, "torch/library.h", *flags)
    found = {}
    for name in names:
        start = library if name.startswith("Register") else ()
        found[name] = compiler_errors(torch, folder, *flags, *start, "-x", "c++", f"include/ATen/{name}")
    return {name: errors for name, errors in found.items() if errors}


class TestSample:
    """The sample with its own templates: its headers take the place of libtorch's of the same names."""

    @pytest.mark.thorough
    def test_every_file(self, torch: Path, tmp_path: Path) -> None:
        """For every device, with headers for single operators."""
        made = make_sample(tmp_path, PER_OPERATOR_HEADERS, "--mps", "--xpu", "--mtia")
        sources = {*made.rglob("*.cpp"), *made.glob("*.cu")}
        sources -= set(made.glob("Register*_*.cpp")).difference(with_kernels(made.glob("Register*_*.cpp")))
        names = sorted(source.relative_to(made).as_posix() for source in sources)
        assert len(names) > 40
        assert sample_errors(torch, tmp_path, names, PER_OPERATOR) == {}

    def test_per_operator(self, torch: Path, tmp_path: Path) -> None:
        """One file of each kind that only includes the headers of single operators."""
        make_sample(tmp_path, PER_OPERATOR_HEADERS)
        assert sample_errors(torch, tmp_path, ONE_OF_EACH_KIND, PER_OPERATOR) == {}

    def test_aggregated(self, torch: Path, tmp_path: Path) -> None:
        """One file of each kind that includes other headers in this mode."""
        make_sample(tmp_path)
        assert sample_errors(torch, tmp_path, ONE_OF_EACH_KIND) == {}

    def test_plumbing_takes_batch_rules(self, torch: Path, tmp_path: Path) -> None:
        make_sample(tmp_path)
        rules = [f"-I{OWN}", str(OWN / "plumbing.cpp")]
        assert compiler_errors(torch, tmp_path, *rules) == ""
        assert "results" in compiler_errors(torch, tmp_path, "-DWITHOUT_RESULTS", *rules)

    def test_handles_and_schemas(self, torch: Path, tmp_path: Path) -> None:
        """Linked and loaded, all operators are torch's, and a call of a handle arrives at a kernel.

        The namespace aten is full, also of names that the sample has, so its operators go into one of their own.
        """
        source = tmp_path / "source"
        shutil.copytree(SAMPLE, source)
        shutil.copyfile(LIBRARY / "RegisterSchema.cpp", source / "templates" / "RegisterSchema.cpp")
        operators = source / "native" / "native_functions.yaml"
        text = operators.read_text(encoding="utf-8")
        text = re.sub(r"^- func: (?!\w+::)", "- func: sample::", text, flags=re.MULTILINE)
        operators.write_text(text, encoding="utf-8")
        generate(source, "include/ATen", tmp_path, "--headeronly-install-dir", "include/torch/headeronly/core")
        link_library(torch, tmp_path, "libsample.so", str(OWN / "handles.cpp"))
        load = [sys.executable, str(OWN / "load.py"), "./libsample.so", "include/ATen/RegisterSchema.cpp"]
        assert run(load, tmp_path) == "all is well\n"


def test_library_that_is_used(torch: Path, tmp_path: Path) -> None:
    """Operators in a namespace of their own, called from Python and from C++.

    Tensors are libtorch's here, so only the headers of the library's own operators go before libtorch's.
    """
    source = tmp_path / "source"
    shutil.copytree(SAMPLE / "templates", source / "templates")
    shutil.copyfile(LIBRARY / "RegisterSchema.cpp", source / "templates" / "RegisterSchema.cpp")
    shutil.copytree(LIBRARY / "native", source / "native")
    generate(source, "generated", tmp_path, PER_OPERATOR_HEADERS)
    generated = tmp_path / "generated"
    shutil.copytree(generated / "ops", tmp_path / "include" / "ATen" / "ops")
    for name in ("FunctionalInverses.h", "ViewMetaClasses.h"):
        shutil.copyfile(generated / name, tmp_path / "include" / "ATen" / name)
    sources = [LIBRARY / "kernels.cpp", FUNCTIONALIZATION_SHIM, *with_kernels(generated.glob("Register*_*.cpp"))]
    sources += [generated / name for name in ("RegisterBackendSelect.cpp", "CompositeViewCopyKernels.cpp")]
    sources.append(generated / "ViewMetaClasses.cpp")
    flags = (PER_OPERATOR, "-I.")
    start = precompile(torch, tmp_path, "torch/library.h", "-fPIC", *flags)
    link_library(torch, tmp_path, "libmine.so", *flags, *start, *map(str, sources))
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
    for name in ("aten", "cpu"):
        path = f"{shims}/c_shim_{name}.cpp"
        made = (tmp_path / path).read_text(encoding="utf-8").count(f"AOTITorchError aoti_torch_{name}_")
        assert made == operators().count("- func:")
        assert compiler_errors(torch, tmp_path, PER_OPERATOR, path) == ""
