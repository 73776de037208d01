"""Functionalization kernels of operators that write: they call the functional variant, and put its results in place.

In: an operator that writes, with its group. Out: the text of its kernel.

Rules: spec 08 section 12.5.
"""

from __future__ import annotations

from collections.abc import Callable

from opwright.artifacts.emission import Emission
from opwright.artifacts.functional_arguments import (
    AS_META,
    IMPL,
    UNWRAPPED,
    aliased,
    fresh,
    parts,
    renamed_scope,
    return_line,
)
from opwright.cpp.types import SYMINT
from opwright.model.model import Group
from opwright.model.operators import Operator
from opwright.signatures.facts import Facts
from opwright.signatures.native import native_name
from opwright.syntax.schema import Kind, Schema


def _replace(name: str, value: str) -> str:
    return f"""    {IMPL}::replace_({name}, {value});
    {IMPL}::commit_update({name});
    {IMPL}::sync({name});
"""


def _tell_and_replace(name: str, value: str) -> str:
    return f"    {IMPL}::propagate_xla_data({name}, {value});\n{_replace(name, value)}"


def _replace_and_tell(name: str, value: str) -> str:
    return f"""    auto {name}_inner = {IMPL}::from_functional_tensor({name});
{_replace(name, value)}    auto {name}_inner_updated = {IMPL}::from_functional_tensor({name});
    {IMPL}::propagate_xla_data_direct({name}_inner, {name}_inner_updated);
"""


#: The lines that put a result in place of a written argument, by how XLA is told of it.
_UPDATES = {"": _replace, "each": _tell_and_replace, "direct": _replace_and_tell}


def mutation_kernel(operator: Operator, group: Group, emission: Emission) -> str:
    """The kernel of a member of a group that writes to its arguments."""
    facts = emission.facts.by_operator[operator]
    texts = emission.functional.of(facts)
    schema, struct = operator.schema, operator.name.unambiguous
    arguments = schema.arguments
    unwrapped, on_meta = [texts.names[suffix].join(arguments, ", ") for suffix in (UNWRAPPED, AS_META)]
    separator = ", " if facts.dispatcher.definitions else ""
    checks_shapes = schema.kind is Kind.INPLACE and all([item.type.text != "Storage" for item in arguments])
    functional = emission.facts.by_operator[group.functional]
    plain_call = f"at::_ops::{struct}::call({unwrapped});"
    release = emission.model.release.functionalization
    updates = _updates(schema, group.functional.schema, _UPDATES[release.xla_updates])
    is_xla = f"!({_any_is_xla(operator)}) && " if release.xla_updates else ""
    assigned = f"{texts.returns[schema.returns]} tmp_output = " if schema.returns else ""
    return f"""{facts.dispatcher.returns} {native_name(operator)}(c10::DispatchKeySet dispatchKeySet{separator}{
        facts.dispatcher.definitions
    }) {{
  if ({"true" if checks_shapes else "false"}{" && !disable_meta_reference()" if release.meta_switch else ""}) {{
    // The operator itself finds faults of its arguments, before the functional variant gives a result of other sizes.
{texts.as_meta.join(arguments)}    at::AutoDispatchSkipFunctionalize func_guard;
    c10::impl::ExcludeDispatchKeyGuard guard(exclude_keys_for_meta_dispatch);
    at::_ops::{struct}::call({on_meta});
  }}
{texts.synced.join(arguments)}  if (!(true{texts.written.join(arguments)})) {{
    if ({is_xla}(false{texts.read.join(arguments)})) {{
     TORCH_INTERNAL_ASSERT(false,
       "mutating a non-functional tensor with a functional tensor is not allowed.",
       " Please ensure that all of your inputs are wrapped inside of a functionalize() call.");
    }} else {{
     at::AutoDispatchSkipFunctionalize guard;
     {assigned}{plain_call}
{return_line("     ", facts, aliased(schema) + fresh(schema, "tmp_output"), release.plain_call_end)}    }}
  }} else {{
    {emission.functional.of(functional).returns[group.functional.schema.returns]} tmp_output;
    {{
      at::AutoDispatchSkipFunctionalize guard;
      tmp_output = at::_ops::{group.functional.name.unambiguous}::call({_to_functional(facts, functional, emission)});
    }}
{updates}{return_line("    ", facts, aliased(schema) + _outputs(schema))}  }}
}}
"""


def _outputs(schema: Schema) -> list[str]:
    return [f"output_{index}" for index in range(len(fresh(schema, "")))]


def _to_functional(facts: Facts, functional: Facts, emission: Emission) -> str:
    """The arguments with which the functional variant is called."""
    row = emission.facts.bindings.rows[facts.flags | SYMINT].plain
    wanted = [row[argument] for argument in functional.operator.schema.arguments]
    arguments = emission.facts.converter.arguments(renamed_scope(facts, UNWRAPPED, emission.facts.converter), wanted)
    if facts.operator.name.text in emission.model.release.lists.dtype_of_out:
        at = [binding.name for binding in wanted].index("dtype")
        out = facts.operator.schema.out[0].name
        dtype = arguments[at]
        arguments[at] = f"{dtype}.has_value() ? {dtype} : std::optional<at::ScalarType>({out}_.scalar_type())"
    return ", ".join(arguments)


def _updates(schema: Schema, functional: Schema, update: Callable[[str, str], str]) -> str:
    """The lines that put results in place: first those that are returned, then one for each written argument."""
    values = parts("tmp_output", len(functional.returns))
    count = len(fresh(schema, ""))
    lines = [
        f"    auto output_{index} = {IMPL}::to_functional_tensor({value});\n"
        for index, value in enumerate(values[:count])
    ]
    written = [argument.name for argument in schema.arguments if argument.is_write]
    lines += [update(name, value) for name, value in zip(written, values[count:], strict=True)]
    return "".join(lines)


def _any_is_xla(operator: Operator) -> str:
    plain = [item.name for item in operator.schema.arguments if item.type.text == "Tensor" and not item.annotation]
    return "false" + "".join([f" || {name}.device().type() == c10::DeviceType::XLA" for name in plain])
