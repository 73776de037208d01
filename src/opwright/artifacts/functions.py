"""The public C++ functions: Functions.h, ops/ROOT.h, RedispatchFunctions.h, Functions.cpp.

In: facts. Out: inline functions that call the operator structs.

Rules: spec 08 sections 4.1, 4.3 and 4.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.includes import function_include, ops_include
from opwright.artifacts.static_dispatch import extra_headers, operator_headers
from opwright.signatures.facts import Facts


def base_name(facts: Facts) -> str:
    """The name of an operator's functions; those of an operator that is bound by hand are kept out of its way."""
    name = facts.operator.name.base
    return f"__dispatch_{name}" if facts.operator.manual_cpp_binding else name


#: The tests whether `T` is the integer type of a function, by whether that is symbolic.
IntegerTests = Mapping[bool, str]


def integer_tests(emission: Emission) -> IntegerTests:
    """The tests of a release."""
    is_same = emission.model.release.spelling.is_same
    return {True: is_same.format("c10::SymInt"), False: is_same.format("int64_t")}


def functions(facts: Facts, tests: IntegerTests) -> str:
    """The functions of an operator in `at`, and their forms by integer type in `at::symint`."""
    operator = facts.operator
    has_symint = facts.public[-1].is_symint
    if not operator.is_function and not has_symint:
        return ""
    base, struct = base_name(facts), operator.name.unambiguous
    parts = []
    for index, signature in enumerate(facts.public):
        body = f"return at::_ops::{struct}::call({facts.calls[index]});"
        if operator.is_function:
            parts.append(
                f"""inline {signature.returns} {base}{signature.suffix}({signature.declarations}) {{
    {body}
}}
"""
            )
        if has_symint:
            parts.append(
                f"""namespace symint {{
  template <typename T, typename = std::enable_if_t<{tests[signature.is_symint]}>>
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
        tests = integer_tests(emission)
        declarations = [functions(facts, tests) for facts in emission.facts.items]
    return {
        "static_dispatch_extra_headers": extra_headers(emission),
        "Functions_includes": includes,
        "Functions_declarations": declarations,
    }


def per_operator_headers(emission: Emission) -> Iterator[Planned]:
    """ops/ROOT.h for every root name."""
    if not emission.options.per_operator_headers:
        return
    tests = integer_tests(emission)
    for root, items in emission.roots.items():
        values = partial(_root_values, emission, root, items, tests)
        yield emission.file(f"ops/{root}.h", values, "Function.h", family="ops")


def _root_values(emission: Emission, root: str, items: Sequence[Facts], tests: IntegerTests) -> Values:
    return {
        "static_dispatch_ops_headers": operator_headers(items, emission),
        "operator_includes": ops_include(root),
        "function_definitions": [functions(facts, tests) for facts in items],
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
    for index, signature in enumerate(facts.public):
        call = facts.calls[index]
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
