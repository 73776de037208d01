"""The dispatcher convention: how `at::_ops` functions and the dispatcher pass arguments.

In: an operator. Out: its parameters in schema order, tensor options as four, out arguments last, without defaults,
symbolic integers on.

Rules: spec 06 section 5.
"""

from __future__ import annotations

from opwright.cpp.types import CONST_REF, SYMINT, TENSOR_LIST_REF
from opwright.model.operators import Operator
from opwright.signatures.bindings import Binding, Bindings
from opwright.values import Value


class DispatcherSignature(Value):
    """`returns` and `types` are what the function type is made of; `definitions` and `names` its parameters."""

    bindings: tuple[Binding, ...]
    returns: str
    types: str
    definitions: str
    names: str


def operator_flags(operator: Operator) -> int:
    """The flags that hold for every signature of an operator (spec 06 section 1.1)."""
    flags = 0
    if operator.const_ref_mutable:
        flags |= CONST_REF
    if operator.is_structured_member:
        flags |= TENSOR_LIST_REF
    return flags


def dispatcher_signature(
    operator: Operator, bindings: Bindings, flags: int, *, symint: bool = True
) -> DispatcherSignature:
    """The signature of an operator in the dispatcher convention; `flags` are those of `operator_flags`.

    Only kernels of backends outside PyTorch may do without `symint`, symbolic integers; what they return is symbolic
    nevertheless, but in older releases.
    """
    flags |= SYMINT if symint else 0
    returned_flags = flags if bindings.types.release.symint_returns else flags | SYMINT
    row = bindings.rows[flags].plain
    own = tuple(map(row.__getitem__, operator.schema.arguments))
    return DispatcherSignature(
        own,
        bindings.types.return_type(operator.schema.returns, returned_flags),
        ", ".join([binding.type.text for binding in own]),
        ", ".join([binding.definition for binding in own]),
        ", ".join([binding.name for binding in own]),
    )
