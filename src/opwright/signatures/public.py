"""The public C++ convention: the functions and methods that users of the library call.

In: an operator. Out: its signature group, up to four signatures in order: plain, plain faithful, symint, symint
faithful. A faithful signature has the schema's order and no packed options; it exists where the other differs.

    full.out  ->  full_out(out, size, fill_value), full_outf(size, fill_value, out), and both with symbolic integers

Rules: spec 06 section 4.
"""

from __future__ import annotations

from opwright.cpp.types import SYMINT
from opwright.model.operators import Operator
from opwright.signatures.bindings import Binding, Bindings
from opwright.syntax.schema import Argument
from opwright.values import Value


class PublicSignature(Value):
    """One public signature.

    `suffix` is what follows the base name (`_symint_out`, say) and `plain_suffix` the same without `_symint`.
    `declarations` are the parameters with defaults, `definitions` those without.
    """

    is_symint: bool
    returns: str
    bindings: tuple[Binding, ...]
    suffix: str
    plain_suffix: str
    declarations: str
    definitions: str

    def without_self(self) -> tuple[Binding, ...]:
        """The parameters of the method."""
        return tuple([binding for binding in self.bindings if binding.meaning != "self"])


def public_signatures(
    operator: Operator, bindings: Bindings, flags: int, returns: str, symint_returns: bool
) -> list[PublicSignature]:
    """The signature group; `returns` is the return type.

    With `symint_returns`, that is the one with symbolic integers, and the other signatures have one of their own.
    """
    schema = operator.schema
    has_faithful = schema.has_options or bool(schema.out)
    has_symint = schema.has_symint or (symint_returns and any([item.type.base == "SymInt" for item in schema.returns]))
    group: list[PublicSignature] = []
    for is_symint in (False, True) if has_symint else (False,):
        own_flags = flags | SYMINT if is_symint else flags
        has_own = symint_returns and not is_symint
        own_returns = bindings.types.return_type(schema.returns, own_flags) if has_own else returns
        mark = "_symint" if is_symint else ""
        out = "_out" if schema.out else ""
        own = _unfaithful(operator, bindings, own_flags)
        group.append(
            PublicSignature(
                is_symint,
                own_returns,
                own,
                mark + out,
                out,
                ", ".join([binding.declaration for binding in own]),
                ", ".join([binding.definition for binding in own]),
            )
        )
        if has_faithful:
            own = _faithful(operator, bindings, own_flags)
            definitions = ", ".join([binding.definition for binding in own])
            out = "_outf" if schema.out else ""
            group.append(PublicSignature(is_symint, own_returns, own, mark + out, out, definitions, definitions))
    return group


def _faithful(operator: Operator, bindings: Bindings, flags: int) -> tuple[Binding, ...]:
    rows = bindings.rows[flags]
    if not operator.schema.has_options:
        return tuple(map(rows.plain.__getitem__, operator.schema.arguments))
    return tuple(
        [
            (rows.redundant if argument.name == "memory_format" else rows.plain)[argument]
            for argument in operator.schema.arguments
        ]
    )


def _unfaithful(operator: Operator, bindings: Bindings, flags: int) -> tuple[Binding, ...]:
    schema = operator.schema
    rows = bindings.rows[flags]
    dropped = operator.cpp_no_default_args
    if not schema.has_options and not dropped:
        own = tuple(map(rows.defaulted.__getitem__, schema.non_out))
        return tuple(map(rows.plain.__getitem__, schema.out)) + own if schema.out else own

    def one(argument: Argument) -> Binding:
        if schema.has_options and argument.name == "memory_format":
            return (rows.redundant if argument.name in dropped else rows.redundant_defaulted)[argument]
        return (rows.plain if argument.name in dropped else rows.defaulted)[argument]

    if not schema.has_options:
        return tuple(map(one, schema.out + schema.non_out))
    at = schema.options_index
    return (
        *map(one, schema.positional),
        *map(one, schema.keyword[:at]),
        bindings.options(schema.keyword[at : at + 4]),
        *map(one, schema.keyword[at + 4 :]),
    )
