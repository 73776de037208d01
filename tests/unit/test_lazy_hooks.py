"""Lazy backends as a library: what hooks are given, what becomes of what they return, and what goes wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from opwright import locate
from opwright.diagnostics import Severity
from opwright.lazy import (
    GenerationError,
    LazyFault,
    LazyHooks,
    LazyKernel,
    LazyNode,
    LazyOptions,
    TorchScriptHooks,
    generate,
)
from opwright.locate import SAMPLE
from opwright.output.tree import Change

BACKEND = "backend: Lazy\ncpp_namespace: mine\nfull_codegen: [blend, swirl.angle, pool]\n"
OPTIONS = LazyOptions(shape_inference_hdr="")
#: What a hook for a node returns, and what one for a kernel does.
NODE_HOOKS = ("base_call", "shape_argument", "create", "reuse", "lowering", "constructor_parameters", "node")
KERNEL_HOOKS = (
    "fallback", "metrics", "device", "tensor_declarations", "inputs", "shapes", "shape_inference", "build_node",
    "create_tensor", "make_result", "result", "kernel",
)  # fmt: skip


@pytest.fixture
def backend(tmp_path: Path) -> Path:
    path = tmp_path / "backend.yaml"
    path.write_text(BACKEND, encoding="utf-8")
    return path


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if not path.name.startswith(".")}


def test_files(backend: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    written = generate(backend, out, options=OPTIONS, source_path=SAMPLE)
    assert {one.path.name: one.change for one in written} == dict.fromkeys(texts(out), Change.CREATED)
    assert sorted(texts(out)) == [
        "LazyIr.h",
        "LazyNativeFunctions.cpp",
        "LazyNativeFunctions.h",
        "LazyNonNativeIr.h",
        "RegisterLazy.cpp",
    ]
    again = generate(backend, out, options=OPTIONS, source_path=SAMPLE)
    assert {one.change for one in again} == {Change.UNCHANGED}


def test_dry_run_and_include_prefix(backend: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    written = generate(backend, out, options=OPTIONS, source_path=SAMPLE, dry_run=True)
    assert len(written) == 5 and not out.exists()
    generate(backend, out, options=OPTIONS, source_path=SAMPLE, include_prefix="mine/gen")
    assert "#include <mine/gen/LazyIr.h>" in texts(out)["LazyNativeFunctions.cpp"]
    assert '#include "mine/gen/LazyNativeFunctions.h"' in texts(out)["RegisterLazy.cpp"]


@pytest.mark.parametrize("name", NODE_HOOKS)
@pytest.mark.parametrize("base", [LazyHooks, TorchScriptHooks])
def test_every_part_of_a_node(name: str, base: type[LazyHooks], backend: Path, tmp_path: Path) -> None:
    def own(self: LazyHooks, node: LazyNode) -> str:
        return f"mine({node.class_name})"

    hooks = type("Hooks", (base,), {name: own})()
    generate(backend, tmp_path / "out", options=OPTIONS, hooks=hooks, source_path=SAMPLE)
    text = texts(tmp_path / "out")["LazyIr.h"]
    assert all(f"mine({one})" in text for one in ("Blend", "SwirlAngle", "Pool"))


@pytest.mark.parametrize("name", KERNEL_HOOKS)
def test_every_part_of_a_kernel(name: str, backend: Path, tmp_path: Path) -> None:
    def own(self: LazyHooks, kernel: LazyKernel) -> str:
        return f"mine({kernel.class_name}, {kernel.name}, {kernel.operator.name})"

    hooks = type("Hooks", (LazyHooks,), {name: own})()
    generate(backend, tmp_path / "out", options=OPTIONS, hooks=hooks, source_path=SAMPLE)
    text = texts(tmp_path / "out")["LazyNativeFunctions.cpp"]
    assert all(f"mine(LazyNativeFunctions, {one})" in text for one in ("blend, blend", "swirl, swirl.angle"))


def test_what_a_hook_can_ask(backend: Path, tmp_path: Path) -> None:
    class Hooks(TorchScriptHooks):
        """Lowers by a table of the backend's own; needs the release and an option."""

        def lowering(self, node: LazyNode) -> str:
            values = ", ".join(item.name for item in node.values)
            scalars = ", ".join(f"{item.type} {item.name}" for item in node.scalars)
            return f"// {self.release.name} {self.options.node_base} {node.name} ({values}) ({scalars}) {node.returns}"

    generate(backend, tmp_path / "out", options=LazyOptions(node_base="Mine", shape_inference_hdr=""), hooks=Hooks(),
             source_path=SAMPLE)  # fmt: skip
    text = texts(tmp_path / "out")["LazyIr.h"]
    assert "// 2.13 Mine blend (self, other, weight) () 1" in text
    pool = "::std::vector<int64_t> size, ::std::optional<int64_t> stride, bool ceil_mode"
    assert f"// 2.13 Mine pool (self) ({pool}) 2" in text


