"""The C++ types of arguments and returns, by release and by the flags of the operator."""

from __future__ import annotations

import pytest

from opwright.cpp.types import CONST_REF, SYMINT, TENSOR_LIST_REF, CppTypes, NoCppTypeError
from opwright.releases import named_release
from opwright.releases.release import Release
from opwright.syntax.types import Type, TypeTable
from tests.releases import RELEASES

V2_0 = named_release("2.0")
V2_1 = named_release("2.1")
V2_13 = named_release("2.13")

TYPES = CppTypes(V2_13)
TABLE = TypeTable()
FLAGS = [
    symint | const_ref | list_ref
    for symint in (0, SYMINT)
    for const_ref in (0, CONST_REF)
    for list_ref in (0, TENSOR_LIST_REF)
]


def read(text: str) -> Type:
    return TABLE.read(text, 0)[0]


def argument(text: str, flags: int = 0, *, written: bool = False, types: CppTypes = TYPES) -> str:
    return types.argument(read(text), written, flags).text


def returned(text: str, flags: int = 0, *, written: bool = False, types: CppTypes = TYPES) -> str:
    return types.returned(read(text), written, flags).text


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("int", "int64_t"),
        ("float", "double"),
        ("bool", "bool"),
        ("str", "c10::string_view"),
        ("Generator", "at::Generator"),
        ("ScalarType", "at::ScalarType"),
        ("Layout", "at::Layout"),
        ("Device", "at::Device"),
        ("DeviceIndex", "at::DeviceIndex"),
        ("MemoryFormat", "at::MemoryFormat"),
        ("QScheme", "at::QScheme"),
        ("Storage", "at::Storage"),
        ("Stream", "at::Stream"),
        ("DimVector", "at::DimVector"),
        ("SymBool", "c10::SymBool"),
    ],
)
def test_values_are_the_same_everywhere(base: str, expected: str) -> None:
    for flags in FLAGS:
        for written in (False, True):
            assert argument(base, flags, written=written) == expected
            assert returned(base, flags, written=written) == expected
            assert argument(f"{base}?", flags, written=written) == f"::std::optional<{expected}>"
            assert returned(f"{base}?", flags, written=written) == f"::std::optional<{expected}>"


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        ("Tensor", "const at::Tensor &"),
        ("Tensor?", "const ::std::optional<at::Tensor> &"),
        ("Tensor[]", "at::TensorList"),
        ("Tensor[2]", "at::TensorList"),
        ("Tensor[]?", "::std::optional<at::TensorList>"),
        ("Tensor?[]", "const c10::List<::std::optional<at::Tensor>> &"),
        ("Scalar", "const at::Scalar &"),
        ("Scalar?", "const ::std::optional<at::Scalar> &"),
        ("Scalar[]", "at::ArrayRef<at::Scalar>"),
        ("Scalar?[]", "at::ArrayRef<const ::std::optional<at::Scalar> &>"),
        ("int[]", "at::IntArrayRef"),
        ("int[3]", "at::IntArrayRef"),
        ("int[]?", "at::OptionalIntArrayRef"),
        ("int[1]?", "at::OptionalIntArrayRef"),
        ("int?[]", "at::ArrayRef<::std::optional<int64_t>>"),
        ("float[]", "at::ArrayRef<double>"),
        ("float[]?", "::std::optional<at::ArrayRef<double>>"),
        ("str[]", "at::ArrayRef<c10::string_view>"),
        ("bool[3]", "::std::array<bool,3>"),
        ("bool[2]?", "::std::optional<::std::array<bool,2>>"),
        ("Device[]", "at::ArrayRef<at::Device>"),
    ],
)
def test_arguments(type: str, expected: str) -> None:
    assert argument(type) == expected
    assert argument(type, SYMINT) == expected


@pytest.mark.parametrize(
    ("type", "expected", "symbolic"),
    [
        ("SymInt", "int64_t", "c10::SymInt"),
        ("SymInt?", "::std::optional<int64_t>", "::std::optional<c10::SymInt>"),
        ("SymInt[]", "at::IntArrayRef", "c10::SymIntArrayRef"),
        ("SymInt[2]", "at::IntArrayRef", "c10::SymIntArrayRef"),
        ("SymInt[]?", "at::OptionalIntArrayRef", "at::OptionalSymIntArrayRef"),
        ("SymInt[1]?", "at::OptionalIntArrayRef", "at::OptionalSymIntArrayRef"),
        ("SymInt?[]", "at::ArrayRef<::std::optional<int64_t>>", "at::ArrayRef<::std::optional<c10::SymInt>>"),
    ],
)
def test_symbolic_integers(type: str, expected: str, symbolic: str) -> None:
    assert argument(type) == expected
    assert argument(type, SYMINT) == symbolic


