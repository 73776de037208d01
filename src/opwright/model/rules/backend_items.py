"""Rules for what a backend file says of a single operator.

In: an item of a list, or its fields. Out: diagnostics in the context.

These fields are Opwright's own: torchgen takes names alone (spec 11 section 2).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from opwright.diagnostics import Related, did_you_mean
from opwright.model.context import Context
from opwright.model.rules.names import CPP_KEYWORDS, is_cpp_name
from opwright.model.rules.structured import structured_obstacle
from opwright.source import Place
from opwright.syntax.records import Record
from opwright.syntax.yamltree import Mapping as MappingNode
from opwright.syntax.yamltree import Node, Scalar, describe, shown_place

if TYPE_CHECKING:
    from opwright.model.listed import Item
    from opwright.model.model import Group
    from opwright.model.operators import Kernel, Operator


# The form of an item


def backend_operator_type(
    name: str, item: Node, list_place: Place, lists_with_fields: Collection[str], context: Context
) -> None:
    """A list item that is no operator."""
    place = shown_place(item, list_place)
    help = None
    if isinstance(item, MappingNode) and "func" in item.fields:
        func = item.fields["func"][1]
        operator = func.value.partition("(")[0] if isinstance(func, Scalar) and func.value else "add.out"
        help = f"write '- {operator}', or with fields '- {operator}: {{device_check: false}}'"
    elif isinstance(item, MappingNode) and name not in lists_with_fields:
        help = f"fields belong to operators under {' and '.join(map(repr, lists_with_fields))}"
    context.error("backend-operator-type", f"'{name}' lists names of operators, not {describe(item)}", place, help)


def backend_operator_form(item: MappingNode, list_place: Place, context: Context) -> None:
    """A list item that is a mapping, but not of one operator to what is said of it."""
    help = "write '- add.out: {structured: true}', with the fields indented deeper than the name of the operator"
    message = f"an operator with fields is a mapping with one key, its name; this one has {len(item.fields)}"
    context.error("backend-operator-form", message, shown_place(item, list_place), help)


def backend_operator_fields_type(name: Scalar, node: Node, context: Context) -> None:
    """What stands behind the name of an operator is neither a kernel nor a mapping of fields."""
    message = f"what stands behind '{name.value}' must be its kernel or a mapping of its fields, not {describe(node)}"
    help = f"write '- {name.value}' when there is nothing to say of it"
    context.error("backend-operator-fields-type", message, shown_place(node, name.place), help)


def backend_field_type(record: Record, field: str, wanted: str, node: Node, context: Context) -> None:
    """A field of an operator that is not of its type."""
    context.error("backend-field-type", f"'{field}' must be {wanted}, not {describe(node)}", record.place(field))


def backend_unknown_field(key: Scalar, list_name: str, names: Collection[str], context: Context) -> None:
    """A field that operators under `list_name` do not have."""
    message = f"'{key.value}' is not a field of an operator under '{list_name}'"
    hint = did_you_mean(key.value, names) or f"fields are {', '.join(names)}"
    context.error("backend-unknown-field", message, key.place, hint)


def backend_kernel_name(node: Scalar, context: Context) -> bool:
    """A kernel or a class that C++ cannot name; whether it can."""
    levels = node.value.removeprefix("::").split("::")
    wrong = next((level for level in levels if not is_cpp_name(level)), None)
    if wrong is None:
        return True
    if wrong in CPP_KEYWORDS:
        message = f"'{wrong}' is a keyword of C++ and cannot name a kernel or a class"
    else:
        message = f"'{wrong}' is not a C++ name" if wrong else f"a name is missing in '{node.value}'"
    context.error(
        "backend-kernel-name", message, node.place, "write a name such as 'at::native::as_strided_tensorimpl'"
    )
    return False


# Structured kernels


def backend_not_structured(item: Item, fields: Collection[str], context: Context) -> None:
    """Fields of structured kernels on a kernel that is said not to be one."""
    for field in fields:
        if field != "structured" and item.switches.get("structured") is False:
            given = item.switches.get(field) or field in item.names
            if given:
                message = f"'{field}' belongs to structured kernels, and this one has 'structured: false'"
                context.error("backend-not-structured", message, item.field_place(field))


def backend_structured_member(item: Item, operator: Operator, group: Group | None, context: Context) -> bool:
    """A structured kernel that does not stand on the out variant of a whole group; whether it does."""
    place = item.field_place("structured")
    if group is None:
        message = f"'{operator.name.text}' has no functional and out variant that a structured kernel could serve"
        context.error("backend-structured-ungrouped", message, place)
    elif group.out is not operator:
        message = f"a structured kernel stands on the out variant, which serves '{operator.name.text}' too"
        help = f"list '{group.out.name.text}' with 'structured: true' instead"
        context.error("backend-structured-out", message, place, help)
    return group is not None and group.out is operator


def backend_structured_form(item: Item, group: Group, context: Context) -> None:
    """A structured kernel for an operator that none can serve."""
    obstacle = structured_obstacle(group)
    if obstacle is not None:
        message = f"'{group.out.name.text}' can have no structured kernel: {obstacle}"
        help = "list it by its name alone, and write a plain kernel"
        context.error("backend-structured-form", message, item.field_place("structured"), help)


def backend_structured_meta(item: Item, operator: Operator, context: Context) -> None:
    """A structured kernel that relies on a meta function that PyTorch does not have."""
    message = f"'{operator.name.text}' is not structured in PyTorch, so it has no meta function to rely on"
    help = "write one: add 'meta: true'"
    context.error("backend-structured-meta", message, item.field_place("structured"), help)


def backend_structured_impl(item: Item, context: Context) -> None:
    """A structured kernel without an impl function."""
    message = "there is no class with an 'impl' that this kernel could inherit"
    help = "name a structured kernel under 'structured_inherits', such as 'at::native::structured_sub_out'"
    context.error("backend-structured-impl", message, item.field_place("impl"), help)


def backend_structured_base(
    item: Item, operator: Operator, prefix: str, bases: Mapping[str, str], context: Context
) -> None:
    """A base class of a structured kernel that cannot serve as one."""
    node = item.names.get("structured_inherits")
    if node is None or node.value in bases:
        return
    if node.value.rpartition("::")[2].startswith(prefix):
        backend_structured_kernel_unknown(node, operator, context)
        return
    message = f"a structured kernel cannot inherit '{node.value}'"
    known = " or ".join(dict.fromkeys(name.rpartition("::")[2] for name in bases))
    help = did_you_mean(node.value, bases) or (
        f"it inherits {known}, or a structured kernel such as '{prefix}sub_out'; 'headers' makes others known"
    )
    context.error("backend-structured-base", message, node.place, help)


def backend_structured_kernel(item: Item, operator: Operator, context: Context) -> None:
    """An existing structured kernel that PyTorch does not have, or together with fields about a class to declare."""
    node = item.names["kernel"]
    backend_structured_kernel_unknown(node, operator, context)
    fields = ("meta", "impl", "structured_inherits")
    given = [field for field in fields if item.names.get(field) or item.switches.get(field)]
    if given:
        message = f"'{node.value}' exists already, so nothing is declared that '{given[0]}' could be about"
        help = "name it under 'structured_inherits' to add to it"
        context.error("backend-structured-kernel", message, item.field_place(given[0]), help)


def backend_structured_name(operator: Operator, kernel: Kernel, item: Item, first: Item, context: Context) -> None:
    """Two structured kernels of one name."""
    message = f"the class 'structured_{kernel.name}' would be that of '{first.name.value}' too"
    help = f"give the kernel a name of its own, such as 'kernel: {operator.name.unambiguous}'"
    related = [Related(first.name.place, "the other one")]
    context.faults.error("backend-structured-name", message, item.name.place, help, related)


def backend_structured_kernel_unknown(node: Scalar, operator: Operator, context: Context) -> None:
    """A structured kernel of PyTorch, as kernel or as base class, that it does not have for this operator."""
    namespace, _, name = node.value.rpartition("::")
    name = name.removeprefix("structured_")
    known = list(dict.fromkeys(kernel.name for kernel in operator.kernels.values() if kernel.is_structured))
    if namespace == "at::native" and name not in known:
        message = f"PyTorch has no structured kernel '{node.value}' for '{operator.name.text}'"
        help = f"it has {' and '.join(known)}" if known else "give the kernel a name of your own, without a namespace"
        context.error("backend-structured-kernel-unknown", message, node.place, help)


def backend_served_by_structured(
    operator: Operator, out: Operator, items: Mapping[Operator, Item], context: Context
) -> None:
    """A variant with a kernel of its own beside a structured kernel, which serves it already."""
    related = [Related(items[out].name.place, "the structured kernel")]
    message = f"'{operator.name.text}' is served by the structured kernel of '{out.name.text}'"
    place = items[operator].name.place
    context.faults.error("backend-served-by-structured", message, place, "remove it from the list", related)


def backend_structured_symint(item: Scalar, context: Context) -> None:
    """A structured kernel under `symint`."""
    message = f"'{item.value}' has a structured kernel, which takes no symbolic sizes"
    context.error("backend-structured-symint", message, item.place, "remove it here")


# Variants that are made from the functional kernel


def backend_no_copy_back(item: Item, operator: Operator, context: Context) -> None:
    """A functional kernel from which a variant would have to be made that cannot be."""
    message = f"'{operator.name.text}' would be made from this kernel, but results cannot be copied into it"
    help = f"list '{operator.name.text}' with a kernel of its own, or say 'use_out_as_primary: true'"
    context.error("backend-no-copy-back", message, item.name.place, help)
