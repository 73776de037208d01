"""The stubs of backends are those of the references."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from opwright.cpp.tokens import tokenize
from tests.parity.checks import check_files, fetched_or_skip, installed_or_skip
from tests.parity.fetch import ALL
from tests.parity.reference import ReferenceRunError, backend_stubs, packaged_source
from tests.program import environment, outputs

INPUTS = Path(__file__).parent / "inputs"
HEAD = "backend: PrivateUse1\ncpp_namespace: mine\n"
#: Wrappers of every form: variants with and without kernels, several results, options, lists, autograd.
FORMS = """
backend: XLA
cpp_namespace: torch_xla
symint: [expand]
supported:
- abs
- abs.out
- add.Tensor
- add_.Tensor
- expand
- empty.memory_format
- max.dim
- native_batch_norm
- _foreach_add_.Scalar
- arange.start_step
- normal_
autograd:
- max_pool2d
- sin
"""
#: What a file may say besides its operators.
VARIANTS = {
    "plain": "",
    "guarded": "device_guard: true\n",
    "out-primary": "use_out_as_primary: true\n",
    "guarded-out-primary": "use_out_as_primary: true\ndevice_guard: true\n",
    "class": "class_name: Kernels\n",
}
EVERY_VARIANT = pytest.mark.parametrize("said", VARIANTS.values(), ids=list(VARIANTS))


def opwright(folder: Path, source: Path, backend: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the verb in `folder` on a backend file with this text."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "backend.yaml").write_text(backend, encoding="utf-8")
    command = [sys.executable, "-m", "opwright", "backend", "-s", "backend.yaml", "-o", "out"]
    command += ["--source-path", str(source), *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment(), check=False)


def check(root: Path, backend: str, folder: Path, release: str | None = None) -> None:
    """Compare all files of a backend."""
    source = packaged_source(root)
    expected = backend_stubs(root, source, backend)
    done = opwright(folder, source, backend, *(["--release", release] if release else []))
    assert done.returncode == 0, done.stderr[-3000:]
    check_files(expected, folder / "out", outputs(expected))
    assert outputs(folder / "out").keys() == outputs(expected).keys()


def said_of(name: str, said: str) -> str:
    """A file of the inputs, with what is said besides; a name that it has for its class stays."""
    text = (INPUTS / name).read_text(encoding="utf-8")
    return text if "class_name" in said and "class_name" in text else f"{text}\n{said}"


@EVERY_VARIANT
def test_forms(said: str, tmp_path: Path) -> None:
    check(installed_or_skip(), FORMS + said, tmp_path)


@EVERY_VARIANT
@pytest.mark.parametrize("name", ["ts_2_13.yaml", "xla_2_10.yaml", "xla_2_1.yaml"])
def test_real_backends(name: str, said: str, tmp_path: Path) -> None:
    check(installed_or_skip(), said_of(name, said), tmp_path)


#: Real backends of which digests show what every release makes of them.
DIGESTED = ("ts_2_0.yaml", "ts_2_13.yaml", "xla_2_1.yaml", "xla_2_10.yaml")


@pytest.mark.parametrize("version", ALL)
@pytest.mark.parametrize("name", ["forms", *(pytest.param(name, marks=pytest.mark.thorough) for name in DIGESTED)])
@pytest.mark.parametrize("variant", ["plain", pytest.param("guarded-out-primary", marks=pytest.mark.thorough)])
def test_every_release(variant: str, name: str, version: str, tmp_path: Path) -> None:
    """Files that a release does not accept, because of operators that it does not have, are refused by both."""
    root, said = fetched_or_skip(version), VARIANTS[variant]
    backend = FORMS + said if name == "forms" else said_of(name, said)
    tried = opwright(tmp_path / "tried", packaged_source(root), backend, "--dry-run", "--release", version)
    if tried.returncode == 1:
        with pytest.raises(ReferenceRunError):
            backend_stubs(root, packaged_source(root), backend)
    else:
        check(root, backend, tmp_path, version)


def listed(schemas: dict[str, str]) -> str:
    """A backend file that lists these operators, one to a line, some for autograd, and every second one symbolic."""
    names = list(schemas)
    symbolic = [name for name in names if "SymInt" in schemas[name].split(" -> ")[0]]
    lists = {"supported": names[len(names) // 5 :], "autograd": names[: len(names) // 5], "symint": symbolic[::2]}
    return "".join(f"{key}:\n" + "".join(f"- {name}\n" for name in items) for key, items in lists.items())


@pytest.mark.parametrize("seed", range(4))
def test_part_of_the_operators(seed: int, tmp_path: Path) -> None:
    """Operators that Opwright refuses are left out first."""
    root = installed_or_skip()
    source = packaged_source(root)
    known = (source / "native" / "native_functions.yaml").read_text(encoding="utf-8")
    every = re.findall(r"^- func: ([\w.]+)(\(.*\) -> .*)$", known, re.MULTILINE)
    schemas = dict(random.Random(seed).sample(every, 300 + 700 * (seed % 2)))
    switches = f"use_out_as_primary: {str(seed >= 2).lower()}\ndevice_guard: {str(seed % 2 == 0).lower()}\n"
    refused = {""}
    while refused:
        backend = HEAD + switches + listed(schemas)
        lines = backend.splitlines()
        found = json.loads(opwright(tmp_path, source, backend, "--format", "json", "--dry-run").stdout)
        refused = {lines[item["line"] - 1].removeprefix("- ") for item in found if item["severity"] == "error"}
        schemas = {name: schema for name, schema in schemas.items() if name not in refused}
    assert len(schemas) > 200
    check(root, backend, tmp_path)


#: C++ files, and whether they have what a backend with `add.Tensor` and `relu` needs.
KERNELS = {
    "all": (
        "Tensor PrivateUse1NativeFunctions::add(const Tensor& self, const Tensor& other, const Scalar& alpha) {}\n"
        "Tensor PrivateUse1NativeFunctions::relu(const Tensor& self) {}\n",
        True,
    ),
    "another one": (
        "Tensor PrivateUse1NativeFunctions::add(const Tensor& self, const Tensor& other, const Scalar& alpha) {}\n"
        "Tensor PrivateUse1NativeFunctions::relu(const Tensor& self) {}\n"
        "Tensor PrivateUse1NativeFunctions::mine(int x) {}\n",
        True,
    ),
    "one missing": ("Tensor PrivateUse1NativeFunctions::relu(const Tensor& self) {}\n", False),
    "one twice": (
        "Tensor PrivateUse1NativeFunctions::add(const Tensor& self, const Tensor& other, const Scalar& alpha) {}\n"
        "Tensor PrivateUse1NativeFunctions::add(const Tensor& self, const Scalar& other) {}\n"
        "Tensor PrivateUse1NativeFunctions::relu(const Tensor& self) {}\n",
        False,
    ),
    "in another class": ("Tensor Others::add(Tensor a) {}\nTensor Others::relu(Tensor a) {}\n", False),
}


@pytest.mark.parametrize(("kernels", "is_complete"), KERNELS.values(), ids=list(KERNELS))
def test_missing_kernels(kernels: str, is_complete: bool, tmp_path: Path) -> None:
    root = installed_or_skip()
    source, backend = packaged_source(root), HEAD + "supported: [add.Tensor, relu]\n"
    (tmp_path / "kernels.cpp").write_text(kernels, encoding="utf-8")
    assert opwright(tmp_path, source, backend, "--impl-path", "kernels.cpp").returncode == (0 if is_complete else 1)
    try:
        backend_stubs(root, source, backend, kernels)
    except ReferenceRunError:
        assert not is_complete
    else:
        assert is_complete


def test_the_comparison_sees_a_difference(tmp_path: Path) -> None:
    root = installed_or_skip()
    expected = backend_stubs(root, packaged_source(root), FORMS)
    done = opwright(tmp_path, packaged_source(root), FORMS + "device_guard: true\n")
    assert done.returncode == 0
    name = "RegisterXLA.cpp"
    assert tokenize((expected / name).read_text("utf-8")) != tokenize((tmp_path / "out" / name).read_text("utf-8"))
