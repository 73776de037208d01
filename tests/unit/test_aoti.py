"""The C functions of AOT-inductor's shims: every form of an argument, returns, versions, and which kernel is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from opwright.artifacts import aoti
from opwright.artifacts.emission import Emission
from opwright.diagnostics import Diagnostics, Severity
from opwright.locate import SAMPLE
from opwright.model.aoti import Shim, ShimList, ShimVersion, read_shim_list
from opwright.model.context import Context
from opwright.model.model import Model
from opwright.model.operators import Kernel
from opwright.options import GenOptions
from opwright.output.template import TemplateFolder
from opwright.output.tree import OutputFile
from opwright.pipeline import read_model, read_shims
from opwright.signatures.aoti import NoCFormError, ShimFunction, shim_functions
from opwright.source import Source, read_source
from opwright.syntax.yamltree import read_yaml
from opwright.values import replace
from tests.releases import RELEASES, SAMPLES
from tests.sample import sample_model
from tests.shim_forms import FORMS

#: Those from `str[]` on torchgen writes in a form that does not compile.
FORMLESS = [
    "Storage", "Stream", "QScheme", "SymBool", "Storage?", "Stream[]", "Device[]", "Device?[]", "bool[]", "bool[]?",
    "int[][]", "str[]", "str?[]", "bool[2]?", "Generator[]", "Layout?[]", "Tensor?[]?",
]  # fmt: skip


def functions(
    schema: str, *versions: ShimVersion, optional_returns: tuple[str, ...] = ("may_lack",)
) -> list[ShimFunction]:
    """The C functions of the operator with this schema."""
    operator = sample_model().operators[0]
    parsed = Context(SAMPLES, Diagnostics()).parser.parse(schema).schema
    assert parsed is not None
    shim = Shim(replace(operator, schema=parsed, name=parsed.name), versions or (ShimVersion(),))
    return shim_functions(shim, optional_returns, SAMPLES.spelling)


@pytest.mark.parametrize(("type", "parameters", "argument"), FORMS, ids=[row[0] for row in FORMS])
def test_form(type: str, parameters: str, argument: str) -> None:
    (made,) = functions(f"f({type} x) -> ()")
    assert (made.parameters, made.arguments, made.results) == (parameters, argument, ())


@pytest.mark.parametrize("type", FORMLESS)
def test_no_form(type: str) -> None:
    with pytest.raises(NoCFormError, match="has no form in C"):
        functions(f"f({type} x) -> ()")


@pytest.mark.parametrize(
    ("returns", "pointers", "results"),
    [
        ("()", "", ()),
        ("Tensor", "AtenTensorHandle* ret0", ("*ret0 = new_tensor_handle(std::move(tmp_result));",)),
        ("SymInt", "int64_t* ret0", ("*ret0 = tmp_result.expect_int();",)),
        ("Scalar", "double* ret0", ("*ret0 = tmp_result.toDouble();",)),
        ("bool", "int32_t* ret0", ("*ret0 = tmp_result;",)),
        (
            "(Tensor kept, int)",
            "AtenTensorHandle* ret0, int64_t* ret1",
            ("*ret0 = new_tensor_handle(std::move(std::get<0>(tmp_result)));", "*ret1 = std::get<1>(tmp_result);"),
        ),
    ],
)
def test_returns(returns: str, pointers: str, results: tuple[str, ...]) -> None:
    (made,) = functions(f"f() -> {returns}")
    assert (made.parameters, made.results) == (pointers, results)


@pytest.mark.parametrize("returns", ["Device", "Tensor[]", "Tensor?", "Storage", "(Tensor, QScheme)", "Layout", "str"])
def test_returns_without_a_form(returns: str) -> None:
    with pytest.raises(NoCFormError):
        functions(f"f() -> {returns}")


def test_what_writes_to_its_arguments_gives_no_results() -> None:
    (out,) = functions("f.out(Tensor self, int n, *, Tensor(a!) one, Tensor(b!) two) -> (Tensor(a!), Tensor(b!))")
    assert out.parameters == "AtenTensorHandle one, AtenTensorHandle two, AtenTensorHandle self, int64_t n"
    assert out.results == ()
    (inplace,) = functions("f_(Tensor(a!) self) -> Tensor(a!)")
    assert (inplace.name, inplace.parameters, inplace.results) == ("f_", "AtenTensorHandle self", ())
    (mutable,) = functions("f(Tensor self, Tensor(a!) counts) -> Tensor")
    assert mutable.parameters == "AtenTensorHandle self, AtenTensorHandle counts, AtenTensorHandle* ret0"


def test_results_that_may_be_passed_over() -> None:
    (made,) = functions("f_may_lack_it.x() -> bool")
    assert made.results == ("if (ret0) { *ret0 = tmp_result; }",)


def test_versions_pass_defaults_for_what_they_do_not_have() -> None:
    versions = (
        ShimVersion(3, "TORCH_VERSION_2_13_0", frozenset({"exact"})),
        ShimVersion(2, "", frozenset({"steps", "mask", "fill"})),
        ShimVersion(),
    )
    schema = "f.x(Tensor self, int[2] steps=[1,2], bool exact=False, *, Tensor? mask=None, int? fill) -> ()"
    third, second, first = functions(schema, *versions)
    assert [made.name for made in (third, second, first)] == ["f_x_v3", "f_x_v2", "f_x"]
    assert [made.since for made in (third, second, first)] == ["TORCH_VERSION_2_13_0", "", ""]
    assert third.parameters == (
        "AtenTensorHandle self, const int64_t* steps, int64_t steps_len_, int32_t exact, AtenTensorHandle* mask, "
        "int64_t* fill"
    )
    assert second.parameters == third.parameters.replace("int32_t exact, ", "")
    assert second.arguments == third.arguments.replace("exact", "false")
    assert first.parameters == "AtenTensorHandle self"
    assert first.arguments == "resolve_tensor_dispatch_flags(self), {1,2}, false, {}, std::nullopt"


OPERATORS = """\
- func: own(Tensor self) -> Tensor
  dispatch: {CPU: own_cpu, CompositeExplicitAutograd: own}
