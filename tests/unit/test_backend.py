"""What is read from a backend file."""

from __future__ import annotations

from opwright.diagnostics import Diagnostics, Severity
from opwright.model.backend import Backend, read_backend
from opwright.model.context import Context
from opwright.model.model import Model
from opwright.model.operators import Kernel, Operator
from opwright.source import Source
from opwright.syntax.yaml_reading import read_yaml
from tests.releases import SAMPLES
from tests.sample import sample_model

HEAD = "backend: PrivateUse1\ncpp_namespace: mine\n"


def parse(text: str, model: Model | None) -> tuple[Backend | None, Diagnostics]:
    faults = Diagnostics()
    root = read_yaml(Source("backend.yaml", text), faults)
    assert root is not None
    return read_backend(root, Context(SAMPLES, faults), model), faults


def read(text: str) -> Backend:
    backend, faults = parse(HEAD + text, sample_model("mps", "xpu", "mtia"))
    assert not [item for item in faults.items if item.severity is Severity.ERROR]
    assert backend is not None
    return backend


def shown(kernels: dict[Operator, Kernel]) -> list[tuple[str, str]]:
    assert all(not kernel.is_structured for kernel in kernels.values())
    # `K` stands for the class.
    scopes = {"mine::PrivateUse1NativeFunctions": "mine::K"}
    return [
        (operator.name.text, f"{scopes.get(kernel.namespace, kernel.namespace)}::{kernel.name}")
        for operator, kernel in kernels.items()
    ]


def test_what_holds_when_little_is_said() -> None:
    backend = read("supported: [blend]")
    assert backend.key.name == "PrivateUse1"
    assert backend.autograd_key is None
    assert backend.cpp_namespace == "mine"
    assert backend.class_name == "PrivateUse1NativeFunctions"
    assert not backend.use_out_as_primary
    assert set(backend.own.guards.values()) and not any(item.guard for item in backend.own.guards.values())
    assert not (backend.full_codegen or backend.ir_gen or backend.non_native)


def test_what_is_said_holds() -> None:
    backend = read("supported: [blend]\nclass_name: Kernels\nuse_out_as_primary: on\ndevice_guard: True\n")
    assert backend.class_name == "Kernels"
    assert backend.use_out_as_primary
    assert all(item.guard for item in backend.own.guards.values())


def test_empty_keys_that_are_allowed() -> None:
    backend = read("class_name:\nsupported:\nsymint:\nfull_codegen: [blend]\n")
    assert backend.class_name == "PrivateUse1NativeFunctions"
    assert shown(backend.own.kernels) == [("blend", "mine::K::blend")]


def test_kernels_in_list_order() -> None:
    backend = read("full_codegen: [ripple]\nsupported: [nudge_, blend.out, blend]\n")
    assert shown(backend.own.kernels) == [
        ("nudge_", "mine::K::nudge_"),
        ("blend.out", "mine::K::blend_out"),
        ("blend", "mine::K::blend"),
        ("ripple", "mine::K::ripple"),
    ]
    assert [operator.name.text for operator in backend.full_codegen] == ["ripple"]


def test_generated_operators_may_be_listed() -> None:
    assert shown(read("supported: [nudge, ripple.out]").own.kernels) == [
        ("nudge", "mine::K::nudge"),
        ("ripple.out", "mine::K::ripple_out"),
    ]


def test_kernels_with_symbolic_sizes() -> None:
    backend = read("supported: [peel_copy, grow_]\nautograd: [window]\nsymint: [peel_copy, window]\n")
    assert shown(backend.own.kernels) == [
        ("peel_copy", "mine::K::peel_copy_symint"),
        ("grow_", "mine::K::grow_"),
    ]
    assert backend.autograd_key is not None
    assert backend.autograd_key.name == "AutogradPrivateUse1"


def test_an_operator_that_is_listed_twice_has_one_kernel() -> None:
    backend = read("supported: [blend, blend]\nfull_codegen: [blend]\n")
    assert shown(backend.own.kernels) == [("blend", "mine::K::blend")]
    assert [operator.name.text for operator in backend.full_codegen] == ["blend"]


def test_operators_with_a_node_only() -> None:
    backend = read("supported: [blend]\nir_gen: [ripple]\n")
    assert [operator.name.text for operator in backend.ir_gen] == ["ripple"]
    assert shown(backend.own.kernels) == [("blend", "mine::K::blend")]


class TestNonNative:
    def test_defaults(self) -> None:
        (item,) = read("supported: [blend]\nnon_native:\n- func: cast(Tensor x) -> Tensor\n").non_native
        assert str(item.schema) == "cast(Tensor x) -> Tensor"
        assert item.opkind is None
        assert item.properties == {"ShapeCache", "LowerDeclOnly", "CanBeReused"}

    def test_the_last_property_of_a_group_counts(self) -> None:
        properties = "ShapeCompute, ShapePrecompute, Lower, CreateFn, TreatScalarsAsConstants"
        entry = f"- {{func: cast(Tensor x) -> Tensor, opkind: at::prim::Constant, properties: [{properties}]}}"
        (item,) = read(f"supported: [blend]\nnon_native:\n{entry}\n").non_native
        assert item.opkind == "at::prim::Constant"
        assert item.properties == {"ShapePrecompute", "Lower", "CanBeReused", "CreateFn", "TreatScalarsAsConstants"}


class TestWithoutModel:
    def test_operators_are_not_looked_up(self) -> None:
        backend, faults = parse(f"{HEAD}supported: [nope]\nautograd: [nope]\nsymint: [nope]\n", None)
        assert backend is None
        assert not faults.items

    def test_the_rest_is_checked(self) -> None:
        _, faults = parse(f"{HEAD}supported: ['aten::blend', 3]\nsuported: []\n", None)
        codes = {item.code for item in faults.items}
        assert codes == {"backend-unknown-key", "backend-operator-type", "backend-operator-namespace"}


def test_what_is_faulty_is_left_out() -> None:
    backend, faults = parse(f"{HEAD}supported: [blend, nope]\n", sample_model("mps", "xpu", "mtia"))
    assert faults.has_errors
    assert backend is not None
    assert shown(backend.own.kernels) == [("blend", "mine::K::blend")]
