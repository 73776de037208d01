"""Conversions: which expression gives a parameter that a call wants, from the parameters in scope."""

from __future__ import annotations

import pytest

from opwright.cpp.types import CppType, CppTypes
from opwright.releases import named_release
from opwright.signatures.bindings import PRMF, Binding
from opwright.signatures.convert import Converter, NoConversionError

V2_1 = named_release("2.1")
V2_13 = named_release("2.13")

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
        ("const at::Tensor &", "at::Tensor &", "const_cast<Tensor&>(x)"),
        ("at::IntArrayRef", "at::ArrayRef<int64_t>", "x"),
        ("c10::SymIntArrayRef", "at::IntArrayRef", "C10_AS_INTARRAYREF_SLOW(x)"),
        ("c10::SymIntArrayRef", "at::ArrayRef<int64_t>", "C10_AS_INTARRAYREF_SLOW(x)"),
        ("::std::vector<int64_t>", "at::IntArrayRef", "x"),
        ("::std::vector<c10::SymInt>", "c10::SymIntArrayRef", "x"),
        ("c10::SymInt", "int64_t", "x.guard_int(__FILE__, __LINE__)"),
        (
            "::std::optional<c10::SymInt>",
            "::std::optional<int64_t>",
            "x.has_value() ? ::std::make_optional(x->guard_int(__FILE__, __LINE__)) : ::std::nullopt",
        ),
        (
            "at::OptionalSymIntArrayRef",
            "at::OptionalIntArrayRef",
            "x.has_value() ? ::std::make_optional(C10_AS_INTARRAYREF_SLOW(*x)) : ::std::nullopt",
        ),
        (
            "const ::std::optional<at::Tensor> &",
            "at::OptionalTensorRef",
            "((x.has_value() && (*x).defined()) ? at::OptionalTensorRef(*x) : at::OptionalTensorRef())",
        ),
        (
            "const ::std::optional<at::Scalar> &",
            "at::OptionalScalarRef",
            "(x.has_value() ? at::OptionalScalarRef(&(x.value())) : at::OptionalScalarRef())",
        ),
        ("::std::optional<at::Scalar>", "at::OptionalScalarRef", "x"),
        ("::std::optional<at::Tensor>", "at::OptionalTensorRef", "x"),
        ("const c10::List<::std::optional<at::Tensor>> &", "at::IOptTensorListRef", "at::IOptTensorListRef(x)"),
        ("const at::Scalar &", "opmath_t", "(x).to<opmath_t>()"),
        ("scalar_t", "opmath_t", "static_cast<opmath_t>(x)"),
    ],
)
def test_by_type(have: str, want: str, expected: str) -> None:
    assert convert(have, want) == expected


@pytest.mark.parametrize(
    ("have", "want"),
    [
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


@pytest.mark.parametrize(
    ("have", "want", "expected"),
    [
        ("at::IntArrayRef", "::std::vector<int64_t>", "x.vec()"),
        ("c10::SymIntArrayRef", "::std::vector<c10::SymInt>", "x.vec()"),
        (
            "at::OptionalIntArrayRef",
            "::std::optional<::std::vector<int64_t>>",
            "x.has_value() ? ::std::make_optional(x->vec()) : ::std::nullopt",
        ),
        (
            "at::OptionalTensorRef",
            "::std::optional<at::Tensor>",
            "x.has_value() ? ::std::make_optional(x) : ::std::nullopt",
        ),
        ("int64_t", "int64_t", "x"),
    ],
)
def test_owning(have: str, want: str, expected: str) -> None:
    """What only refers to values is copied where copies are asked for, and nowhere else."""
    converter, wanted = Converter(TYPES), [Binding("x", "x", type_of(want, TYPES))]
    scope = converter.scope([Binding("x", "x", type_of(have, TYPES))])
    assert converter.arguments(scope, wanted, owning=True) == [expected]
    if have != want:
        with pytest.raises(NoConversionError):
            converter.arguments(scope, wanted)


def test_options_of_an_out_tensor() -> None:
    names = {"dtype": "at::ScalarType", "layout": "at::Layout", "device": "at::Device", "pin_memory": "bool"}
    wanted = [Binding(name, name, TYPES.optional(TYPES.named(type))) for name, type in names.items()]
    out = Binding("out", "out", TYPES.ref(TENSOR))
    assert Converter(TYPES).call([out], wanted) == "out.scalar_type(), out.layout(), out.device(), ::std::nullopt"


def test_options_are_packed() -> None:
    names = {"dtype": "at::ScalarType", "layout": "at::Layout", "device": "at::Device", "pin_memory": "bool"}
    scope = [Binding(name, name, TYPES.optional(TYPES.named(type))) for name, type in names.items()]
    packed = "TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(pin_memory)"
    assert Converter(TYPES).call(scope, [OPTIONS]) == packed
    with pytest.raises(NoConversionError):
        Converter(TYPES).call(scope[1:], [OPTIONS])


def test_a_later_value_takes_the_place_of_an_earlier_one() -> None:
    converter, x = Converter(TYPES), Binding("x", "x", TYPES.named("int64_t"))
    scope = converter.scope([x])
    converter.add(scope, "precompute.x", "x", x.type)
    assert converter.arguments(scope, [x]) == ["precompute.x"]


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
    converter = Converter(TYPES)
    scope = converter.scope(wanted[1:])
    converter.add_self(scope)
    assert converter.arguments(scope, wanted) == ["const_cast<Tensor&>(*this)", "other"]
    with pytest.raises(NoConversionError):
        Converter(TYPES).call(wanted[1:], wanted)
