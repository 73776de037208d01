"""The operators that a backend file lists, and what it says of each.

In: a list of a backend file. Out: its `Item`s; what is faulty is reported and left out.

    - as_strided: at::native::as_strided_tensorimpl  ->  Item("as_strided", kernel="at::native::as_strided_tensorimpl")
    - mul.out: {structured: true}                    ->  Item("mul.out", structured=True)

A plain name is the form of torchgen (spec 11 section 2); fields are Opwright's own, described in
`docs/reference/backend-yaml.md`.
"""

from __future__ import annotations

from opwright.model.context import Context
from opwright.model.fields import boolean
from opwright.model.listed import FIELDS_OF, STRUCTURED_FIELDS, SWITCHES, Item
from opwright.model.rules import backend_items as rules
from opwright.source import Place
from opwright.syntax.records import Record
from opwright.syntax.yamltree import Mapping, Node, Scalar


def read_item(node: Node, list_name: str, list_place: Place, context: Context) -> Item | None:
    """One item of the list `list_name`; None when it names no operator."""
    if isinstance(node, Scalar) and node.kind == "str":
        return Item(node, {}, {})
    if list_name not in FIELDS_OF or not isinstance(node, Mapping) or "func" in node.fields:
        rules.backend_operator_type(list_name, node, list_place, FIELDS_OF, context)
        return None
    if len(node.fields) != 1:
        rules.backend_operator_form(node, list_place, context)
        return None
    name, value = next(iter(node.fields.values()))
    if isinstance(value, Scalar) and value.kind == "str":
        return Item(name, {}, _checked_names({"kernel": value}, context))
    if not isinstance(value, Mapping):
        rules.backend_operator_fields_type(name, value, context)
        return Item(name, {}, {})
    return _with_fields(name, Record.of(value), list_name, context)


def _with_fields(name: Scalar, record: Record, list_name: str, context: Context) -> Item:
    switches: dict[str, bool] = {}
    names: dict[str, Scalar] = {}
    for field, (key, node) in record.fields.items():
        if field not in FIELDS_OF[list_name]:
            rules.backend_unknown_field(key, list_name, FIELDS_OF[list_name], context)
        elif field in SWITCHES:
            said = boolean(node)
            if said is None:
                rules.backend_field_type(record, field, "true or false", node, context)
            else:
                switches[field] = said
        elif isinstance(node, Scalar) and node.kind == "str":
            names[field] = node
        else:
            rules.backend_field_type(record, field, "a C++ name", node, context)
    item = Item(name, switches, _checked_names(names, context), record)
    rules.backend_not_structured(item, STRUCTURED_FIELDS, context)
    return item


def _checked_names(names: dict[str, Scalar], context: Context) -> dict[str, Scalar]:
    return {field: node for field, node in names.items() if rules.backend_kernel_name(node, context)}
