"""Conversions: from the parameters in scope to the arguments that a call wants.

In: the bindings in scope and the bindings of the function to call. Out: one expression for each of them.

    at::IntArrayRef size  ->  c10::SymIntArrayRef size:  c10::fromIntArrayRefSlow(size)

Rules: spec 07; the rows here are those that public signatures need to call the dispatcher.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from opwright.cpp.types import CppType, CppTypes
from opwright.signatures.bindings import PRMF, Binding

#: What is in scope: expressions by meaning and type.
Scope = dict[tuple[str, CppType], str]

#: A conversion by the type wanted: the type that is needed for it and the expression made from that.
Row = tuple[CppType, Callable[[str], str]]

SELF_IN_METHOD = "const_cast<Tensor&>(*this)"


class NoConversionError(ValueError):
    """Nothing in scope gives an argument that a call wants."""

    def __init__(self, wanted: Binding, scope: Sequence[Binding]) -> None:
        have = ", ".join(binding.definition for binding in scope)
        super().__init__(f"nothing in scope gives '{wanted.definition}'; in scope: {have}")


class Converter:
    """Converts arguments; the types are those of one run."""

    def __init__(self, types: CppTypes) -> None:
        named, spelling = types.named, types.release.spelling
        self.types = types
        self.tensor = named("at::Tensor")
        self.options = named("at::TensorOptions")
        self.memory_format = types.optional(named("at::MemoryFormat"))

        def optional_symint(x: str) -> str:
            return f"{x}.has_value() ? {spelling.make_optional}(c10::SymInt(*{x})) : {spelling.nullopt}"

        def optional_symint_list(x: str) -> str:
            made = f"{spelling.make_optional}(c10::fromIntArrayRefSlow(*{x}))"
            return f"{x}.has_value() ? {made} : {spelling.nullopt}"

        #: Conversions between types of one argument.
        self.by_type: Mapping[CppType, Row] = {
            named("c10::SymIntArrayRef"): (named("at::IntArrayRef"), lambda x: f"c10::fromIntArrayRefSlow({x})"),
            named("c10::SymInt"): (named("int64_t"), lambda x: x),
            types.optional(named("c10::SymInt")): (types.optional(named("int64_t")), optional_symint),
            named("at::OptionalSymIntArrayRef"): (named("at::OptionalIntArrayRef"), optional_symint_list),
        }
        #: What packed tensor options give, by the argument wanted and its type.
        self.from_options: Mapping[tuple[str, CppType], str] = {
            ("dtype", types.optional(named("at::ScalarType"))): f"{spelling.opt_type_meta}(options.dtype_opt())",
            ("layout", types.optional(named("at::Layout"))): "options.layout_opt()",
            ("device", types.optional(named("at::Device"))): "options.device_opt()",
            ("pin_memory", types.optional(named("bool"))): "options.pinned_memory_opt()",
            # torchgen refuses options that are not optional.
            ("dtype", named("at::ScalarType")): "c10::typeMetaToScalarType(options.dtype())",
            ("layout", named("at::Layout")): "options.layout()",
            ("device", named("at::Device")): "options.device()",
            ("pin_memory", named("bool")): "options.pinned_memory()",
        }

    def call(self, scope: Sequence[Binding], wanted: Sequence[Binding], *, in_method: bool = False) -> str:
        """The arguments of a call to a function with the parameters `wanted`, joined.

        `in_method` says that the code is in a method of Tensor, where `self` is `*this`. Raises `NoConversionError`.
        """
        known: Scope = {(binding.meaning, binding.type): binding.name for binding in scope}
        if in_method:
            known["self", self.types.ref(self.tensor)] = SELF_IN_METHOD
            known["self", self.types.const_ref(self.tensor)] = SELF_IN_METHOD
        arguments = []
        for binding in wanted:
            expression = self._solve(known, binding.meaning, binding.type)
            if expression is None:
                raise NoConversionError(binding, scope)
            arguments.append(expression)
        return ", ".join(arguments)

    def _solve(self, scope: Scope, meaning: str, type: CppType) -> str | None:
        direct = self._direct(scope, meaning, type)
        if direct is not None:
            return direct
        if meaning == "memory_format" and type is self.memory_format:
            return self._memory_format(scope)
        from_options = self.from_options.get((meaning, type))
        if from_options is not None:
            return from_options if ("options", self.options) in scope else None
        row = self.by_type.get(type)
        if row is None:
            return None
        needed = self._direct(scope, meaning, row[0])
        return None if needed is None else row[1](needed)

    def _direct(self, scope: Scope, meaning: str, type: CppType) -> str | None:
        """What is in scope as it is: a value serves as a reference, and a mutable reference as a const one."""
        found = scope.get((meaning, type))
        if found is None and type.target is not None:
            if type.is_const:
                found = scope.get((meaning, self.types.ref(type.target)))
            if found is None:
                found = scope.get((meaning, type.target))
        return found

    def _memory_format(self, scope: Scope) -> str | None:
        own = scope.get((PRMF, self.memory_format))
        if own is not None and ("options", self.options) in scope:
            return f"c10::impl::check_tensor_options_and_extract_memory_format(options, {own})"
        return own
