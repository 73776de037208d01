"""The ufunc conventions: how inner loops, their stubs and CUDA functors take arguments.

In: a structured group with inner loops. Out: parameters of the stub, of a functor and of the user's function.

Rules: spec 06 section 10.
"""

from __future__ import annotations

from collections.abc import Iterable

from opwright.cpp.types import CppType, CppTypes
from opwright.model.model import Group
from opwright.signatures.bindings import Binding
from opwright.signatures.structured import StructuredConvention
from opwright.syntax.schema import Argument
from opwright.values import Value

#: The types in which the loops compute.
COMPUTE = "opmath_t"
ELEMENT = "scalar_t"
VECTOR = "at::vec::Vectorized<scalar_t>"


class FunctorArguments(Value):
    """The arguments of a CUDA functor: those that its constructor takes, and those of its call operator."""

    constructor: tuple[Argument, ...]
    call: tuple[Argument, ...]


class UfuncConvention:
    """The parameters of one run."""

    def __init__(self, structured: StructuredConvention) -> None:
        self.structured = structured
        self.types: CppTypes = structured.types

    def stub(self, group: Group) -> tuple[Binding, ...]:
        """The parameters of the dispatch stub: all that are no tensors."""
        return self.structured.bindings([item for item in group.out.schema.non_out if not is_tensor(item)])

    def computed(self, arguments: Iterable[Argument], compute: str) -> tuple[Binding, ...]:
        """The parameters of the user's function or of a functor: tensors and scalars in the type `compute`."""
        return tuple([Binding(item.name, item.name, self._computed(item, compute)) for item in arguments])

    def _computed(self, argument: Argument, compute: str) -> CppType:
        if argument.type.text in ("Tensor", "Scalar"):
            return self.types.named(compute)
        return self.structured.type(argument.type)


def is_tensor(argument: Argument) -> bool:
    """Whether an argument is a tensor."""
    return argument.type.text == "Tensor"


def functor_arguments(group: Group, scalar_tensor: int | None) -> FunctorArguments:
    """The arguments of a functor; the tensor with the index `scalar_tensor` is a number that its constructor takes."""
    constructor: list[Argument] = []
    call: list[Argument] = []
    index = 0
    for argument in group.functional.schema.non_out:
        if is_tensor(argument):
            (constructor if index == scalar_tensor else call).append(argument)
            index += 1
        else:
            constructor.append(argument)
    return FunctorArguments(tuple(constructor), tuple(call))