def test_hooks_with_a_state(backend: Path, tmp_path: Path) -> None:
    class Hooks(LazyHooks):
        def __init__(self, counter: str) -> None:
            self.counter = counter

        def metrics(self, kernel: LazyKernel) -> str:
            return f'count("{self.counter}{kernel.name}");'

    out = tmp_path / "out"
    generate(backend, out, options=OPTIONS, hooks=Hooks("mine."), source_path=SAMPLE)
    assert 'count("mine.blend");' in texts(out)["LazyNativeFunctions.cpp"]


def test_a_hook_that_cannot_make_code(backend: Path, tmp_path: Path) -> None:
    class Hooks(LazyHooks):
        def lowering(self, node: LazyNode) -> str:
            if node.base == "pool":
                raise LazyFault("pooling is not lowered yet", help="write it")
            return ""

    with pytest.raises(GenerationError, match=r"backend.yaml:3:36: .*pooling is not lowered yet") as caught:
        generate(backend, tmp_path / "out", options=OPTIONS, hooks=Hooks(), source_path=SAMPLE)
    (found,) = caught.value.diagnostics.items
    assert (found.code, found.severity, found.help) == ("lazy-operator", Severity.ERROR, "write it")
    assert not (tmp_path / "out").exists()


def test_kernels_to_write(tmp_path: Path) -> None:
    (tmp_path / "kernels.cpp").write_text("", encoding="utf-8")
    (tmp_path / "backend.yaml").write_text(
        "backend: Lazy\ncpp_namespace: mine\nfull_codegen: [blend]\nsupported: [ripple]\n", encoding="utf-8"
    )
    with pytest.raises(GenerationError, match=r"backend.yaml:4:13: .*'ripple' has no kernel"):
        generate(tmp_path / "backend.yaml", tmp_path / "out", options=OPTIONS, source_path=SAMPLE,
                 impl_paths=[tmp_path / "kernels.cpp"])  # fmt: skip


def test_faults_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match="unreadable-file"):
        generate(tmp_path / "none.yaml", tmp_path / "out", source_path=SAMPLE)


def test_no_torch(backend: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(locate, "find_packaged", lambda _: None)
    with pytest.raises(locate.NotFoundError, match="install torch"):
        generate(backend, tmp_path / "out")


def test_shape_functions_in_own_headers(backend: Path, tmp_path: Path) -> None:
    header = tmp_path / "shapes.h"
    header.write_text("", encoding="utf-8")
    with pytest.raises(GenerationError, match="lazy-missing-shape"):
        generate(backend, tmp_path / "out", source_path=SAMPLE, shape_inference_paths=[header])
    header.write_text(
        "std::vector<torch::lazy::Shape> compute_shape_swirl("
        "const at::Tensor & self, const at::Scalar & angle, const ::std::optional<at::Scalar> & pivot);\n",
        encoding="utf-8",
    )
    generate(backend, tmp_path / "out", source_path=SAMPLE, shape_inference_paths=[header])
    assert "#include <torch/csrc/lazy/core/shape_inference.h>" in texts(tmp_path / "out")["LazyNativeFunctions.cpp"]
