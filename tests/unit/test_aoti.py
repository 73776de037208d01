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
from opwright.reading import read_model, read_shims
from opwright.releases import named_release
from opwright.releases.release import Release
from opwright.signatures.aoti import CForms, NoCFormError, ShimFunction, shim_functions
from opwright.source import Source, read_source
from opwright.syntax.yaml_reading import read_yaml
from opwright.values import replace
from tests.releases import RELEASES, SAMPLES
from tests.sample import sample_model
from tests.shim_forms import FORMS

OLD, NEW = "c10::optional<at::Tensor>", "::std::optional<at::Tensor>"
#: Those from `str[]` on torchgen writes in a form that does not compile.
FORMLESS = [
    "Storage", "Stream", "QScheme", "SymBool", "Storage?", "Stream[]", "Device[]", "Device?[]", "bool[]", "bool[]?",
    "int[][]", "str[]", "str?[]", "bool[2]?", "Generator[]", "Layout?[]", "Tensor?[]?",
]  # fmt: skip


def functions(schema: str, *versions: ShimVersion, release: Release = SAMPLES) -> list[ShimFunction]:
    """The C functions of the operator with this schema."""
    operator = sample_model().operators[0]
    parsed = Context(release, Diagnostics()).parser.parse(schema)
    shim = Shim(replace(operator, schema=parsed, name=parsed.name), versions or (ShimVersion(),))
    return shim_functions(shim, ("may_lack",), CForms(release))


@pytest.mark.parametrize(("type", "parameters", "argument"), FORMS, ids=[row[0] for row in FORMS])
def test_form(type: str, parameters: str, argument: str) -> None:
    (made,) = functions(f"f({type} x) -> ()")
    assert (made.parameters, made.arguments, made.results) == (parameters, argument, ())


@pytest.mark.parametrize("type", FORMLESS)
def test_no_form(type: str) -> None:
    with pytest.raises(NoCFormError, match="has no form in C"):
        functions(f"f({type} x) -> ()")


#: Release, schema type, C++ argument: where releases differ, the last one before the change and the first one after.
RELEASE_FORMS = [
    ("2.3", "Tensor?[]", f"c10::List<{OLD}>(c10::ArrayRef<{OLD}>(pointer_to_list<{OLD}>(x, x_len_)))"),
    ("2.6", "Tensor?[]", f"c10::List<{NEW}>(c10::ArrayRef<{NEW}>(pointer_to_list<{NEW}>(x, x_len_)))"),
    ("2.4", "Generator", "*generator_handle_to_generator_pointer(x)"),
    ("2.6", "Tensor", "*tensor_handle_to_tensor_pointer(x)"),
    ("2.6", "Tensor?", "pointer_to_optional<at::Tensor>(x)"),
    ("2.6", "Tensor[]", "pointer_to_list<at::Tensor>(x, x_len_)"),
    ("2.7", "Tensor", "resolve_tensor_dispatch_flags(x)"),
    ("2.7", "Tensor(a!)", "*tensor_handle_to_tensor_pointer(x)"),
    ("2.7", "str?", "pointer_to_optional<c10::string_view>(x)"),
    ("2.8", "str?", "pointer_to_optional<::std::string_view>(x)"),
]


@pytest.mark.parametrize(("release", "type", "argument"), RELEASE_FORMS)
def test_form_in_a_release(release: str, type: str, argument: str) -> None:
    assert functions(f"f({type} x) -> ()", release=named_release(release))[0].arguments == argument


@pytest.mark.parametrize("type", ["Generator", "Generator?"])
def test_generators_have_no_form_in_2_3(type: str) -> None:
    with pytest.raises(NoCFormError):
        functions(f"f({type} x) -> ()", release=named_release("2.3"))


@pytest.mark.parametrize(("release", "end"), [("2.3", ";;"), ("2.7", ";;"), ("2.8", ";")])
def test_end_of_statements_that_give_tensors(release: str, end: str) -> None:
    (made,) = functions("f_may_lack(Tensor self) -> (Tensor, int)", release=named_release(release))
    tensor = f"*ret0 = new_tensor_handle(std::move(std::get<0>(tmp_result))){end}"
    assert made.results == (f"if (ret0) {{ {tensor} }}", "if (ret1) { *ret1 = std::get<1>(tmp_result); }")