@pytest.mark.parametrize(
    ("type", "expected", "by_const_ref"),
    [
        ("Tensor", "at::Tensor &", "const at::Tensor &"),
        ("Tensor?", "at::Tensor &", "const ::std::optional<at::Tensor> &"),
        ("Tensor[]", "at::TensorList", "at::TensorList"),
        (
            "Tensor?[]",
            "const c10::List<::std::optional<at::Tensor>> &",
            "const c10::List<::std::optional<at::Tensor>> &",
        ),
    ],
)
def test_written_arguments(type: str, expected: str, by_const_ref: str) -> None:
    assert argument(type, written=True) == expected
    assert argument(type, CONST_REF, written=True) == by_const_ref


@pytest.mark.parametrize("written", [False, True])
def test_lists_in_structured_groups(written: bool) -> None:
    assert argument("Tensor[]", TENSOR_LIST_REF, written=written) == "const at::ITensorListRef &"
    assert argument("Tensor[]?", TENSOR_LIST_REF, written=written) == "::std::optional<const at::ITensorListRef &>"
    optional = "const c10::List<::std::optional<at::Tensor>> &"
    assert argument("Tensor?[]", TENSOR_LIST_REF, written=written) == optional
    assert argument("int[]", TENSOR_LIST_REF, written=written) == "at::IntArrayRef"


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        ("Tensor", "at::Tensor"),
        ("Tensor?", "::std::optional<at::Tensor>"),
        ("Tensor[]", "::std::vector<at::Tensor>"),
        ("Scalar", "at::Scalar"),
        ("Scalar[]", "::std::vector<at::Scalar>"),
        ("int[]", "::std::vector<int64_t>"),
        ("int[][]", "::std::vector<::std::vector<int64_t>>"),
        ("int?[]", "::std::vector<::std::optional<int64_t>>"),
        ("bool[4]", "::std::array<bool,4>"),
        ("SymInt", "c10::SymInt"),
        ("SymInt[]", "::std::vector<c10::SymInt>"),
    ],
)
def test_returns(type: str, expected: str) -> None:
    assert returned(type, SYMINT) == expected


def test_written_returns() -> None:
    assert returned("Tensor", written=True) == "at::Tensor &"
    assert returned("Tensor", CONST_REF, written=True) == "const at::Tensor &"
    assert returned("SymInt") == "int64_t"  # only the oldest release asks for this


@pytest.mark.parametrize("type", ["bool[]", "bool[]?", "GraphModule", "GraphModule?", "GraphModule[]"])
def test_types_without_a_counterpart(type: str) -> None:
    with pytest.raises(NoCppTypeError, match="has no C\\+\\+ type"):
        argument(type)
    with pytest.raises(NoCppTypeError):
        returned(type)


@pytest.mark.parametrize(
    ("type", "written"),
    [("Scalar?", False), ("int[]?", False), ("Tensor[]?", False), ("Tensor[2]", False), ("Tensor[]", True)],
)
def test_what_cannot_be_returned(type: str, written: bool) -> None:
    with pytest.raises(NoCppTypeError, match="cannot be returned"):
        returned(type, written=written)


def test_older_releases() -> None:
    older, oldest = CppTypes(V2_1), CppTypes(V2_0)
    for types in (older, oldest):
        assert argument("Tensor?", types=types) == "const c10::optional<at::Tensor> &"
        assert argument("Tensor?[]", types=types) == "const c10::List<c10::optional<at::Tensor>> &"
        assert argument("float[]?", types=types) == "c10::optional<at::ArrayRef<double>>"
        assert argument("Dimname", types=types) == "at::Dimname"
        assert argument("Dimname[]", types=types) == "at::DimnameList"
        assert argument("Dimname[]?", types=types) == "c10::optional<at::DimnameList>"
        for unknown in ("SymBool", "ConstQuantizerPtr"):
            with pytest.raises(NoCppTypeError):
                argument(unknown, types=types)
        with pytest.raises(NoCppTypeError):
            returned("Tensor?", types=types)
    assert argument("DeviceIndex", types=older) == "at::DeviceIndex"
    with pytest.raises(NoCppTypeError):
        argument("DeviceIndex", types=oldest)
    with pytest.raises(NoCppTypeError):
        argument("Dimname")


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
def test_equal_types_are_one_object(release: Release) -> None:
    types = CppTypes(release)
    tensor = types.argument(read("Tensor"), False, 0)
    assert tensor is types.const_ref(types.named("at::Tensor"))
    assert tensor.target is types.returned(read("Tensor"), False, 0)
    assert types.argument(read("int[]"), False, SYMINT) is types.argument(read("SymInt[]"), False, 0)
    assert types.optional(types.named("int64_t")) is types.argument(read("int?"), True, CONST_REF)
