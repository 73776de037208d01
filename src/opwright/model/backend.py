"""Backend files: the operators for which a backend outside the library has kernels.

In: a backend file and the model of the source. Out: a `Backend` with its kernels by operator.

    backend: PrivateUse1, cpp_namespace: mine, supported: [blend]  ->  kernels {blend: Kernel("blend", "mine")}

Rules: spec 01 section 14 and spec 03 section 10 (BY, LZ).
"""

from __future__ import annotations

from collections.abc import Mapping as Table
from typing import TYPE_CHECKING

from opwright.model.catalog import read_func
from opwright.model.context import Context
from opwright.model.fields import boolean
from opwright.model.model import Group
from opwright.model.operators import Kernel, Operator
from opwright.model.rules import backend as rules
from opwright.releases.release import DispatchKey
from opwright.syntax.records import Record
from opwright.syntax.schema import Schema
from opwright.syntax.yamltree import Mapping, Node, Scalar, Sequence
from opwright.values import Value

if TYPE_CHECKING:
    from opwright.model.model import Model

#: The switches and the lists of operators, each with the code of its type rule.
FLAGS = {"use_out_as_primary": "backend-use-out-as-primary-type", "device_guard": "backend-device-guard-type"}
LISTS = {
    "supported": "backend-supported-type",
    "full_codegen": "backend-full-codegen-type",
    "autograd": "backend-autograd-type",
    "symint": "backend-symint-type",
    "ir_gen": "backend-ir-gen-type",
}
FIELD_NAMES = ("backend", "cpp_namespace", "class_name", *FLAGS, *LISTS, "non_native")
NON_NATIVE_FIELD_NAMES = ("func", "opkind", "properties")
#: The properties of a node; those of one group exclude each other.
PROPERTIES = {
    "ShapePrecompute": "shape",
    "ShapeCompute": "shape",
    "ShapeCache": "shape",
    "Lower": "lower",
    "LowerDeclOnly": "lower",
    "CanBeReused": "reuse",
    "CanBeReusedDeclOnly": "reuse",
    "CreateFn": "create",
    "CreateFnDeclOnly": "create",
    "TreatScalarsAsConstants": "scalars",
}
#: The properties of an operator under `non_native` before its own are set.
NON_NATIVE_PROPERTIES = ("ShapeCache", "LowerDeclOnly", "CanBeReused")


class NonNative(Value):
    """An operator that only the backend knows: its schema, the C++ of its symbol or None, and its node's properties."""

    schema: Schema
    opkind: str | None
    properties: frozenset[str]


class Backend(Value):
    """What a backend file says.

    `kernels` holds the operators under `supported`, then those under `full_codegen`, in list order; `full_codegen`
    those of them whose kernels are generated. `autograd_key` is None when `autograd` lists nothing. `ir_gen` are the
    operators of which only the node is generated.
    """

    key: DispatchKey
    autograd_key: DispatchKey | None
    cpp_namespace: str
    class_name: str
    kernels: dict[Operator, Kernel]
    full_codegen: tuple[Operator, ...]
    ir_gen: tuple[Operator, ...]
    non_native: tuple[NonNative, ...]
    use_out_as_primary: bool
    device_guard: bool


def read_backend(root: Node, context: Context, model: Model | None) -> Backend | None:
    """Read a backend file against the operators of `model`, which must have been read with all device switches on.

    Without a model the operators are not looked up. Returns None then, and when the dispatch key or the namespace
    cannot be used; what else is faulty is reported and left out.
    """
    if not isinstance(root, Mapping):
        rules.backend_not_a_mapping(root, context)
        return None
    record = Record.of(root)
    rules.backend_unknown_key(record, FIELD_NAMES, context)
    lists = {name: _names(record, name, context) for name in LISTS}
    key, autograd_key = _keys(record, bool(lists["autograd"]), model, context)
    namespace = _namespace(record, context)
    class_name = _class_name(record, context)
    flags = {name: _flag(record, name, context) for name in FLAGS}
    non_native = _non_native(record, context)
    rules.backend_nothing_supported(record, context)
    found = _resolve(lists, model, context)
    if model is None or key is None or namespace is None:
        return None
    symint = {item.value for item in lists["symint"]}
    generated = {item.value for item in lists["full_codegen"]}
    return Backend(
        key=key,
        autograd_key=autograd_key,
        cpp_namespace=namespace,
        class_name=class_name or f"{key.name}NativeFunctions",
        kernels=_kernels(found["supported"], symint, namespace),
        full_codegen=tuple(operator for operator in found["supported"] if operator.name.text in generated),
        ir_gen=tuple(found["ir_gen"]),
        non_native=non_native,
        **flags,
    )


