"""The operator structs of `at::_ops`: Operators.h, MethodOperators.h, ops/*_ops.h and the shards of Operators.cpp.

In: facts. Out: for each operator a struct with its name, schema and the functions `call` and `redispatch`, and their
definitions.

Rules: spec 08 section 3.
"""

from __future__ import annotations

from collections.abc import Iterator

from opwright.artifacts.emission import Emission, shard_of
from opwright.output.tree import OutputFile
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
    separator = ", " if definitions else ""
    return f"""{_out_of_line_constants(facts, emission)}
static C10_NOINLINE c10::TypedOperatorHandle<{name}::schema> create_{name}_typed_handle() {{
  return c10::Dispatcher::singleton()
      .findSchemaOrThrow({name}::name, {name}::overload_name)
      .typed<{name}::schema>();
}}

{returns} {name}::call({definitions}) {{
    static auto op = create_{name}_typed_handle();
    return op.call({names});
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


def headers(emission: Emission) -> Iterator[OutputFile]:
    """Operators.h and MethodOperators.h, which hold the structs or include the headers that do."""
    if emission.options.per_operator_headers:
        yield from _including_headers(emission)
        return
    methods: list[str] = []
    others: list[str] = []
    for facts in emission.facts.items:
        (methods if facts.operator.is_method else others).append(declaration(facts, emission))
    yield from emission.file(
        "MethodOperators.h", {"MethodOperators_includes": [], "MethodOperators_declarations": methods}
    )
    includes = ["#include <ATen/MethodOperators.h>"]
    yield from emission.file("Operators.h", {"Operators_includes": includes, "Operators_declarations": others})


def _including_headers(emission: Emission) -> Iterator[OutputFile]:
    roots = emission.roots
    with_methods = [root for root, items in roots.items() if any(facts.operator.is_method for facts in items)]
    yield from emission.file(
        "MethodOperators.h",
        # Sorted as lines, which is another order than that of the roots.
        {"MethodOperators_includes": sorted(map(ops_include, with_methods)), "MethodOperators_declarations": []},
    )
    includes = [ops_include(root) for root in sorted(roots)]
    yield from emission.file("Operators.h", {"Operators_includes": includes, "Operators_declarations": []})


def ops_include(root: str) -> str:
    """The line that includes the structs of a root name."""
    return f"#include <ATen/ops/{root}_ops.h>"


def per_operator_headers(emission: Emission) -> Iterator[OutputFile]:
    """ops/ROOT_ops.h for every root name."""
    if not emission.options.per_operator_headers:
        return
    for root, items in emission.roots.items():
        declarations = [declaration(facts, emission) for facts in items]
        yield from emission.file(f"ops/{root}_ops.h", {"declarations": declarations}, "Operator.h")


def sources(emission: Emission) -> Iterator[OutputFile]:
    """Operators_N.cpp, and OperatorsEverything.cpp on request."""
    include = {root: f"#include <ATen/ops/{root}.h>" for root in emission.roots}
    shards: list[list[Facts]] = [[] for _ in range(SHARDS)]
    number = {root: shard_of(root, SHARDS) for root in emission.roots}
    for facts in emission.facts.items:
        shards[number[facts.operator.name.root]].append(facts)
    files = [(f"Operators_{index}.cpp", shard) for index, shard in enumerate(shards)]
    if emission.options.everything:
        files.append(("OperatorsEverything.cpp", emission.facts.items))
    for path, items in files:
        values = {
            "operator_headers": [include[facts.operator.name.root] for facts in items],
            "static_dispatch_extra_headers": [],
            "definitions": [definition(facts, emission) for facts in items],
        }
        yield from emission.file(path, values, "Operators.cpp")
