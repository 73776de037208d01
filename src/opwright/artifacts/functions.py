"""The public C++ functions: Functions.h, ops/ROOT.h, RedispatchFunctions.h, Functions.cpp.

In: facts. Out: inline functions that call the operator structs.

Rules: spec 08 sections 4.1, 4.3 and 4.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.includes import function_include, ops_include
from opwright.artifacts.static_dispatch import extra_headers, operator_headers
from opwright.signatures.facts import Facts


def base_name(facts: Facts) -> str:
    """The name of an operator's functions; those of an operator that is bound by hand are kept out of its way."""
    name = facts.operator.name.base
    return f"__dispatch_{name}" if facts.operator.manual_cpp_binding else name


def functions(facts: Facts, is_same: str) -> str:
    """The functions of an operator in `at`, and their forms by integer type in `at::symint`."""
    operator = facts.operator
    has_symint = facts.public[-1].is_symint
    if not operator.is_function and not has_symint:
        return ""
    base, struct = base_name(facts), operator.name.unambiguous
    parts = []
    for signature, call in zip(facts.public, facts.calls, strict=True):
        body = f"return at::_ops::{struct}::call({call});"
        if operator.is_function:
            parts.append(
                f"""inline {signature.returns} {base}{signature.suffix}({signature.declarations}) {{
    {body}
}}
"""
            )
        if has_symint:
            integer = "c10::SymInt" if signature.is_symint else "int64_t"
            parts.append(
                f"""namespace symint {{
  template <typename T, typename = std::enable_if_t<{is_same.format(integer)}>>
  {signature.returns} {base}{signature.plain_suffix}({signature.declarations}) {{
    {body}
  }}
}}
"""
            )
    return "\n".join(parts)


def functions_header(emission: Emission) -> Iterator[Planned]:
    """Functions.h."""
    yield emission.file("Functions.h", lambda: _functions_values(emission))


def _functions_values(emission: Emission) -> Values:
    if emission.options.per_operator_headers:
        includes = [function_include(root) for root in sorted(emission.roots)]
        declarations: list[str] = []
    else:
        includes = ["#include <ATen/Operators.h>"]
        is_same = emission.model.release.spelling.is_same
        declarations = [functions(facts, is_same) for facts in emission.facts.items]
    return {
        "static_dispatch_extra_headers": extra_headers(emission),
        "Functions_includes": includes,
        "Functions_declarations": declarations,
    }


def per_operator_headers(emission: Emission) -> Iterator[Planned]:
    """ops/ROOT.h for every root name."""
    if not emission.options.per_operator_headers:
        return
    for root in emission.roots:
        yield emission.file(f"ops/{root}.h", partial(_root_values, emission, root), "Function.h", family="ops")


def _root_values(emission: Emission, root: str) -> Values:
    is_same = emission.model.release.spelling.is_same
    return {
        "static_dispatch_ops_headers": operator_headers(emission.roots[root], emission),
        "operator_includes": ops_include(root),
        "function_definitions": [functions(facts, is_same) for facts in emission.roots[root]],
    }


def redispatch_header(emission: Emission) -> Iterator[Planned]:
    """RedispatchFunctions.h."""

    def values() -> Values:
        return {"function_redispatch_definitions": [redispatch(facts) for facts in emission.facts.items]}

    yield emission.file("RedispatchFunctions.h", values)


def redispatch(facts: Facts) -> str:
    """The functions of an operator that take the dispatch key set as their first parameter."""
    base, struct = base_name(facts), facts.operator.name.unambiguous
    parts = []
    for signature, call in zip(facts.public, facts.calls, strict=True):
        separator = ", " if signature.declarations else ""
        parameters = f"c10::DispatchKeySet dispatchKeySet{separator}{signature.declarations}"
        parts.append(
            f"""inline {signature.returns} {base}{signature.suffix}({parameters}) {{
    return at::_ops::{struct}::redispatch(dispatchKeySet{", " if call else ""}{call});
}}
"""
        )
    return "\n".join(parts)


def functions_source(emission: Emission) -> Iterator[Planned]:
    """Functions.cpp, which has no variables."""
    yield emission.file("Functions.cpp", dict)
