"""The operator structs of `at::_ops`: Operators.h, MethodOperators.h, ops/*_ops.h and the shards of Operators.cpp.

In: facts. Out: for each operator a struct with its name, schema and the functions `call` and `redispatch`, and their
definitions.

Rules: spec 08 section 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.includes import function_include, ops_include
from opwright.artifacts.static_dispatch import call_body, extra_headers
from opwright.signatures.facts import Facts

SHARDS = 5


def declaration(facts: Facts, emission: Emission) -> str:
    """The struct of an operator."""
    operator, dispatcher = facts.operator, facts.dispatcher
    returns, types = dispatcher.returns, dispatcher.types
    separator = ", " if dispatcher.definitions else ""
    return f"""struct TORCH_API {operator.name.unambiguous} {{
  using schema = {returns} ({types});
  using ptr_schema = schema*;
{_constants(facts, emission)}  static {returns} call({dispatcher.definitions});
  static {returns} redispatch(c10::DispatchKeySet dispatchKeySet{separator}{dispatcher.definitions});
}};
"""


def _constants(facts: Facts, emission: Emission) -> str:
    name = facts.operator.name
    qualified = emission.qualified(facts.operator)
    if emission.model.release.spelling.constexpr_members:
        return f"""  static constexpr const char* name = "{qualified}";
  static constexpr const char* overload_name = "{name.overload}";
  static constexpr const char* schema_str = {facts.schema_literal};
"""
    return f"""  STATIC_CONSTEXPR_STR_INL_EXCEPT_WIN_CUDA(name, "{qualified}")
  STATIC_CONSTEXPR_STR_INL_EXCEPT_WIN_CUDA(overload_name, "{name.overload}")
  STATIC_CONSTEXPR_STR_INL_EXCEPT_WIN_CUDA(schema_str, {facts.schema_literal})
"""


def definition(facts: Facts, emission: Emission) -> str:
    """The definitions of an operator's functions."""
    name, dispatcher = facts.operator.name.unambiguous, facts.dispatcher
    returns, definitions, names = dispatcher.returns, dispatcher.definitions, dispatcher.names
    call = f"static auto op = create_{name}_typed_handle();\n    return op.call({names});"
    if emission.options.static_dispatch:
        call = call_body(facts, emission)
    separator = ", " if definitions else ""
    return f"""{_out_of_line_constants(facts, emission)}
static C10_NOINLINE c10::TypedOperatorHandle<{name}::schema> create_{name}_typed_handle() {{
  return c10::Dispatcher::singleton()
      .findSchemaOrThrow({name}::name, {name}::overload_name)
      .typed<{name}::schema>();
}}

{returns} {name}::call({definitions}) {{
    {call}
}}

{returns} {name}::redispatch(c10::DispatchKeySet dispatchKeySet{separator}{definitions}) {{
    static auto op = create_{name}_typed_handle();
    return op.redispatch(dispatchKeySet{separator}{names});
}}
"""


def _out_of_line_constants(facts: Facts, emission: Emission) -> str:
    if emission.model.release.spelling.constexpr_members:
        return ""
    name = facts.operator.name
    struct = name.unambiguous
    qualified = emission.qualified(facts.operator)
    return f"""STATIC_CONST_STR_OUT_OF_LINE_FOR_WIN_CUDA({struct}, name, "{qualified}")
STATIC_CONST_STR_OUT_OF_LINE_FOR_WIN_CUDA({struct}, overload_name, "{name.overload}")
STATIC_CONST_STR_OUT_OF_LINE_FOR_WIN_CUDA({struct}, schema_str, {facts.schema_literal})
"""


def headers(emission: Emission) -> Iterator[Planned]:
    """Operators.h and MethodOperators.h, which hold the structs or include the headers that do."""
    per_operator = emission.options.per_operator_headers
    methods, others = (_method_includes, _includes) if per_operator else (_method_structs, _other_structs)
    yield emission.file("MethodOperators.h", lambda: methods(emission))
    yield emission.file("Operators.h", lambda: others(emission))


def _method_structs(emission: Emission) -> Values:
    structs = [declaration(facts, emission) for facts in emission.facts.items if facts.operator.is_method]
    return {"MethodOperators_includes": [], "MethodOperators_declarations": structs}


def _other_structs(emission: Emission) -> Values:
    structs = [declaration(facts, emission) for facts in emission.facts.items if not facts.operator.is_method]
    return {"Operators_includes": ["#include <ATen/MethodOperators.h>"], "Operators_declarations": structs}


def _method_includes(emission: Emission) -> Values:
    roots = [root for root, items in emission.roots.items() if any(facts.operator.is_method for facts in items)]
    # Sorted as lines, which is another order than that of the roots.
    return {"MethodOperators_includes": sorted(map(ops_include, roots)), "MethodOperators_declarations": []}


def _includes(emission: Emission) -> Values:
    return {"Operators_includes": [ops_include(root) for root in sorted(emission.roots)], "Operators_declarations": []}


def per_operator_headers(emission: Emission) -> Iterator[Planned]:
    """ops/ROOT_ops.h for every root name."""
    if not emission.options.per_operator_headers:
        return
    for root, items in emission.roots.items():
        values = partial(_structs, emission, items)
        yield emission.file(f"ops/{root}_ops.h", values, "Operator.h", family="ops")


def _structs(emission: Emission, items: list[Facts]) -> Values:
    return {"declarations": [declaration(facts, emission) for facts in items]}


def sources(emission: Emission) -> Iterator[Planned]:
    """Operators_N.cpp, and OperatorsEverything.cpp on request."""
    items = [(facts.operator.name.root, facts) for facts in emission.facts.items]
    extra = extra_headers(emission)

    def make(facts: Facts) -> tuple[str, str]:
        return function_include(facts.operator.name.root), definition(facts, emission)

    def values(made: list[tuple[str, str]]) -> Values:
        return {
            "operator_headers": [include for include, _ in made],
            "static_dispatch_extra_headers": extra,
            "definitions": [text for _, text in made],
        }

    yield from emission.sharded("Operators.cpp", SHARDS, items, make, values)
