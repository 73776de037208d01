"""The conversions there are, as data.

In: the types of one run. Out: for a type wanted, the types from which it can be made and the expressions that do so.

Rules: spec 07 sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from opwright.cpp.types import CppType, CppTypes

#: A conversion: the type that is needed, or, of derived values, given, and the expression made from an expression.
Row = tuple[CppType, Callable[[str], str]]
Rows = tuple[Row, ...]


def as_it_is(x: str) -> str:
    return x


class ConversionTable:
    """The conversions between the types of one run.

    `derived` has, for a type in scope, what a value of it gives besides itself. `by_type` has, for a type wanted, what
    it is made of, the best first; `owning` the same for types that hold what others only refer to. `options_parts` has,
    for an argument that packed tensor options stand for, its expression when they are in scope and the one with a
    tensor (`{}`) whose properties serve otherwise.
    """

    def __init__(self, types: CppTypes) -> None:
        named, optional = types.named, types.optional
        self.written_tensor = types.ref(named("at::Tensor"))
        self.read_tensor = types.const_ref(named("at::Tensor"))
        self.options = named("at::TensorOptions")
        self.int_array_ref = named("at::IntArrayRef")
        self.long_array_ref = named("at::ArrayRef<int64_t>")
        self.derived = _derived(types)
        self.by_type = _by_type(types)
        self.owning = _owning(types)
        self.options_parts = _options_parts(types)
        self.options_order = (
            ("dtype", optional(named("at::ScalarType"))),
            ("pin_memory", optional(named("bool"))),
            ("device", optional(named("at::Device"))),
            ("layout", optional(named("at::Layout"))),
        )


def _derived(types: CppTypes) -> Mapping[CppType, Row]:
    named, optional, const_ref = types.named, types.optional, types.const_ref
    tensor, scalar, compute = named("at::Tensor"), named("at::Scalar"), named("opmath_t")
    tensors = named(f"c10::List<{optional(tensor).text}>")
    return {
        const_ref(optional(tensor)): (
            named("at::OptionalTensorRef"),
            lambda x: (
                f"(({x}.has_value() && (*{x}).defined()) ? at::OptionalTensorRef(*{x}) : at::OptionalTensorRef())"
            ),
        ),
        const_ref(optional(scalar)): (
            named("at::OptionalScalarRef"),
            lambda x: f"({x}.has_value() ? at::OptionalScalarRef(&({x}.value())) : at::OptionalScalarRef())",
        ),
        const_ref(scalar): (compute, lambda x: f"({x}).to<opmath_t>()"),
        named("scalar_t"): (compute, lambda x: f"static_cast<opmath_t>({x})"),
        const_ref(tensors): (named("at::IOptTensorListRef"), lambda x: f"at::IOptTensorListRef({x})"),
    }


def _by_type(types: CppTypes) -> Mapping[CppType, Rows]:
    named, optional, vector = types.named, types.optional, types.vector
    integer, symint = named("int64_t"), named("c10::SymInt")
    ints, symints = named("at::IntArrayRef"), named("c10::SymIntArrayRef")
    some_ints, some_symints = named("at::OptionalIntArrayRef"), named("at::OptionalSymIntArrayRef")
    spelling = types.release.spelling
    guard = spelling.guard_int

    def when_there(made: str) -> Callable[[str], str]:
        return lambda x: f"{x}.has_value() ? {spelling.make_optional}({made.format(x)}) : {spelling.nullopt}"

    return {
        ints: ((vector(integer), as_it_is), (symints, lambda x: f"C10_AS_INTARRAYREF_SLOW({x})")),
        symints: ((ints, lambda x: f"c10::fromIntArrayRefSlow({x})"), (vector(symint), as_it_is)),
        symint: ((integer, as_it_is),),
        optional(symint): ((optional(integer), when_there("c10::SymInt(*{})")),),
        integer: ((symint, lambda x: f"{x}.{guard}"),),
        optional(integer): ((optional(symint), when_there(f"{{}}->{guard}")),),
        some_ints: (
            (optional(vector(integer)), as_it_is),
            (some_symints, when_there("C10_AS_INTARRAYREF_SLOW(*{})")),
        ),
        some_symints: ((some_ints, when_there("c10::fromIntArrayRefSlow(*{})")),),
        named("at::OptionalScalarRef"): ((optional(named("at::Scalar")), as_it_is),),
        # Only where a backend writes a structured kernel for an operator that is not structured in PyTorch.
        types.const_ref(named("at::ITensorListRef")): ((named("at::TensorList"), as_it_is),),
        named("at::OptionalTensorRef"): ((optional(named("at::Tensor")), as_it_is),),
    }


def _owning(types: CppTypes) -> Mapping[CppType, Rows]:
    named, optional, vector = types.named, types.optional, types.vector
    spelling = types.release.spelling
    ints = vector(named("int64_t"))
    some_scalar, some_tensor = optional(named("at::Scalar")), optional(named("at::Tensor"))

    def when_there(made: str) -> Callable[[str], str]:
        return lambda x: f"{x}.has_value() ? {spelling.make_optional}({made.format(x)}) : {spelling.nullopt}"

    def values(x: str) -> str:
        return f"{x}.vec()"

    return {
        ints: ((named("at::IntArrayRef"), values),),
        vector(named("c10::SymInt")): ((named("c10::SymIntArrayRef"), values),),
        optional(ints): ((named("at::OptionalIntArrayRef"), when_there("{}->vec()")),),
        **{type: ((types.const_ref(type), as_it_is),) for type in (named("at::Tensor"), named("at::Scalar"))},
        some_scalar: (
            (types.const_ref(some_scalar), as_it_is),
            (named("at::OptionalScalarRef"), when_there("{}")),
        ),
        some_tensor: (
            (types.const_ref(some_tensor), as_it_is),
            (named("at::OptionalTensorRef"), when_there("{}")),
        ),
    }


def _options_parts(types: CppTypes) -> Mapping[tuple[str, CppType], tuple[str, str]]:
    named, optional, spelling = types.named, types.optional, types.release.spelling
    type, layout, device, pinned = map(named, ("at::ScalarType", "at::Layout", "at::Device", "bool"))
    return {
        ("dtype", optional(type)): (f"{spelling.opt_type_meta}(options.dtype_opt())", "{}.scalar_type()"),
        ("layout", optional(layout)): ("options.layout_opt()", "{}.layout()"),
        ("device", optional(device)): ("options.device_opt()", "{}.device()"),
        ("pin_memory", optional(pinned)): ("options.pinned_memory_opt()", spelling.nullopt),
        ("memory_format", optional(named("at::MemoryFormat"))): ("", ""),
        # torchgen refuses options that are not optional.
        ("dtype", type): ("c10::typeMetaToScalarType(options.dtype())", ""),
        ("layout", layout): ("options.layout()", ""),
        ("device", device): ("options.device()", ""),
        ("pin_memory", pinned): ("options.pinned_memory()", ""),
    }
