"""The structured convention: how meta functions and the impl functions of structured kernels take arguments.

In: a structured group. Out: the parameters of `meta` and of `impl`, without defaults, symbolic integers off.

    Tensor? weight  ->  at::OptionalTensorRef weight

Rules: spec 06 section 7.
"""

from __future__ import annotations

from collections.abc import Iterable

from opwright.cpp.types import CppType, CppTypes
from opwright.model.model import Group
from opwright.model.operators import Precomputed
from opwright.signatures.bindings import Binding, BindingRow
from opwright.syntax.schema import Argument
from opwright.syntax.types import Form, Type


class StructuredConvention:
    """The parameters of one run, each made once."""

    def __init__(self, types: CppTypes) -> None:
        named, optional = types.named, types.optional
        self.types = types
        self._bindings = BindingRow(lambda argument: Binding(argument.name, argument.name, self.type(argument.type)))
        self._by_text = {
            "Tensor": types.const_ref(named("at::Tensor")),
            "Tensor?": named("at::OptionalTensorRef"),
            "Scalar": types.const_ref(named("at::Scalar")),
            "Scalar?": named("at::OptionalScalarRef"),
            "int[]?": named("at::OptionalIntArrayRef"),
        }
        self._lists = {
            "Tensor": types.const_ref(named("at::ITensorListRef")),
            "Tensor?": named("at::IOptTensorListRef"),
            "int": named("at::IntArrayRef"),
        }
        self._optional = optional

    def binding(self, argument: Argument) -> Binding:
        """The parameter for an argument."""
        return self._bindings[argument]

    def type(self, type: Type) -> CppType:
        """The type of a parameter for an argument of `type`."""
        known = self._by_text.get(type.text) or self.types.value(type, 0)
        if known is not None:
            return known
        element = type.element
        assert element is not None  # all that are neither optional nor lists are in the table or values
        if type.form is Form.LIST:
            return self._lists.get(element.text) or self.types.array_ref(self.type(element))
        if element.form is Form.LIST and element.element is not None and element.element.text == "int":
            return self._by_text["int[]?"]
        return self._optional(self.type(element))

    def bindings(self, arguments: Iterable[Argument]) -> tuple[Binding, ...]:
        """The parameters for several arguments."""
        return tuple(map(self._bindings.__getitem__, arguments))

    def meta(self, group: Group) -> tuple[Binding, ...]:
        """The parameters of `meta`: the arguments of the functional variant."""
        return self.bindings(group.functional.schema.non_out)

    def impl(self, group: Group, precomputed: Precomputed | None) -> tuple[Binding, ...]:
        """The parameters of `impl`: the arguments of the out variant, with what is precomputed in place of some."""
        return self.bindings(self.impl_arguments(group, precomputed)) + self.bindings(group.out.schema.out)

    def impl_arguments(self, group: Group, precomputed: Precomputed | None) -> list[Argument]:
        """The arguments before the out arguments, with what is precomputed in place of some."""
        schema = group.out.schema
        if precomputed is None:
            return list(schema.non_out)
        arguments: list[Argument] = []
        for argument in schema.non_out:
            replaced = None if argument is schema.self_argument else precomputed.replaced.get(argument.name)
            arguments += (argument,) if replaced is None else replaced
        return [*arguments, *precomputed.added]


def precomputed_arguments(precomputed: Precomputed | None) -> tuple[Argument, ...]:
    """What the meta function computes for the impl function: what replaces arguments, in YAML order, then the rest."""
    if precomputed is None:
        return ()
    return tuple([item for items in precomputed.replaced.values() for item in items]) + precomputed.added
