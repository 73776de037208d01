"""The native convention: how the library's own kernels are declared and called.

In: an operator, and whether its kernel takes symbolic integers. Out: its parameters in schema order, tensor options as
four, out arguments last, with the defaults of the schema unless it has out arguments.

Rules: spec 06 section 6.
"""

from __future__ import annotations

from collections.abc import Sequence

from opwright.cpp.types import NATIVE, SYMINT
from opwright.model.operators import Operator
from opwright.signatures.bindings import Binding, Bindings
from opwright.signatures.public import PublicSignature
from opwright.syntax.schema import Argument, Schema
from opwright.syntax.types import Form
from opwright.values import Value


class NativeSignature(Value):
    """`declarations` are the parameters with defaults, `definitions` those without."""

    returns: str
    bindings: tuple[Binding, ...]
    declarations: str
    definitions: str

    @property
    def pointer(self) -> str:
        """The type of a pointer to such a function."""
        return f"{self.returns} (*)({self.definitions})"


def native_name(operator: Operator) -> str:
    """The name by which wrappers of an operator are told apart: that of the dispatcher and that of the overload."""
    name = operator.name
    out = "_out" if operator.schema.out else ""
    return f"{name.base}{out}_{name.overload}" if name.overload else name.base + out


def native_signature(
    operator: Operator,
    public: Sequence[PublicSignature],
    bindings: Bindings,
    flags: int,
    returns: str,
    *,
    symint: bool,
) -> NativeSignature:
    """The signature of an operator's kernels; `flags` are those of `operator_flags`, `returns` is the return type.

    Most kernels take what the most faithful of the `public` functions take, with symbolic integers or without.
    """
    schema = operator.schema
    if not (schema.has_options or operator.cpp_no_default_args or _has_annotated_optional(schema)):
        same = public[-1] if symint or not public[-1].is_symint else public[len(public) // 2 - 1]
        return NativeSignature(returns, same.bindings, same.declarations, same.definitions)
    flags |= NATIVE | SYMINT if symint else NATIVE
    rows = bindings.rows[flags]
    if schema.out:
        own = tuple(map(rows.plain.__getitem__, schema.arguments))
    elif schema.has_options:
        own = tuple([_beside_options(argument, operator, bindings, flags) for argument in schema.arguments])
    else:
        own = tuple(map(rows.defaulted.__getitem__, schema.arguments))
    return NativeSignature(
        returns=returns,
        bindings=own,
        declarations=", ".join([binding.declaration for binding in own]),
        definitions=", ".join([binding.definition for binding in own]),
    )


def _has_annotated_optional(schema: Schema) -> bool:
    """Whether there is a type like `Tensor(a!)?`, which kernels take as another type than public functions do."""
    return ")?" in schema.text or "?(" in schema.text


def _beside_options(argument: Argument, operator: Operator, bindings: Bindings, flags: int) -> Binding:
    """A parameter of an operator with tensor options; those that are optional have the default `{}`, always.

    torchgen refuses options that are not optional.
    """
    at = operator.schema.options_index
    if argument.type.form is Form.OPTIONAL and argument in operator.schema.keyword[at : at + 4]:
        plain = bindings.rows[flags].plain[argument]
        return Binding(plain.name, plain.meaning, plain.type, "{}")
    return bindings.rows[flags].defaulted[argument]
