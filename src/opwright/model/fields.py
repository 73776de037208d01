"""The plain fields of an entry: booleans, strings and lists, each with its own type rule.

In: a `Record`. Out: its `Fields`; a field of a wrong type is reported and keeps its default.

    read_fields(record, context)  ->  Fields(structured=True, variants="function, method")

Rules: spec 03 section 1 (entry shape).
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from opwright.diagnostics import did_you_mean
from opwright.model.context import Context
from opwright.syntax.records import Record
from opwright.syntax.yamltree import Node, Scalar, Sequence, describe, shown_place
from opwright.values import Value

FieldValue = bool | str | list[str]

_BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def boolean(node: Node) -> bool | None:
    """What a boolean node says; None for any other node."""
    if isinstance(node, Scalar) and node.kind == "bool":
        return _BOOLEANS.get(node.value.lower())
    return None


def string(node: Node) -> str | None:
    """The text of a string node; None for any other node."""
    if isinstance(node, Scalar) and node.kind == "str":
        return node.value
    return None


def is_string(node: Node) -> bool:
    """Whether a node is a string."""
    return isinstance(node, Scalar) and node.kind == "str"


def _strings(node: Node) -> list[str] | None:
    if not isinstance(node, Sequence):
        return None
    found = [string(item) for item in node.items]
    return None if None in found else [text for text in found if text is not None]


class Field(Value):
    """A field of an entry: its reader, what it must be, the code of its type rule, whether it may be empty, a hint."""

    read: Callable[[Node], FieldValue | None]
    wanted: str
    code: str
    may_be_empty: bool = False
    help: str | None = None


_TRUTH = "true or false"
PLAIN_FIELDS: dict[str, Field] = {
    "variants": Field(string, "a string", "variants-type", False, "write 'variants: function, method'"),
    "device_check": Field(string, "NoCheck or ExactSame", "device-check-type", True),
    "device_guard": Field(boolean, _TRUTH, "device-guard-type"),
    "python_module": Field(string, "a string", "python-module-type", True),
    "autogen": Field(
        string, "a string", "autogen-type", False, "separate names by a comma and one blank, without brackets"
    ),
    "structured": Field(boolean, _TRUTH, "structured-type"),
    "structured_delegate": Field(string, "an operator name", "structured-delegate-type", True),
    "structured_inherits": Field(string, "the name of a class", "structured-inherits-type", True),
    "cpp_no_default_args": Field(_strings, "a list of argument names", "cpp-no-default-args-type"),
    "manual_cpp_binding": Field(boolean, _TRUTH, "manual-cpp-binding-type"),
    "manual_kernel_registration": Field(boolean, _TRUTH, "manual-kernel-registration-type"),
    "category_override": Field(string, "a string", "category-override-type", True),
    "use_const_ref_for_mutable_tensors": Field(boolean, _TRUTH, "const-ref-type"),
}
#: Fields with a reader of their own.
RICH_FIELDS = ("func", "dispatch", "tags", "precomputed", "ufunc_inner_loop")
FIELD_NAMES = (*RICH_FIELDS, *PLAIN_FIELDS)


class Fields(Value, frozen=False):
    """The plain fields of an entry by their YAML names; those not given, or of a wrong type, have their defaults."""

    variants: str = "function"
    device_check: str = "ExactSame"
    device_guard: bool = True
    python_module: str | None = None
    autogen: str = ""
    structured: bool = False
    structured_delegate: str | None = None
    structured_inherits: str | None = None
    cpp_no_default_args: Collection[str] = ()
    manual_cpp_binding: bool = False
    manual_kernel_registration: bool = False
    category_override: str | None = None
    use_const_ref_for_mutable_tensors: bool = False


def read_fields(record: Record, context: Context) -> Fields:
    """The plain fields of an entry."""
    fields = Fields()
    for name, (_, node) in record.fields.items():
        field = PLAIN_FIELDS.get(name)
        if field is None:
            if name not in RICH_FIELDS:
                unknown_field(record, name, context)
            continue
        value = field.read(node)
        if value is not None:
            setattr(fields, name, value)
        elif not (field.may_be_empty and isinstance(node, Scalar) and node.kind == "null"):
            field_type(record, name, field, node, context)
    return fields


def unknown_field(record: Record, name: str, context: Context) -> None:
    """EN-8: a field that entries do not have."""
    hint = did_you_mean(name, FIELD_NAMES)
    context.error("unknown-field", f"'{name}' is not a field of an entry", record.key_place(name), hint)


def field_type(record: Record, name: str, field: Field, node: Node, context: Context) -> None:
    """EN-4 to EN-21: a field that is not of its type; every field has a code of its own."""
    place, found = record.place(name), describe(node)
    if isinstance(node, Sequence) and field.read is _strings:
        wrong = next(item for item in node.items if string(item) is None)
        found = f"one with {describe(wrong)} in it"
        place = shown_place(wrong, place)
    context.error(field.code, f"'{name}' must be {field.wanted}, not {found}", place, field.help)
