"""How functionalization kernels take functional tensors apart, before they call on.

In: an operator. Out: lines that make `x_` (what a functional tensor wraps) or `x_meta` (a meta tensor) of each tensor
`x`, and the arguments of calls with these.

    unwrapping(add_, sync=True)  ->  at::Tensor self_; if (...isFunctionalTensor(self)) { sync(self); self_ = ...; } ...

Rules: spec 08 section 12.4.
"""

from __future__ import annotations

from collections.abc import Sequence

from opwright.artifacts.emission import Emission
from opwright.cpp.types import SYMINT
from opwright.model.operators import Operator
from opwright.signatures.bindings import Binding
from opwright.signatures.convert import Scope
from opwright.signatures.dispatcher import return_types, returned
from opwright.signatures.facts import Facts
from opwright.syntax.schema import Argument, Schema

IMPL = "at::functionalization::impl"
#: How a list of tensors is copied, by its type; anything else is copied as it is.
_COPIES = {"at::TensorList": "{}.vec()", "const at::ITensorListRef &": "{{{0}.begin(), {0}.end()}}"}

UNWRAPPED, AS_META = "_", "_meta"


def tensors(operator: Operator) -> list[Argument]:
    """The arguments that are tensors or hold some."""
    return [argument for argument in operator.schema.arguments if argument.type.is_tensor_like]


def unwrapping(facts: Facts, *, sync: bool) -> str:
    """The lines that unwrap every tensor; with `sync`, pending writes to it are done first."""
    lines = []
    for argument, binding in zip(facts.operator.schema.arguments, facts.dispatcher.bindings, strict=True):
        if argument.type.is_tensor_like:
            lines.append(_unwrap(binding, sync))
    return "".join(lines)


def _unwrap(binding: Binding, sync: bool) -> str:
    name, type = binding.name, binding.type
    copy = _COPIES.get(type.text)
    held = "::std::vector<at::Tensor>" if copy else (type.target or type).text
    return f"""  {held} {name}_;
  if ({IMPL}::isFunctionalTensor({name})) {{
{f"    {IMPL}::sync({name});" if sync else ""}
    {name}_ = {IMPL}::from_functional_tensor({name});
  }} else {{
    {name}_ = {copy.format(name) if copy else name};
  }}
"""


def to_meta(operator: Operator) -> str:
    """The lines that make meta tensors of every tensor."""
    return "".join([f"    auto {argument.name}_meta = to_meta({argument.name});\n" for argument in tensors(operator)])


def renamed_scope(facts: Facts, suffix: str, emission: Emission) -> Scope:
    """The scope in which the tensors among an operator's parameters have a suffix."""
    converter, scope = emission.facts.converter, Scope()
    for argument, binding in zip(facts.operator.schema.arguments, facts.dispatcher.bindings, strict=True):
        name = binding.name + suffix if argument.type.is_tensor_like else binding.name
        converter.add(scope, name, binding.meaning, binding.type)
    return scope


def renamed_names(operator: Operator, suffix: str) -> str:
    """The operator's own arguments, joined, the tensors among them with a suffix."""
    arguments = operator.schema.arguments
    return ", ".join([item.name + suffix if item.type.is_tensor_like else item.name for item in arguments])


def plain_return(facts: Facts, emission: Emission) -> str:
    """The return type without references."""
    types = return_types(facts.operator, emission.facts.bindings, facts.flags | SYMINT)
    return returned([(type.target or type).text for type in types])


def return_line(indent: str, facts: Facts, values: Sequence[str], end: str = "") -> str:
    """The line that returns some values, with a further `end`; nothing for none."""
    if len(values) == 1:
        return f"{indent}return {values[0]};{end}\n"
    if values:
        return f"{indent}return {facts.dispatcher.returns}({', '.join(values)});{end}\n"
    return f"{indent}{end}\n" if end else ""


def aliased(schema: Schema) -> list[str]:
    """The arguments that stand for returns, in the order of the returns."""
    by_annotation = {item.annotation: item.name for item in reversed(schema.arguments) if item.annotation}
    return [by_annotation[item.annotation] for item in schema.returns if item.annotation in by_annotation]


def fresh(schema: Schema, value: str) -> list[str]:
    """The expressions for returns that no argument stands for, when `value` is all that is returned."""
    taken = {item.annotation for item in schema.arguments if item.annotation}
    returned = zip(schema.returns, parts(value, len(schema.returns)), strict=True)
    return [part for item, part in returned if item.annotation not in taken]


def parts(value: str, count: int) -> list[str]:
    """The expressions for `count` returned values of which `value` is the whole."""
    return [value] if count == 1 else [f"std::get<{index}>({value})" for index in range(count)]
