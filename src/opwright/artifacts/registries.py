"""Lists of all operators: ATenOpList.cpp, aten_interned_strings.h, enum_tag.h, RegistrationDeclarations.h.

In: facts. Out: one line for each operator, name or tag.

Rules: spec 08 section 5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.model.model import Group
from opwright.model.operators import Operator
from opwright.releases.keys import (
    COMPOSITE_EXPLICIT,
    COMPOSITE_EXPLICIT_NON_FUNCTIONAL,
    COMPOSITE_IMPLICIT,
    COMPOSITE_IMPLICIT_NESTED,
)
from opwright.signatures.facts import Facts
from opwright.syntax.schema import Argument

#: Names that C++ reads as operators and that therefore cannot be symbols.
ALTERNATIVE_TOKENS = frozenset("and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq".split())

#: Keys under which one kernel serves any backend, besides the implicit one.
_SERVING = frozenset({COMPOSITE_EXPLICIT, COMPOSITE_EXPLICIT_NON_FUNCTIONAL})


def operator_list(emission: Emission) -> Iterator[Planned]:
    """core/ATenOpList.cpp."""

    def values() -> Values:
        lines = [
            f'{{"{emission.qualified(facts.operator)}", "{facts.operator.name.overload}"}},'
            for facts in emission.facts.items
        ]
        return {"aten_ops": lines}

    yield emission.file("core/ATenOpList.cpp", values, family="core")


def interned_strings(emission: Emission) -> Iterator[Planned]:
    """core/aten_interned_strings.h."""
    yield emission.file("core/aten_interned_strings.h", lambda: _strings(emission), family="core")


def _strings(emission: Emission) -> Values:
    operators = emission.model.operators
    symbols = {operator.name.base for operator in operators} | emission.roots.keys()
    arguments = set[Argument]().union(*[operator.schema.arguments for operator in operators])
    return {
        "aten_symbols": _symbols("aten", symbols - ALTERNATIVE_TOKENS),
        "attr_symbols": _symbols("attr", {argument.name for argument in arguments}),
    }


def _symbols(namespace: str, names: set[str]) -> str:
    return " \\\n".join([f"_({namespace}, {name})" for name in sorted(names)])


def tag_enumeration(emission: Emission) -> Iterator[Planned]:
    """core/enum_tag.h."""
    tags = ",\n".join(sorted(emission.model.tags))
    family = "header-only" if emission.model.release.header_only_tags else "core"
    yield emission.file("core/enum_tag.h", lambda: {"enum_of_valid_tags": tags}, family=family)


def registration_declarations(emission: Emission) -> Iterator[Planned]:
    """RegistrationDeclarations.h, whose comments are data for other programs."""
    yield emission.file("RegistrationDeclarations.h", lambda: _declarations(emission))


def _declarations(emission: Emission) -> Values:
    structured = structured_members(emission)
    qualified = emission.model.release.spelling.qualified_declarations
    lines = []
    for facts in emission.facts.items:
        operator = facts.operator
        dispatcher = facts.dispatcher
        schema = _json(facts, emission.namespace(operator))
        default = has_default(facts) or operator in structured
        out = "_out" if operator.schema.out else ""
        declared = f"{dispatcher.returns} {operator.name.base}{out}({dispatcher.definitions});"
        if not qualified:
            declared = re.sub(r"\bat::", "", declared)
        lines.append(
            f'{declared} // {{"schema": {schema}, "dispatch": "{needs_backend(facts)}", "default": "{default}"}}\n'
        )
    return {"registration_declarations": lines}


def _json(facts: Facts, namespace: str) -> str:
    """The schema with its namespace as a JSON string."""
    text, literal = facts.operator.schema.text, facts.schema_literal
    if text.isascii() and (len(literal) == len(text) + len('""') or text.isprintable()):
        return f'"{namespace}::{literal[1:]}'  # then JSON and C++ write strings alike
    from json import dumps

    return dumps(f"{namespace}::{text}")


def needs_backend(facts: Facts) -> bool:
    """Whether an operator has other kernels than implicit composite ones."""
    kernels = facts.operator.kernels
    if len(kernels) > 2 or not facts.operator.is_composite_implicit:
        return True
    names = {key.name for key in kernels}
    return names not in ({COMPOSITE_IMPLICIT}, {COMPOSITE_IMPLICIT, COMPOSITE_IMPLICIT_NESTED})


def has_default(facts: Facts) -> bool:
    """Whether an operator has a kernel that serves any backend."""
    if facts.operator.is_composite_implicit:
        return True
    return any([key.name in _SERVING for key in facts.operator.kernels])


def structured_members(emission: Emission) -> set[Operator]:
    """The functional and in-place operators of structured groups, which get kernels for every backend."""
    found: set[Operator] = set()
    for item in emission.model.groups:
        if isinstance(item, Group) and item.is_structured:
            found.update(member for member in (item.functional, item.inplace) if member)
    return found