def test_in_place_operators_give_their_results_in_2_3() -> None:
    given = {name: functions("f_(Tensor(a!) self) -> Tensor(a!)", release=named_release(name))[0] for name in RESULTS}
    assert {name: made.parameters for name, made in given.items()} == RESULTS


RESULTS = {"2.3": "AtenTensorHandle self, AtenTensorHandle* ret0", "2.4": "AtenTensorHandle self"}


@pytest.mark.parametrize(("release", "passed"), [("2.11", "std::nullopt"), ("2.12", "false")])
def test_defaults_in_a_release(release: str, passed: str) -> None:
    versions = (ShimVersion(2, "", frozenset({"exact"})), ShimVersion())
    _, first = functions("f(int x, bool? exact=False) -> ()", *versions, release=named_release(release))
    assert first.arguments == f"x, {passed}"


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
    return model, ShimList(every, every, (), is_own=True)


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


OWN_HEADER = "generated/c_shim_cpu.h"
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

    def test_only_later_releases_have_such_tests(self, listed: tuple[Model, ShimList]) -> None:
        model, shims = listed
        gated = Shim(shims.devices[0].operator, (ShimVersion(1, "TORCH_VERSION_2_12_0"),))
        files = made((of_release(model, "2.12"), ShimList((gated,))), Diagnostics())
        assert "aoti_torch_cpu_own" in files["aoti/c_shim_cpu.h"].text
        assert "TORCH_FEATURE_VERSION" not in files["aoti/c_shim_cpu.h"].text

    def test_the_list_of_a_release_may_name_what_has_no_form(self, listed: tuple[Model, ShimList]) -> None:
        model, shims = listed
        faults = Diagnostics()
        made((model, ShimList(shims.devices)), faults)
        assert not faults.items

    def test_without_a_list_there_are_no_shims(self, listed: tuple[Model, ShimList]) -> None:
        assert made((listed[0], ShimList()), Diagnostics(), shims=None) == {}


def of_release(model: Model, name: str) -> Model:
    """The operators as if they were of another release."""
    release = named_release(name)
    return replace(
        model,
        release=release,
        kernels={release.keys[key.name]: kernels for key, kernels in model.kernels.items()},
    )


class TestReleases:
    """What a release is asked for besides the forms of arguments."""

    @pytest.mark.parametrize(
        ("release", "called"),
        [
            ("2.3", ["at::compositeexplicitautograd::own", "at::cuda::same_out", COMPOSITE[0]]),
            ("2.4", ["at::compositeexplicitautograd::own", "at::cuda::same", "at::cuda::same_out", *COMPOSITE]),
        ],
    )
    def test_kernels(self, release: str, called: list[str], listed: tuple[Model, ShimList]) -> None:
        model, shims = listed
        files = made((of_release(model, release), shims), Diagnostics())
        assert sorted(files) == [f"aoti/c_shim_{name}.{end}" for name in ("cpu", "cuda") for end in ("cpp", "h")]
        assert calls(files["aoti/c_shim_cuda.cpp"]) == called

    @pytest.mark.parametrize(
        ("release", "included"),
        [("2.3", ["tensor_converter.h", "utils.h", OWN_HEADER]), ("2.4", [OWN_HEADER, "utils.h"])],
    )
    def test_headers(self, release: str, included: list[str], listed: tuple[Model, ShimList]) -> None:
        text = made((of_release(listed[0], release), listed[1]), Diagnostics())["aoti/c_shim_cpu.cpp"].text
        folder = "#include <torch/csrc/inductor/aoti_torch/"
        assert [line[len(folder) : -1] for line in text.splitlines() if line.startswith(folder)] == included

    @pytest.mark.parametrize(("release", "is_checked_in"), [("2.3", False), ("2.4", True)])
    def test_compared_headers(self, release: str, is_checked_in: bool, listed: tuple[Model, ShimList]) -> None:
        files = made((of_release(listed[0], release), listed[1]), Diagnostics())
        assert files["aoti/c_shim_cpu.h"].is_checked_in == is_checked_in

    @pytest.mark.parametrize(("release", "devices"), [("2.7", ["cpu"]), ("2.8", ["cpu", "cuda"])])
    def test_a_choice_of_keys(self, release: str, devices: list[str], listed: tuple[Model, ShimList]) -> None:
        model = of_release(listed[0], release)
        files = made((model, listed[1]), Diagnostics(), backends=frozenset({model.release.keys["CPU"]}))
        assert sorted(files) == [f"aoti/c_shim_{name}.{end}" for name in devices for end in ("cpp", "h")]

    @pytest.mark.parametrize(
        ("release", "devices"),
        [("2.5", {"cpu", "cuda"}), ("2.6", {"cpu", "cuda", "xpu"}), ("2.8", {"cpu", "cuda", "mps", "xpu"}),
         ("2.9", {"aten", "cpu", "cuda", "mps", "xpu"})],
    )  # fmt: skip
    def test_devices(self, release: str, devices: set[str], listed: tuple[Model, ShimList]) -> None:
        model = of_release(listed[0], release)
        files = made((model, listed[1]), Diagnostics(), devices=frozenset({"mps", "xpu"}))
        assert {Path(path).stem.removeprefix("c_shim_") for path in files} == devices