# The backend itself


def _keys(
    record: Record, has_autograd: bool, model: Model | None, context: Context
) -> tuple[DispatchKey | None, DispatchKey | None]:
    """The key of the backend, and that of its autograd when operators are listed for it."""
    node = record.value("backend")
    if not record.has("backend") or node is None:
        rules.backend_key_missing(record, FIELD_NAMES, context)
        return None, None
    if not isinstance(node, Scalar) or node.kind != "str":
        rules.field_type(record, "backend", "backend-key-type", "the name of a dispatch key", node, context)
        return None, None
    keys = context.release.keys
    key, autograd_key = keys.get(node.value), keys.get(f"Autograd{node.value}") if has_autograd else None
    if key is None:
        rules.backend_unknown_dispatch_key(node, context)
        return None, None
    if has_autograd and autograd_key is None:
        rules.backend_unknown_autograd_key(record, key.name, context)
    for taken in (key, autograd_key):
        row = model.kernels.get(taken) if model and taken else None
        if taken and row:
            rules.backend_key_taken(record, taken.name, next(iter(row)), context)
    return key, autograd_key


def _namespace(record: Record, context: Context) -> str | None:
    node = record.value("cpp_namespace")
    if not record.has("cpp_namespace") or node is None:
        rules.backend_namespace_missing(record, FIELD_NAMES, context)
        return None
    if not isinstance(node, Scalar) or node.kind != "str":
        rules.field_type(record, "cpp_namespace", "backend-namespace-type", "a C++ namespace", node, context)
        return None
    rules.backend_namespace_form(node, context)
    return node.value


def _class_name(record: Record, context: Context) -> str | None:
    """The name of the kernels' class; None when the usual one holds."""
    node = record.value("class_name")
    if not record.has("class_name") or node is None:
        return None
    if not isinstance(node, Scalar) or node.kind != "str":
        rules.field_type(record, "class_name", "backend-class-name-type", "the name of a C++ class", node, context)
        return None
    rules.backend_class_name(node, context)
    return node.value


def _flag(record: Record, name: str, context: Context) -> bool:
    node = record.value(name)
    found = None if node is None else boolean(node)
    if node is not None and found is None:
        rules.field_type(record, name, FLAGS[name], "true or false", node, context)
    return found or False


# Its lists


def _names(record: Record, name: str, context: Context) -> list[Scalar]:
    """The items of a list of operators that are names; `supported` and `symint` may be left empty."""
    node = record.value(name)
    if node is None or (name in ("supported", "symint") and not record.has(name)):
        return []
    if not isinstance(node, Sequence):
        rules.field_type(record, name, LISTS[name], "a list of operators", node, context)
        return []
    names: list[Scalar] = []
    for item in node.items:
        if isinstance(item, Scalar) and item.kind == "str":
            names.append(item)
        else:
            rules.backend_operator_type(name, item, record.key_place(name), context)
    return names


def _resolve(
    lists: Table[str, list[Scalar]], model: Model | None, context: Context
) -> dict[str, dict[Operator, Scalar]]:
    """Check every list; give the operators under `supported` (with `full_codegen`) and `ir_gen`, each with its item."""
    operators = {operator.name.text: operator for operator in model.operators} if model else None
    supported = _found([*lists["supported"], *lists["full_codegen"]], operators, context)
    autograd = _found(lists["autograd"], operators, context)
    ir_gen = _found(lists["ir_gen"], operators, context)
    symint = _once(lists["symint"], context)
    if model and operators:
        for operator, item in supported.items():
            if operator.is_composite_implicit:
                rules.backend_composite_operator(item, context)
        for item in symint:
            _check_symint(item, operators, {**supported, **autograd}, context)
        for group in model.groups if supported and autograd else ():
            members = group.members() if isinstance(group, Group) else (group,)
            rules.backend_group_split(members, supported, autograd, context)
    return {"supported": supported, "ir_gen": ir_gen}


