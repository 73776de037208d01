"""A backend from its first file to a trained network, as its author gets there.

A project is started with the runtime kit, built and used; then the kernels of `examples/backend` are added to it, it is
built again, and the example's own tests run. So most files are compiled once for both.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from opwright.kit import starter
from tests.cpp.toolchain import link_library, run
from tests.program import environment, outputs

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("compiler of backends")]

EXAMPLE = Path(__file__).parents[2] / "examples" / "backend"
#: What pytest says when nothing fails and nothing is skipped. PyTorch warns of outputs that it resizes itself, where a
#: loss falls back to the CPU.
ALL_PASSED = r"\d+ passed(, \d+ warnings?)? in .*"
OPTIMIZE_NOTHING = ("-C", "cmake.build-type=None", "-C", "cmake.define.CMAKE_CXX_FLAGS=-O0 -g0")


class Project:
    """The folder of a backend called `tiny`, and where it is installed to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "tiny"
        self.site = folder / "site"
        run([sys.executable, "-m", "opwright", "backend", "-q", "--init", "tiny"], folder)

    def install(self) -> None:
        """Build and install, from nothing but what is on this machine."""
        local = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--upgrade")
        command = [sys.executable, "-m", "pip", "install", *local, "--target", str(self.site), *OPTIMIZE_NOTHING, "."]
        run(command, self.folder, environment(CMAKE_BUILD_PARALLEL_LEVEL="1"))

    def python(self, *arguments: str) -> str:
        """What Python prints in the project's folder, with the backend installed."""
        return run([sys.executable, *arguments], self.folder, environment(self.site))

    def tests(self) -> str:
        """How many of the project's tests do what, in the words of pytest."""
        return self.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests").splitlines()[-1]


@pytest.fixture(scope="module")
def started(torch: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """What `opwright backend --init` writes, installed."""
    project = Project(tmp_path_factory.mktemp("backend"))
    project.install()
    return project


def test_the_kit_works_as_it_comes(started: Project) -> None:
    printed = started.python("-c", "import torch; print(torch.ones(3, device='tiny') + 1)")
    assert printed == "tensor([2., 2., 2.], device='tiny:0')\n"
    assert re.fullmatch(ALL_PASSED, started.tests())


def test_without_loading_it(started: Project) -> None:
    program = "import os; os.environ['TORCH_DEVICE_BACKEND_AUTOLOAD'] = '0'; import torch; torch.ones(1, device='tiny')"
    printed = started.python(
        "-c", program.replace("torch.ones", "print(hasattr(torch, 'tiny')); import tiny; torch.ones")
    )
    assert printed == "False\n"


def test_nothing_is_built_twice(started: Project) -> None:
    assert run(["cmake", "--build", "build"], started.folder) == "ninja: no work to do.\n"


@pytest.fixture(scope="module")
def example(started: Project) -> Project:
    """The example, installed in the place of what it was made from."""
    for name, path in outputs(EXAMPLE).items():
        target = started.folder / name
        if not target.is_file() or target.read_bytes() != path.read_bytes():  # the others need not be compiled again
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(path, target)
    started.install()
    return started


def test_the_example(example: Project) -> None:
    """Training, copies, views, outputs that do not fit, files, gradients, devices, the fallback: its own tests."""
    assert re.fullmatch(ALL_PASSED, example.tests())


def test_includes_name_no_folder_of_this_machine(example: Project) -> None:
    generated = outputs(example.folder / "build" / "generated")
    assert "RegisterPrivateUse1.cpp" in generated
    for path in generated.values():
        assert str(example.folder) not in path.read_text(encoding="utf-8")


#: What is printed with each fallback that a backend file can ask for, and no kernel for the sine.
FALLBACKS = {
    "cpu": "tensor([0., 0.], device='tiny:0')\n",
    "error": "PrivateUse1 has no kernel for 'aten::sin.out': it is not listed in tiny.yaml\n",
}
SINE = """
import torch
try:
    print(torch.zeros(2).to("tiny").sin())
except NotImplementedError as error:
    print(str(error).splitlines()[0])
"""


@pytest.mark.parametrize(("fallback", "printed"), FALLBACKS.items())
def test_fallback_of_the_file(fallback: str, printed: str, started: Project, torch: Path, tmp_path: Path) -> None:
    """The kit without its own fallback, and with one that the backend file asks for."""
    (kit,) = [file.text for file in starter("tiny") if file.path == "tiny.yaml"]
    (tmp_path / "tiny.yaml").write_text(f"{kit}\nfallback: {fallback}\n", encoding="utf-8")
    command = [sys.executable, "-m", "opwright", "backend", "-q", "-s", "tiny.yaml", "-o", "include"]
    run([*command, "--include-prefix", "", "--lean"], tmp_path)
    built = started.folder / "build" / "CMakeFiles" / "tiny.dir" / "csrc"
    kept = ("driver", "allocator", "guard", "generator", "hooks", "module", "memory")
    objects = [str(built / f"{name}.cpp.o") for name in kept]
    site = shutil.copytree(started.site, tmp_path / "site")
    (library,) = (site / "tiny").glob("_backend.*")
    library.unlink()
    link_library(torch, tmp_path, str(library), "include/RegisterPrivateUse1.cpp", *objects)
    assert run([sys.executable, "-c", SINE], tmp_path, environment(site)) == printed