class TestReleaseList:
    def test_what_the_source_lacks_is_passed_over(self, listed: tuple[Model, ShimList]) -> None:
        faults = Diagnostics()
        found = read_shims(None, listed[0], faults)
        assert found is not None and not faults.items
        assert (found.devices, found.aten, found.is_own) == ((), (), False)

    def test_before_the_first_one_every_operator_is_offered_that_is_not_pointwise(
        self, listed: tuple[Model, ShimList]
    ) -> None:
        model = replace(listed[0], release=named_release("2.3"))
        tagged = replace(model.operators[0], tags=("pointwise",))
        found = read_shims(None, replace(model, operators=(tagged, *model.operators[1:])), Diagnostics())
        assert found is not None
        assert [shim.operator for shim in found.devices] == list(model.operators[1:])
        assert found.aten == ()

    def test_older_releases_have_none(self, listed: tuple[Model, ShimList]) -> None:
        for release in (RELEASES[0], named_release("2.2")):
            assert read_shims(None, replace(listed[0], release=release), Diagnostics()) is None

    @pytest.mark.parametrize(
        "release", [release for release in RELEASES if release.shims.listed], ids=lambda release: release.name
    )
    def test_it_is_sound(self, release: Release) -> None:
        """Nothing but the operators' names depends on a source."""
        assert release.shims.listed is not None
        faults = Diagnostics()
        root = read_yaml(read_source(release.shims.listed), faults)
        assert root is not None
        read_shim_list(root, Context(release, faults), None)
        assert not faults.items


RANGES = """\
devices:
  aten::blend: {from: 2.6}
  aten::glue: {until: '2.6'}
  aten::gate: {from: 2.6, until: 2.12}
  aten::ripple: {v2: {from: 2.12, new_args: [rate]}, v3: {until: 2.11, new_args: []}}
"""


@pytest.mark.parametrize(
    ("release", "offered"),
    [
        ("2.5", {"glue": [1], "ripple": [3, 1]}),
        ("2.6", {"blend": [1], "glue": [1], "gate": [1], "ripple": [3, 1]}),
        ("2.12", {"blend": [1], "gate": [1], "ripple": [2, 1]}),
        ("2.13", {"blend": [1], "ripple": [2, 1]}),
    ],
)
def test_operators_and_versions_of_some_releases(release: str, offered: dict[str, list[int]]) -> None:
    faults = Diagnostics()
    root = read_yaml(Source("list.yaml", RANGES), faults)
    assert root is not None
    operators = {operator.full_name: operator for operator in sample_model().operators}
    shims = read_shim_list(root, Context(named_release(release), faults), operators)
    found = {shim.operator.name.text: [version.number for version in shim.versions] for shim in shims.devices}
    assert (found, faults.items) == (offered, [])


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