def _found(items: list[Scalar], operators: Table[str, Operator] | None, context: Context) -> dict[Operator, Scalar]:
    """The operators that the items name, in order; nothing when there are none to look among."""
    found: dict[Operator, Scalar] = {}
    for item in _once(items, context):
        operator = operators.get(item.value) if operators is not None else None
        if operator is not None:
            found[operator] = item
        elif "::" in item.value:
            rules.backend_operator_namespace(item, context)
        elif operators is not None:
            rules.backend_unknown_operator(item, operators, context)
    return found


def _once(items: list[Scalar], context: Context) -> list[Scalar]:
    """The items without repetitions."""
    first: dict[str, Scalar] = {}
    for item in items:
        known = first.setdefault(item.value, item)
        if known is not item:
            rules.backend_duplicate_operator(item, known, context)
    return list(first.values())


def _check_symint(
    item: Scalar, operators: Table[str, Operator], listed: Table[Operator, Scalar], context: Context
) -> None:
    operator = operators.get(item.value)
    if operator is None and "::" in item.value:
        rules.backend_operator_namespace(item, context)
    elif operator is None:
        rules.backend_unknown_symint(item, operators, context)
    elif not operator.schema.has_symint:
        rules.backend_no_symint_argument(item, context)
    elif operator not in listed:
        rules.backend_symint_not_listed(item, context)


def _kernels(found: Table[Operator, Scalar], symint: set[str], namespace: str) -> dict[Operator, Kernel]:
    """The kernel of each operator: the default one, in the backend's own namespace."""
    suffix = {True: "_symint", False: ""}
    return {
        operator: Kernel(operator.default_kernel + suffix[operator.name.text in symint], namespace, False)
        for operator in found
    }


# Operators without an entry in the source


def _non_native(record: Record, context: Context) -> tuple[NonNative, ...]:
    node = record.value("non_native")
    if node is None:
        return ()
    if not isinstance(node, Sequence):
        rules.field_type(record, "non_native", "backend-non-native-type", "a list of mappings", node, context)
        return ()
    found: list[NonNative] = []
    for item in node.items:
        if not isinstance(item, Mapping):
            rules.non_native_not_a_mapping(item, record.key_place("non_native"), context)
            continue
        entry = Record.of(item)
        rules.non_native_unknown_key(entry, NON_NATIVE_FIELD_NAMES, context)
        named = read_func(entry, context)
        opkind, properties = _opkind(entry, context), _properties(entry, context)
        if named is not None:
            found.append(NonNative(named[1], opkind, properties))
    return tuple(found)


def _opkind(entry: Record, context: Context) -> str | None:
    node = entry.value("opkind")
    if node is None or (isinstance(node, Scalar) and node.kind == "str"):
        return node.value if node else None
    rules.field_type(entry, "opkind", "non-native-opkind-type", "the C++ name of a symbol", node, context)
    return None


def _properties(entry: Record, context: Context) -> frozenset[str]:
    """The properties that hold: of each group the one set last."""
    holds = {PROPERTIES[name]: name for name in NON_NATIVE_PROPERTIES}
    node = entry.value("properties")
    if node is not None and not isinstance(node, Sequence):
        rules.field_type(entry, "properties", "non-native-properties-type", "a list of properties", node, context)
    for item in node.items if isinstance(node, Sequence) else ():
        if not isinstance(item, Scalar):
            rules.field_type(entry, "properties", "non-native-properties-type", "a list of words", item, context)
        elif item.value in PROPERTIES:
            holds[PROPERTIES[item.value]] = item.value
        else:
            rules.non_native_unknown_property(item, PROPERTIES, context)
    return frozenset(holds.values())
