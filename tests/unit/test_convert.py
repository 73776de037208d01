"""Conversions: which expression gives a parameter that a call wants, from the parameters in scope."""

from __future__ import annotations

import pytest

from opwright.cpp.types import CppType, CppTypes
from opwright.releases.v2_1 import V2_1
from opwright.releases.v2_13 import V2_13
from opwright.signatures.bindings import PRMF, Binding
from opwright.signatures.convert import Converter, NoConversionError

TYPES = CppTypes(V2_13)
TENSOR = TYPES.named("at::Tensor")
FORMAT = TYPES.optional(TYPES.named("at::MemoryFormat"))
OPTIONS = Binding("options", "options", TYPES.named("at::TensorOptions"))


def type_of(text: str, types: CppTypes) -> CppType:
    """A type that is written like this."""
    if text.startswith("const "):
        return types.const_ref(types.named(text[len("const ") : -len(" &")]))
    return types.ref(types.named(text[: -len(" &")])) if text.endswith(" &") else types.named(text)


def convert(have: str, want: str, *, types: CppTypes = TYPES) -> str:
    """The expression for a parameter `x` of type `want` from an `x` of type `have`."""
    scope = [Binding("x", "x", type_of(have, types))]
    return Converter(types).call(scope, [Binding("x", "x", type_of(want, types))])


@pytest.mark.parametrize(
    ("have", "want", "expected"),
    [
        ("int64_t", "int64_t", "x"),
        ("at::Tensor", "at::Tensor &", "x"),
        ("at::Tensor", "const at::Tensor &", "x"),
        ("at::Tensor &", "const at::Tensor &", "x"),
        ("at::IntArrayRef", "c10::SymIntArrayRef", "c10::fromIntArrayRefSlow(x)"),
        ("int64_t", "c10::SymInt", "x"),
        (
            "::std::optional<int64_t>",
            "::std::optional<c10::SymInt>",
            "x.has_value() ? ::std::make_optional(c10::SymInt(*x)) : ::std::nullopt",
        ),
        (
            "at::OptionalIntArrayRef",
            "at::OptionalSymIntArrayRef",
            "x.has_value() ? ::std::make_optional(c10::fromIntArrayRefSlow(*x)) : ::std::nullopt",
        ),
    ],
)
def test_by_type(have: str, want: str, expected: str) -> None:
    assert convert(have, want) == expected


@pytest.mark.parametrize(
    ("have", "want"),
    [
        ("const at::Tensor &", "at::Tensor &"),
        ("const at::Tensor &", "at::Tensor"),
        ("at::Tensor &", "at::Tensor"),
        ("c10::SymInt", "double"),
        ("double", "c10::SymInt"),
        ("int64_t", "::std::optional<c10::SymInt>"),
        ("at::IntArrayRef", "at::OptionalSymIntArrayRef"),
    ],
)
def test_that_fail(have: str, want: str) -> None:
    with pytest.raises(NoConversionError) as caught:
        convert(have, want)
    assert str(caught.value) == f"nothing in scope gives '{want} x'; in scope: {have} x"


def test_older_spelling() -> None:
    types = CppTypes(V2_1)
    expected = "x.has_value() ? c10::make_optional(c10::SymInt(*x)) : c10::nullopt"
    assert convert("c10::optional<int64_t>", "c10::optional<c10::SymInt>", types=types) == expected
    scope = [Binding("options", "options", types.named("at::TensorOptions"))]
    wanted = [Binding("dtype", "dtype", types.optional(types.named("at::ScalarType")))]
    assert Converter(types).call(scope, wanted) == "optTypeMetaToScalarType(options.dtype_opt())"


def test_names_count() -> None:
    other = Binding("y", "y", TYPES.named("int64_t"))
    with pytest.raises(NoConversionError, match="gives 'int64_t x'; in scope: int64_t y"):
        Converter(TYPES).call([other], [Binding("x", "x", TYPES.named("int64_t"))])
    both = [other, Binding("x", "x", TYPES.named("int64_t"))]
    assert Converter(TYPES).call(both, list(reversed(both))) == "x, y"


def test_tensor_options_are_taken_apart() -> None:
    wanted = {
        "dtype": ("at::ScalarType", "c10::optTypeMetaToScalarType(options.dtype_opt())"),
        "layout": ("at::Layout", "options.layout_opt()"),
        "device": ("at::Device", "options.device_opt()"),
        "pin_memory": ("bool", "options.pinned_memory_opt()"),
    }
    bindings = [Binding(name, name, TYPES.optional(TYPES.named(type))) for name, (type, _) in wanted.items()]
    assert Converter(TYPES).call([OPTIONS], bindings) == ", ".join(expected for _, expected in wanted.values())
    with pytest.raises(NoConversionError, match="gives '::std::optional<at::ScalarType> dtype'"):
        Converter(TYPES).call([], bindings)
    plain = [Binding(name, name, TYPES.named(type)) for name, (type, _) in wanted.items()]
    assert Converter(TYPES).call([OPTIONS], plain) == (
        "c10::typeMetaToScalarType(options.dtype()), options.layout(), options.device(), options.pinned_memory()"
    )


def test_memory_format() -> None:
    """Beside packed options it is checked against theirs; else the one that stands beside is taken as it is."""
    wanted = [Binding("memory_format", "memory_format", FORMAT)]
    beside = Binding("memory_format", PRMF, FORMAT)
    checked = "c10::impl::check_tensor_options_and_extract_memory_format(options, memory_format)"
    assert Converter(TYPES).call([OPTIONS, beside], wanted) == checked
    assert Converter(TYPES).call([beside], wanted) == "memory_format"
    assert Converter(TYPES).call(wanted, wanted) == "memory_format"
    with pytest.raises(NoConversionError):
        Converter(TYPES).call([OPTIONS], wanted)


@pytest.mark.parametrize("type", [TYPES.ref(TENSOR), TYPES.const_ref(TENSOR)], ids=str)
def test_self_in_a_method(type: CppType) -> None:
    wanted = [Binding("self", "self", type), Binding("other", "other", TYPES.const_ref(TENSOR))]
    assert Converter(TYPES).call(wanted[1:], wanted, in_method=True) == "const_cast<Tensor&>(*this), other"
    with pytest.raises(NoConversionError):
        Converter(TYPES).call(wanted[1:], wanted)
