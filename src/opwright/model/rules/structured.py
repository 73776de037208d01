"""Rules for what structured kernels are made of.

In: the whole model. Out: diagnostics in the context.

Rules: spec 03 section 11 (LT-19), and arguments with which torchgen fails or writes what does not compile.
"""

from __future__ import annotations

from opwright.diagnostics import Related
from opwright.model.context import Context
from opwright.model.model import Group, Model
from opwright.source import Place
from opwright.syntax.schema import Argument, Schema
from opwright.syntax.types import Type


def structured_group(model: Model, context: Context) -> None:
    """LT-19: a structured group with a member that no structured kernel can serve."""
    for item in model.groups:
        if isinstance(item, Group) and item.is_structured:
            structured_mutable(item, context)
            structured_options(item, context)
            structured_out_type(item, context)
            structured_argument_type(item, context)


def structured_mutable(group: Group, context: Context) -> None:
    """LT-19: a mutable operator in a structured group."""
    mutable = group.mutable
    if mutable is not None:
        message = f"the mutable '{mutable.name.text}' cannot be a variant of a structured operator"
        help = "only functional, in-place and out variants can be structured"
        related = [Related(group.out.name_place, "this operator is structured")]
        context.family_error(mutable, "structured-mutable", message, mutable.name_place, help, related)


def structured_options(group: Group, context: Context) -> None:
    """LT-19: dtype, layout, device and pin_memory in a structured operator."""
    if group.functional.schema.has_options:
        message = "a structured operator cannot take dtype, layout, device and pin_memory"
        context.family_error(group.functional, "structured-options", message, options_place(group))


def options_place(group: Group) -> Place:
    """The place of dtype, layout, device and pin_memory in the functional variant."""
    schema = group.functional.schema
    first, *_, last = tensor_options(schema)
    return group.functional.schema_place(schema.argument_span(first)[0], schema.argument_span(last)[1])


def tensor_options(schema: Schema) -> tuple[Argument, ...]:
    """dtype, layout, device and pin_memory of a schema that has them."""
    return schema.keyword[schema.options_index : schema.options_index + 4]


def structured_out_type(group: Group, context: Context) -> None:
    """LT-19: an out argument of a structured operator that is no plain tensor."""
    for argument in group.out.schema.out:
        if argument.type.text != "Tensor":
            message = f"the out arguments of a structured operator are tensors, not '{argument.type.text}'"
            context.family_error(group.out, "structured-out-type", message, group.out.argument_place(argument))


def structured_argument_type(group: Group, context: Context) -> None:
    """An argument that structured kernels take in a type that the dispatcher's cannot be made into."""
    for argument in group.out.schema.non_out:
        if not can_be_given(argument.type):
            message = f"a structured operator cannot take an argument of type '{argument.type.text}'"
            context.family_error(group.out, "structured-argument-type", message, group.out.argument_place(argument))


def can_be_given(type: Type) -> bool:
    """Whether structured kernels can be given arguments of a type: not lists of scalars, nor optional or nested lists
    of what they take by reference or as plain numbers."""
    listed = type.list_type
    if listed is None or type.base not in ("Scalar", "SymInt", "Tensor"):
        return True
    return type.base != "Scalar" and listed is type and type.element is not None and type.element.list_type is None


def structured_obstacle(group: Group) -> str | None:
    """Why no structured kernel can serve a group, if so: a clause about it, for backends outside PyTorch."""
    if group.mutable is not None:
        return f"its variant '{group.mutable.name.text}' is mutable"
    if any(member.const_ref_mutable for member in group.members()):
        return "it takes tensors that it writes as const references"
    if group.functional.schema.has_options:
        return "it takes dtype, layout, device and pin_memory"
    for argument in group.out.schema.out:
        if argument.type.text != "Tensor":
            return f"its output '{argument.name}' is of type '{argument.type.text}'"
    for argument in group.out.schema.non_out:
        if not can_be_given(argument.type):
            return f"its argument '{argument.name}' is of type '{argument.type.text}'"
    return None
