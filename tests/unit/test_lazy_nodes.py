"""What the nodes of lazy graphs are made of, argument by argument."""

from __future__ import annotations

import pytest

from opwright.cpp.types import CppTypes, NoCppTypeError
from opwright.releases import find_release
from opwright.signatures.lazy import NATIVE_PROPERTIES, LazyConvention, LazyNode, NodeArgument
from opwright.syntax.parser import parse_schema
from tests.releases import SAMPLES

VALUE = "torch::lazy::Value"
CONSTANTS = NATIVE_PROPERTIES | {"TreatScalarsAsConstants"}


def node(
    schema: str,
    *,
    symint: bool = False,
    value: str = VALUE,
    release: str = SAMPLES.name,
    properties: frozenset[str] = NATIVE_PROPERTIES,
    op_kind: str | None = None,
) -> LazyNode:
    found = find_release(release)
    assert found is not None
    convention = LazyConvention(CppTypes(found), value)
    return convention.node(parse_schema(schema), symint=symint, properties=properties, op_kind=op_kind)


def argument(type: str, *, symint: bool = False, value: str = VALUE, release: str = SAMPLES.name) -> NodeArgument:
    return node(f"lap({type} x) -> Tensor", symint=symint, value=value, release=release).arguments[0]


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        ("Tensor", VALUE),
        ("Tensor?", f"::std::optional<{VALUE}>"),
        ("Tensor[]", VALUE),
        ("Tensor[]?", f"::std::optional<{VALUE}>"),
        ("Tensor?[]", f"c10::List<::std::optional<{VALUE}>>"),
        ("Scalar", VALUE),
        ("Scalar?", f"::std::optional<{VALUE}>"),
        ("Scalar[]", f"::std::vector<{VALUE}>"),
    ],
)
def test_values(type: str, expected: str) -> None:
    found = argument(type)
    assert (found.type, found.is_value) == (expected, True)


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        ("int", "int64_t"),
        ("float?", "::std::optional<double>"),
        ("bool", "bool"),
        ("bool[3]", "::std::vector<bool>"),
        ("int[2]", "::std::vector<int64_t>"),
        ("int[]?", "::std::optional<::std::vector<int64_t>>"),
        ("str", "c10::string_view"),
        ("str?", "::std::optional<c10::string_view>"),
        ("ScalarType", "at::ScalarType"),
        ("Device?", "::std::optional<at::Device>"),
        ("Layout", "at::Layout"),
        ("MemoryFormat?", "::std::optional<at::MemoryFormat>"),
        ("Generator?", "::std::optional<at::Generator>"),
        ("SymInt", "int64_t"),
        ("SymInt?", "::std::optional<int64_t>"),
        ("SymInt[]", "::std::vector<int64_t>"),
    ],
)
def test_scalars(type: str, expected: str) -> None:
    found = argument(type)
    assert (found.type, found.is_value, found.is_held) == (expected, False, True)


@pytest.mark.parametrize(
    ("type", "expected", "is_value"),
    [
        ("SymInt", VALUE, True),
        ("SymInt?", f"::std::optional<{VALUE}>", True),
        ("SymInt[]", "::std::vector<int64_t>", False),
        ("int", "int64_t", False),
    ],
)
def test_symbolic_integers_of_kernels_that_take_them(type: str, expected: str, is_value: bool) -> None:
    found = argument(type, symint=True)
    assert (found.type, found.is_value, found.is_symint) == (expected, is_value, is_value)


@pytest.mark.parametrize("type", ["Storage", "Stream", "QScheme", "DeviceIndex", "Storage?", "Stream[]"])
def test_types_that_nodes_do_not_have(type: str) -> None:
    with pytest.raises(NoCppTypeError):
        argument(type)


def test_numbers_that_stay_constants() -> None:
    found = node("lap(Scalar a, Scalar? b) -> Tensor", properties=CONSTANTS)
    assert [(item.type, item.is_value) for item in found.arguments] == [
        ("at::Scalar", False),
        ("::std::optional<at::Scalar>", False),
    ]


def test_a_list_of_tensors_keeps_its_type_and_is_no_value_of_another_class() -> None:
    found = argument("Tensor[]", value="mine::Value")
    assert (found.type, found.is_value) == (VALUE, False)
    assert argument("Tensor", value="mine::Value").type == "mine::Value"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("add", "Add"),
        ("add_.Tensor", "AddTensor"),
        ("bitwise_and.Tensor", "BitwiseAndTensor"),
        ("_softmax", "Softmax"),
        ("max.dim_max", "MaxDimMax"),
        ("__and__.Scalar", "AndScalar"),
        ("linalg_QR", "LinalgQr"),
    ],
)
def test_class_name(name: str, expected: str) -> None:
    assert node(f"{name}(Tensor self) -> Tensor").class_name == expected


def test_symbol() -> None:
    schema = "{}(Tensor self) -> Tensor"
    assert node(schema.format("add_.Tensor")).op_kind == "at::aten::add_"
    assert "fromQualString" in node(schema.format("sigmoid_backward")).op_kind
    assert node(schema.format("add"), op_kind="at::prim::Constant").op_kind == "at::prim::Constant"


def test_order_and_kinds_of_arguments() -> None:
    found = node("lap(Tensor self, int n, *, Tensor? w, str mode, Tensor(a!) out) -> Tensor(a!)")
    assert [(item.name, item.is_keyword) for item in found.arguments] == [
        ("self", False),
        ("n", False),
        ("w", True),
        ("mode", True),
        ("out", True),
    ]
    assert [item.name for item in found.values] == ["self", "w", "out"]
    assert [item.name for item in found.scalars] == ["n", "mode"]
    assert found.parameters.startswith("const torch::lazy::Value& self, const int64_t& n, ")


class TestGeneratorsOfOlderReleases:
    def test_they_are_left_out_of_the_node(self) -> None:
        found = node("lap(Tensor self, Generator? g, *, int n) -> Tensor", release="2.1")
        assert [item.name for item in found.arguments] == ["self", "g", "n"]
        assert [item.name for item in found.held] == ["self", "n"]
        assert "g" not in [item.name for item in found.scalars]

    def test_they_must_be_optional(self) -> None:
        with pytest.raises(NoCppTypeError, match="'x'"):
            argument("Generator", release="2.0")
