"""The files of lazy backends are those of the references."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.parity.checks import check_files, fetched_or_skip, installed_or_skip
from tests.parity.fetch import ALL
from tests.parity.reference import LAZY_OUT, SHAPE_HEADER, ReferenceRunError, lazy_files, packaged_source
from tests.parity.test_parity import with_templates
from tests.parity.test_wheel_headers import unguarded
from tests.program import environment, outputs

INPUTS = Path(__file__).parent / "inputs"
TOY = INPUTS / "lazy_toy"

Options = Mapping[str, str | bool]

LOWERED: Options = {"gen_ts_lowerings": True}
#: The options with which PyTorch itself is built.
TORCHSCRIPT: Options = {
    **LOWERED,
    "node_base": "TsNode",
    "node_base_hdr": "torch/csrc/lazy/ts_backend/ts_node.h",
    "build_in_tree": True,
    "per_operator_headers": True,
    "gen_forced_fallback_code": True,
}
#: The options with which torch_xla is built.
XLA: Options = {
    "backend_name": "XLA",
    "node_base": "XlaNode",
    "node_base_hdr": "torch_xla/csrc/ir.h",
    "tensor_class": "torch_xla::XLATensor",
    "tensor_class_hdr": "torch_xla/csrc/tensor.h",
    "backend_namespace": "torch_xla",
    "get_tensorlist": "GetXlaTensors",
    "get_tensor_or_wrap_number": "bridge::GetXlaTensorOrCreateForWrappedNumber",
    "try_get_tensor": "bridge::TryGetXlaTensor",
    "metrics_counter": 'TORCH_LAZY_FN_COUNTER("xla::")',
    "create_tensor": "XLATensor::Create",
    "create_aten_from_ltc_tensor": "torch_xla::bridge::AtenFromXlaTensor",
    "tuple_aten_from_ltc_tensors": "torch_xla::bridge::TupleAtenFromXlaTensors",
    "lazy_value_class": "torch_xla::Value",
    "lazy_tensor_ptr": "torch_xla::XLATensorPtr",
    "get_device_fn": "torch_xla::bridge::GetXlaDevice",
}


def spelled(options: Options) -> list[str]:
    """The options as words of a command line."""
    words: list[str] = []
    for name, value in options.items():
        option = name.replace("_", "-")
        if isinstance(value, str):
            words += [f"--{option}", value]
        else:
            words.append(f"--{option}" if value else f"--no-{option}")
    return words


def opwright(folder: Path, source: Path, backend: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the verb in `folder`."""
    command = [sys.executable, "-m", "opwright", "lazy", "-s", str(backend), "-o", LAZY_OUT]
    command += ["--source-path", str(source), *options]
    folder.mkdir(parents=True, exist_ok=True)
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment(), check=False)