- func: same(Tensor self) -> Tensor
  structured_delegate: same.out
- func: same.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CUDA: same_out}
- func: everywhere(Tensor self, SymInt n) -> Tensor
  dispatch: {CompositeExplicitAutograd: everywhere}
- func: made_of_others(Tensor self) -> Tensor
  variants: method
- func: stepped(Tensor self, SymInt n) -> Tensor
  variants: method
- func: nowhere(Tensor self) -> Tensor
  dispatch: {QuantizedCPU: nowhere}
- func: mobile(Tensor self) -> Tensor
  dispatch: {MPS: mobile}
- func: stored(Storage source) -> Tensor
"""


@pytest.fixture
def listed(tmp_path: Path) -> tuple[Model, ShimList]:
    """Operators with different kernels, and a list that has them all in both sections."""
    path = tmp_path / "native_functions.yaml"
    path.write_text(OPERATORS, encoding="utf-8")
    faults = Diagnostics()
    model = read_model(path, SAMPLE / "native" / "tags.yaml", SAMPLES, faults, frozenset({"mps"}))
    assert model is not None and not faults.items
    every = tuple(Shim(operator) for operator in model.operators if not operator.is_generated)
    return model, ShimList(every, every, ())


def made(listed: tuple[Model, ShimList], faults: Diagnostics, **options: object) -> dict[str, OutputFile]:
    """The files of the shims by their names."""
    model, shims = listed
    wanted = replace(GenOptions(shims=shims), **options)
    emission = Emission.of(model, wanted, TemplateFolder(SAMPLE / "templates"), faults)
    files = [(item, item.text()) for item in aoti.shims(emission)]
    assert all(item.family == "aoti" for item, _ in files)
    return {item.path: OutputFile(item.path, text or "", is_checked_in=item.is_checked_in) for item, text in files}


def calls(file: OutputFile) -> list[str]:
    """The C++ functions that a source calls."""
    lines = [line.strip().removeprefix("auto tmp_result = ") for line in file.text.splitlines()]
    return [line[:-1] for line in lines if line.startswith("at::")]


COMPOSITE = [
    "at::compositeexplicitautograd::everywhere_symint",
    "at::compositeimplicitautograd::made_of_others",
    "at::compositeimplicitautograd::stepped_symint",
]


class TestFiles:
    def test_a_device_calls_its_kernels_or_those_that_serve_any(self, listed: tuple[Model, ShimList]) -> None:
        files = made(listed, Diagnostics())
        assert sorted(files) == [
            f"aoti/c_shim_{name}.{end}" for name in ("aten", "cpu", "cuda") for end in ("cpp", "h")
        ]
        assert calls(files["aoti/c_shim_cpu.cpp"]) == ["at::cpu::own", *COMPOSITE]
        cuda = ["at::compositeexplicitautograd::own", "at::cuda::same", "at::cuda::same_out", *COMPOSITE]
        assert calls(files["aoti/c_shim_cuda.cpp"]) == cuda

    def test_kernels_of_other_namespaces(self, listed: tuple[Model, ShimList]) -> None:
        model, _ = listed
        operator = next(item for item in model.operators if item.name.text == "own")
        cpu = SAMPLES.keys["CPU"]
        elsewhere = {operator: Kernel("own_cpu", "mine::native", False)}
        model = replace(model, kernels={**model.kernels, cpu: elsewhere})
        shims = ShimList((Shim(operator),), (Shim(operator),))
        files = made((model, shims), Diagnostics())
        assert calls(files["aoti/c_shim_cpu.cpp"]) == ["at::cpu::own"]
        assert calls(files["aoti/c_shim_aten.cpp"]) == ["at::own"]

    def test_the_dispatcher_is_asked_for_all(self, listed: tuple[Model, ShimList]) -> None:
        assert calls(made(listed, Diagnostics())["aoti/c_shim_aten.cpp"]) == [
            "at::own",
            "at::same",
            "at::same_out",
            "at::everywhere_symint",
            "at::made_of_others",
            "at::symint::stepped<c10::SymInt>",
            "at::nowhere",
            "at::mobile",
        ]

    def test_an_extension_has_its_own_kernels_only(self, listed: tuple[Model, ShimList]) -> None:
        files = made(listed, Diagnostics(), extend_shims=True, devices=frozenset({"mps"}))
        assert calls(files["aoti/c_shim_mps.cpp"]) == ["at::mps::mobile"]
        assert "generated/extend/c_shim_mps.h>" in files["aoti/c_shim_mps.cpp"].text
        assert calls(files["aoti/c_shim_cpu.cpp"]) == ["at::cpu::own"]

    def test_headers_are_checked_in_unless_they_are_to_be_written(self, listed: tuple[Model, ShimList]) -> None:
        files = made(listed, Diagnostics())
        assert {path for path, file in files.items() if file.is_checked_in} == {p for p in files if p.endswith(".h")}
        files = made(listed, Diagnostics(), update_shims=True, shim_devices=SAMPLES.key_facts.shim_flags)
        assert not any(file.is_checked_in for file in files.values())
        assert {"aoti/c_shim_mps.h", "aoti/c_shim_xpu.h"} < set(files)

    def test_rocm_has_headers_of_its_own(self, listed: tuple[Model, ShimList]) -> None:
        assert "<c10/cuda/CUDAGuard.h>" in made(listed, Diagnostics())["aoti/c_shim_cuda.cpp"].text
        text = made(listed, Diagnostics(), rocm=True)["aoti/c_shim_cuda.cpp"].text
        assert "<c10/hip/HIPGuard.h>" in text and "cuda/" not in text

    def test_what_has_no_form_in_c_is_left_out_and_reported_once(self, listed: tuple[Model, ShimList]) -> None:
        faults = Diagnostics()
        files = made(listed, faults)
        assert [(item.code, item.severity, item.place and item.place.text) for item in faults.items] == [
            ("aoti-no-c-form", Severity.WARNING, "Storage source")
        ]
        assert not any("stored(" in file.text for file in files.values())
        assert "#include <ATen/ops/stored_compositeimplicitautograd_dispatch.h>" in files["aoti/c_shim_cpu.cpp"].text

    def test_a_declaration_waits_for_its_release(self, listed: tuple[Model, ShimList]) -> None:
        model, shims = listed
        gated = Shim(shims.devices[0].operator, (ShimVersion(1, "TORCH_VERSION_2_12_0"),))
        file = made((model, ShimList((gated,))), Diagnostics())["aoti/c_shim_cpu.h"]
        condition = "TORCH_FEATURE_VERSION >= TORCH_VERSION_2_12_0"
        function = "AOTITorchError aoti_torch_cpu_own(AtenTensorHandle self, AtenTensorHandle* ret0)"
        assert f"\n#if {condition}\nAOTI_TORCH_EXPORT {function};\n#endif // {condition}\n" in file.text

    def test_without_a_list_there_are_no_shims(self, listed: tuple[Model, ShimList]) -> None:
        assert made((listed[0], ShimList()), Diagnostics(), shims=None) == {}


class TestReleaseList:
    def test_what_the_source_lacks_is_passed_over(self, listed: tuple[Model, ShimList]) -> None:
        faults = Diagnostics()
        found = read_shims(None, listed[0], faults)
        assert found is not None and not faults.items
        assert (found.devices, found.aten) == ((), ())
        assert len(found.optional_returns) == 11

    def test_older_releases_have_none(self, listed: tuple[Model, ShimList]) -> None:
        model = replace(listed[0], release=RELEASES[0])
        assert read_shims(None, model, Diagnostics()) is None

    def test_it_is_sound(self) -> None:
        """Nothing but the operators' names depends on a source."""
        assert SAMPLES.shim_list is not None
        faults = Diagnostics()
        root = read_yaml(read_source(SAMPLES.shim_list), faults)
        assert root is not None
        read_shim_list(root, Context(SAMPLES, faults), None)
        assert not faults.items


def test_functions_are_ordered_by_the_names_that_torchgen_gives_them() -> None:
    names = ("aten::glue", "aten::glue.out", "mine::tilt", "aten::blend_", "aten::blend.out", "aten::blend")
    listed = "devices: {" + ", ".join(f"'{name}': {{}}" for name in names) + "}"
    root = read_yaml(Source("list.yaml", listed), Diagnostics())
    assert root is not None
    operators = {operator.full_name: operator for operator in sample_model().operators}
    shims = read_shim_list(root, Context(SAMPLES, Diagnostics()), operators)
    functions = [shim.functions[0] for shim in shims.devices]
    assert functions == ["blend", "blend_out", "blend_", "glue", "glue_out", "tilt"]


def test_headers_that_are_written_bring_their_devices() -> None:
    options = GenOptions(update_shims=True, shim_devices=SAMPLES.key_facts.shim_flags)
    assert options.devices == frozenset()
    assert all(options.is_on(SAMPLES.keys[name]) for name in ("MPS", "SparseMPS", "XPU"))
    assert not options.is_on(SAMPLES.keys["MTIA"])
