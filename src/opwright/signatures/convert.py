"""Conversions: from the values in scope to the arguments that a call wants.

In: values in scope, each with what it stands for and its type, and the parameters of the function to call. Out: one
expression for each of them.

    at::IntArrayRef size  ->  c10::SymIntArrayRef size:  c10::fromIntArrayRefSlow(size)

Rules: spec 07. Which conversions there are is data, in `conversions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opwright.cpp.types import CppType, CppTypes
from opwright.memo import Memo
from opwright.signatures.bindings import PRMF, Binding
from opwright.signatures.conversions import ConversionTable

SELF_IN_METHOD = "const_cast<Tensor&>(*this)"

#: What is in scope: expressions by meaning and type.
Scope = dict[tuple[str, CppType], str]


class NoConversionError(ValueError):
    """Nothing in scope gives an argument that a call wants."""

    def __init__(self, wanted: Binding, scope: Scope) -> None:
        have = ", ".join(f"{type} {meaning}" for meaning, type in scope)
        super().__init__(f"nothing in scope gives '{wanted.definition}'; in scope: {have}")


class Converter:
    """Converts arguments; the types are those of one run."""

    def __init__(self, types: CppTypes) -> None:
        self.types = types
        self.table = ConversionTable(types)
        self._single = Memo[tuple[Binding, Binding], str](lambda pair: self.call(pair[:1], pair[1:]))

    def scope(self, bindings: Iterable[Binding]) -> Scope:
        """The scope in which these parameters are."""
        scope: Scope = {}
        for binding in bindings:
            self.add(scope, binding.name, binding.meaning, binding.type)
        return scope

    def add(self, scope: Scope, expression: str, meaning: str, type: CppType) -> None:
        """Put a value into a scope, and with it what it gives in other types; a later value replaces an earlier one."""
        scope[meaning, type] = expression
        row = self.table.derived.get(type)
        if row is not None:
            scope[meaning, row[0]] = row[1](expression)

    def add_self(self, scope: Scope) -> None:
        """Put `self` into the scope of a method of Tensor, where it is `*this`."""
        scope["self", self.table.written_tensor] = scope["self", self.table.read_tensor] = SELF_IN_METHOD

    def call(self, scope: Sequence[Binding], wanted: Sequence[Binding]) -> str:
        """The arguments of a call from where the parameters `scope` are to a function with the parameters `wanted`."""
        return ", ".join(self.arguments(self.scope(scope), wanted))

    def arguments(self, scope: Scope, wanted: Iterable[Binding], *, owning: bool = False) -> list[str]:
        """The arguments of a call to a function with the parameters `wanted`.

        With `owning`, views of several values may be copied into vectors. Raises `NoConversionError`.
        """
        arguments = []
        for binding in wanted:
            expression = scope.get((binding.meaning, binding.type))  # most are there as they are wanted
            if expression is None:
                expression = self._solve(scope, binding.meaning, binding.type, owning)
            if expression is None:
                raise NoConversionError(binding, scope)
            arguments.append(expression)
        return arguments

    def one_by_one(self, scope: Sequence[Binding], wanted: Sequence[Binding]) -> list[str]:
        """What `arguments` gives for functions that take the same in the same order, in other types perhaps.

        Each argument then follows from its parameter alone, and is remembered.
        """
        single = self._single
        return [
            have.name if have.type is want.type else single[have, want]
            for have, want in zip(scope, wanted, strict=True)
        ]

    def _solve(self, scope: Scope, meaning: str, type: CppType, owning: bool) -> str | None:
        """The expression for one argument by any conversion there is."""
        found = self._direct(scope, meaning, type)
        if found is not None:
            return found
        if type.target is not None:  # a value serves as a reference, and a mutable reference as a const one
            inner = self.types.ref(type.target) if type.is_const else type.target
            found = self._solve(scope, meaning, inner, owning)
            if found is not None:
                return found
        table = self.table
        if type is table.long_array_ref:
            return self._solve(scope, meaning, table.int_array_ref, owning)
        if (meaning, type) in table.options_parts:
            return self._options_part(scope, meaning, type)
        if type is table.options and meaning == "options":
            return self._options(scope)
        rows = table.by_type.get(type)
        if rows is None and owning:
            rows = table.owning.get(type)
        if rows is not None:
            made = (row[1](x) for row in rows if (x := self._direct(scope, meaning, row[0])) is not None)
            return next(made, None)
        if type is table.written_tensor:
            constant = self._direct(scope, meaning, table.read_tensor)
            return None if constant is None else f"const_cast<Tensor&>({constant})"
        return None

    def _direct(self, scope: Scope, meaning: str, type: CppType) -> str | None:
        """What is in scope as it is, or serves by reference."""
        found = scope.get((meaning, type))
        if found is None and type.target is not None:
            if type.is_const:
                found = scope.get((meaning, self.types.ref(type.target)))
            if found is None:
                return self._direct(scope, meaning, type.target)
        if found is None and type is self.table.long_array_ref:
            return self._direct(scope, meaning, self.table.int_array_ref)
        return found

    def _options(self, scope: Scope) -> str | None:
        """Packed tensor options made of the four arguments."""
        parts = [scope.get(part) for part in self.table.options_order]
        if None in parts:
            return None
        dtype, pin_memory, device, layout = parts
        return f"TensorOptions().dtype({dtype}).layout({layout}).device({device}).pinned_memory({pin_memory})"

    def _options_part(self, scope: Scope, meaning: str, type: CppType) -> str | None:
        """One of the arguments that packed tensor options stand for, taken from them or from the out argument."""
        table = self.table
        packed = ("options", table.options) in scope
        if meaning == "memory_format":
            own = scope.get((PRMF, type))
            if own is not None and packed:
                return f"c10::impl::check_tensor_options_and_extract_memory_format(options, {own})"
            return own
        from_options, from_out = table.options_parts[meaning, type]
        if packed:
            return from_options
        out = self._direct(scope, "out", table.read_tensor)
        return None if out is None or not from_out else from_out.format(out)