def shape_header(folder: Path, source: Path, backend: Path, release: Sequence[str]) -> str:
    """A header with the shape functions that a backend needs."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "empty.h").write_text("", encoding="utf-8")
    found = ("--shape-inference-hdr", "", "--shape-inference-path", "empty.h", "--write-shape-stubs", "stubs.cpp")
    done = opwright(folder, source, backend, *found, *release)
    assert done.returncode == 0, done.stderr[-3000:]
    stubs = folder / "stubs.cpp"
    text = stubs.read_text(encoding="utf-8") if stubs.is_file() else ""
    return "".join(f"{line}\n" for line in re.findall(r"^// (TORCH_API .*;)$", text, re.MULTILINE))


def check(
    root: Path,
    source: Path,
    backend: Path,
    folder: Path,
    options: Options,
    *,
    shapes: str | None = None,
    release: str | None = None,
) -> None:
    """Compare all files of a backend; without `shapes`, every shape function that it needs is there."""
    chosen = ["--release", release] if release else []
    if shapes is None:
        shapes = shape_header(folder / "shapes", source, backend, chosen)
    own = folder / "own"
    (own / SHAPE_HEADER).parent.mkdir(parents=True)
    (own / SHAPE_HEADER).write_text(shapes, encoding="utf-8")
    expected = lazy_files(root, source, backend, shapes, options)
    done = opwright(own, source, backend, *spelled(options), *chosen)
    assert done.returncode == 0, done.stderr[-3000:]
    check_files(expected, own / LAZY_OUT, outputs(expected))
    assert outputs(own / LAZY_OUT).keys() == outputs(expected).keys()


def installed_header(root: Path, name: str) -> Path:
    return root / "torch" / "include" / name


def test_torchscript(tmp_path: Path) -> None:
    root = installed_or_skip()
    shapes = installed_header(root, SHAPE_HEADER).read_text(encoding="utf-8")
    check(root, packaged_source(root), INPUTS / "ts_2_13.yaml", tmp_path, TORCHSCRIPT, shapes=shapes)


def test_headers_of_the_wheel(tmp_path: Path) -> None:
    root = installed_or_skip()
    done = opwright(tmp_path, packaged_source(root), INPUTS / "ts_2_13.yaml", *spelled(TORCHSCRIPT))
    assert done.returncode == 0, done.stderr[-3000:]
    headers = sorted(installed_header(root, "torch/csrc/lazy/generated").glob("*.h"))
    assert [header.name for header in headers] == ["LazyIr.h", "LazyNativeFunctions.h", "LazyNonNativeIr.h"]
    installed = tmp_path / "installed"
    installed.mkdir()
    for header in headers:
        (installed / header.name).write_text(unguarded(header), encoding="utf-8")
    check_files(installed, tmp_path / LAZY_OUT, [header.name for header in headers])


@pytest.mark.parametrize("lowered", [True, False], ids=["lowered", "plain"])
def test_xla(lowered: bool, tmp_path: Path) -> None:
    root = installed_or_skip()
    options = {**XLA, **LOWERED} if lowered else {**XLA, "use_lazy_shape": False}
    check(root, packaged_source(root), INPUTS / "xla_2_10.yaml", tmp_path, options)


#: Sets of options that together change every part of the text.
SETS: dict[str, Options] = {
    "plain": {},
    "lowered": LOWERED,
    "value-class": {**LOWERED, "lazy_value_class": "mine::Value"},
    "without-shapes": {**LOWERED, "use_lazy_shape": False},
    "plain-without-shapes": {"use_lazy_shape": False},
    "from-first-tensor": {"create_from_first_tensor": True, "create_tensor": "make"},
    "in-tree": {"build_in_tree": True, "per_operator_headers": True},
    "fallback": {**LOWERED, "gen_forced_fallback_code": True},
    "names": {**XLA, "node_base": "mine::Node", "node_base_hdr": "mine/node.h"},
}


@pytest.mark.parametrize("options", SETS.values(), ids=list(SETS))
def test_options(options: Options, tmp_path: Path) -> None:
    root = installed_or_skip()
    source = with_templates(TOY, root, tmp_path / "source")
    check(root, source, TOY / "backend.yaml", tmp_path, options)


EVERY_RELEASE = pytest.mark.parametrize("version", ALL)


@EVERY_RELEASE
@pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param("ts_2_0.yaml", {}, id="plain"),
        # Digests show these for every release.
        pytest.param("ts_2_0.yaml", TORCHSCRIPT, id="torchscript", marks=pytest.mark.thorough),
        pytest.param("ts_2_13.yaml", TORCHSCRIPT, id="torchscript-2.13", marks=pytest.mark.thorough),
        pytest.param("xla_2_1.yaml", XLA, id="xla", marks=pytest.mark.thorough),
    ],
)
def test_every_release(version: str, name: str, options: Options, tmp_path: Path) -> None:
    """Files that a release does not accept, because of operators that it does not have, are refused by both."""
    root = fetched_or_skip(version)
    source, backend = packaged_source(root), INPUTS / name
    tried = opwright(tmp_path / "tried", source, backend, "--dry-run", "--release", version, *spelled(options))
    if "error[backend-" in tried.stdout + tried.stderr:
        with pytest.raises(ReferenceRunError):  # without a header, no shape function can be missing
            lazy_files(root, source, backend, "", {**options, "shape_inference_hdr": ""})
    else:
        check(root, source, backend, tmp_path, options, release=version)


@EVERY_RELEASE
@pytest.mark.parametrize("name", ["fallback", "without-shapes"])
def test_options_of_every_release(version: str, name: str, tmp_path: Path) -> None:
    root = fetched_or_skip(version)
    source = with_templates(TOY, root, tmp_path / "source")
    check(root, source, TOY / "backend.yaml", tmp_path, SETS[name], release=version)


@pytest.mark.thorough
@pytest.mark.parametrize("inplace", [False, True], ids=["others", "in-place"])
@pytest.mark.parametrize("name", ["fallback", "from-first-tensor"])
def test_all_operators(name: str, inplace: bool, tmp_path: Path) -> None:
    """Kernels for PyTorch's operators, but for those that Opwright refuses, and every second one symbolic.

    Those that are in-place share names of nodes with others. Schemas with double quotes make the reference write C++
    that does not compile.
    """
    root = installed_or_skip()
    source, backend = packaged_source(root), tmp_path / "backend.yaml"
    registry = (root / "torchgen" / "packaged" / "ATen" / "native" / "native_functions.yaml").read_text("utf-8")
    schemas = dict(re.findall(r"^- func: ([\w.]+)(\(.*\) -> .*)$", registry, re.MULTILINE))
    schemas = {name: schema for name, schema in schemas.items() if _is_inplace(name) == inplace and '"' not in schema}

    def write(names: Sequence[str]) -> None:
        symbolic = [name for name in names if "SymInt" in schemas[name].split(" -> ")[0]][::2]
        lists = {"full_codegen": names, "symint": symbolic}
        backend.write_text(f"backend: Lazy\ncpp_namespace: mine\n{json_lines(lists)}", encoding="utf-8")

    options = [*spelled(SETS[name]), "--shape-inference-hdr", "", "--format", "json", "--dry-run"]
    names, refused = list(schemas), {""}
    while refused:  # what a later stage refuses shows when the earlier ones refuse nothing anymore
        write(names)
        lines = backend.read_text(encoding="utf-8").splitlines()
        found = json.loads(opwright(tmp_path / "refused", source, backend, *options).stdout)
        refused = {lines[item["line"] - 1].strip(" -") for item in found if item["severity"] == "error"}
        names = [name for name in names if name not in refused]
    assert len(schemas) * 0.7 < len(names) < len(schemas)
    check(root, source, backend, tmp_path, SETS[name])


def _is_inplace(name: str) -> bool:
    return name.partition(".")[0].endswith("_")


def json_lines(lists: Mapping[str, Sequence[str]]) -> str:
    """Lists as YAML, each item on a line of its own."""
    return "".join(f"{name}:\n" + "".join(f"- {item}\n" for item in items) for name, items in lists.items())
