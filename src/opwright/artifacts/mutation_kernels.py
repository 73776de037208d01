"""Functionalization kernels of operators that write: they call the functional variant, and put its results in place.

In: an operator that writes, with its group. Out: the text of its kernel.

Rules: spec 08 section 12.5.
"""

from __future__ import annotations

from collections.abc import Callable

from opwright.artifacts.emission import Emission
from opwright.artifacts.functional_arguments import (
    IMPL,
    UNWRAPPED,
    aliased,
    fresh,
    parts,
    renamed_scope,
    return_line,
)
from opwright.cpp.types import SYMINT
from opwright.model.operators import Operator
from opwright.signatures.facts import Facts
from opwright.signatures.native import native_name
from opwright.syntax.schema import Kind, Schema
from opwright.values import Value


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


#: What stands between the texts of `ArgumentTexts.columns`.
_SEPARATORS = ("", ", ", "", "", "", "", ", ")


class Ending(Value):
    """How kernels end that write to the same arguments and return the same: with a call of the operator itself.

    `returned` is the line behind that call, and `replaced` are those behind a call of the functional variant.
    """

    returned: str
    replaced: str


class MutationKernels:
    """Makes the kernels of one run."""

    def __init__(self, emission: Emission) -> None:
        self.facts = emission.facts
        self.texts = emission.functional
        self.release = emission.model.release.functionalization
        self.takes_dtype_of_out = emission.model.release.lists.dtype_of_out
        self._update = _UPDATES[self.release.xla_updates]
        self._switch = " && !disable_meta_reference()" if self.release.meta_switch else ""
        self._endings: dict[tuple[object, ...], Ending] = {}

    def kernel(self, operator: Operator, variant: Operator) -> str:
        """The kernel of an operator that writes to its arguments; `variant` is the functional one of its group."""
        facts, functional = self.facts.by_operator[operator], self.facts.by_operator[variant]
        texts = self.texts.of(facts)
        schema, struct, dispatcher = operator.schema, operator.name.unambiguous, facts.dispatcher
        arguments = schema.arguments
        checks_shapes = schema.kind is Kind.INPLACE and all([item.type.text != "Storage" for item in arguments])
        ending = self._ending(facts, variant.schema)
        columns = texts.columns(arguments)
        as_meta, on_meta, synced, written, on_xla, read, unwrapped = map(str.join, _SEPARATORS, columns)
        is_xla = f"!(false{on_xla}) && " if self.release.xla_updates else ""
        assigned = f"{texts.returns[schema.returns]} tmp_output = " if schema.returns else ""
        return f"""{dispatcher.returns} {native_name(operator)}(c10::DispatchKeySet dispatchKeySet, {
            dispatcher.definitions
        }) {{
  if ({"true" if checks_shapes else "false"}{self._switch}) {{
    // The operator itself finds faults of its arguments, before the functional variant gives a result of other sizes.
{as_meta}    at::AutoDispatchSkipFunctionalize func_guard;
    c10::impl::ExcludeDispatchKeyGuard guard(exclude_keys_for_meta_dispatch);
    at::_ops::{struct}::call({on_meta});
  }}
{synced}  if (!(true{written})) {{
    if ({is_xla}(false{read})) {{
     TORCH_INTERNAL_ASSERT(false,
       "mutating a non-functional tensor with a functional tensor is not allowed.",
       " Please ensure that all of your inputs are wrapped inside of a functionalize() call.");
    }} else {{
     at::AutoDispatchSkipFunctionalize guard;
     {assigned}at::_ops::{struct}::call({unwrapped});
{ending.returned}    }}
  }} else {{
    {self.texts.of(functional).returns[variant.schema.returns]} tmp_output;
    {{
      at::AutoDispatchSkipFunctionalize guard;
      tmp_output = at::_ops::{variant.name.unambiguous}::call({self._to_functional(facts, variant.schema)});
    }}
{ending.replaced}  }}
}}
"""

    def _to_functional(self, facts: Facts, wanted: Schema) -> str:
        """The arguments with which the functional variant is called: most stand where they do in the operator."""
        own, passed = facts.operator.schema.non_out, self.texts.of(facts).passed
        if len(own) == len(wanted.arguments) and facts.operator.name.text not in self.takes_dtype_of_out:
            arguments = list(map(passed.__getitem__, zip(own, wanted.arguments, strict=True)))
            if "" not in arguments:
                return ", ".join(arguments)
        return self._converted(facts, wanted)

    def _converted(self, facts: Facts, wanted: Schema) -> str:
        """The arguments with which the functional variant is called, of whatever the operator has."""
        table = self.facts
        bindings = list(map(table.bindings.rows[facts.flags | SYMINT].plain.__getitem__, wanted.arguments))
        arguments = table.converter.arguments(renamed_scope(facts, UNWRAPPED, table.converter), bindings)
        if facts.operator.name.text in self.takes_dtype_of_out:
            at = [binding.name for binding in bindings].index("dtype")
            out = facts.operator.schema.out[0].name
            dtype = arguments[at]
            arguments[at] = f"{dtype}.has_value() ? {dtype} : std::optional<at::ScalarType>({out}_.scalar_type())"
        return ", ".join(arguments)

    def _ending(self, facts: Facts, functional: Schema) -> Ending:
        schema = facts.operator.schema
        annotated = tuple([item for item in schema.arguments if item.annotation])
        key = (annotated, schema.returns, facts.dispatcher.returns, functional.returns)
        found = self._endings.get(key)
        if found is None:
            held = aliased(schema)
            outputs = [f"output_{index}" for index in range(len(fresh(schema, "")))]
            found = self._endings[key] = Ending(
                returned=return_line("     ", facts, held + fresh(schema, "tmp_output"), self.release.plain_call_end),
                replaced=_updates(schema, functional, self._update) + return_line("    ", facts, held + outputs),
            )
        return found


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
