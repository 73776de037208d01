"""Backend files: the operators for which a backend outside the library has kernels.

In: a backend file and the model of the source. Out: a `Backend` with its kernels by operator.

    backend: PrivateUse1, cpp_namespace: mine, supported: [blend]
        ->  kernels {blend: Kernel("blend", "mine::PrivateUse1NativeFunctions")}

Rules: spec 01 section 14, spec 03 section 10 (BY, LZ) and spec 11 section 2.
"""

from __future__ import annotations

from collections.abc import Mapping as Table
from typing import TYPE_CHECKING

from opwright.model.backend_items import read_item
from opwright.model.backend_kernels import BackendKernels, Naming, backend_kernels, check_derived
from opwright.model.context import Context
from opwright.model.fields import boolean
from opwright.model.listed import Item
from opwright.model.model import Group
from opwright.model.non_native import NonNative, read_non_native
from opwright.model.operators import Operator
from opwright.model.rules import backend as rules
from opwright.releases.keys import DispatchKey
from opwright.syntax.records import Record
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
#: The lists that may be left empty.
MAY_BE_EMPTY = ("supported", "symint", "autograd")
#: What operators without a kernel of the backend may do.
FALLBACKS = ("cpu", "error")
FIELD_NAMES = ("backend", "cpp_namespace", "class_name", "headers", *FLAGS, "fallback", *LISTS, "non_native")


class Backend(Value):
    """What a backend file says.

    `own` are the kernels of the operators under `supported`, then `full_codegen`, in list order, for `key`; `autograd`
    those under `autograd`, for `autograd_key`, which is None when nothing is listed. `full_codegen` are the
    operators whose kernels are generated, `ir_gen` those of which only the node is. `fallback` is one of
    `FALLBACKS`, or None. `file` is the name of the file, `headers` are those of the author that the declarations
    need, and `items` has what the file says of each operator with a kernel or a node.
    """

    file: str
    key: DispatchKey
    autograd_key: DispatchKey | None
    cpp_namespace: str
    class_name: str
    headers: tuple[str, ...]
    own: BackendKernels
    autograd: BackendKernels
    full_codegen: tuple[Operator, ...]
    ir_gen: tuple[Operator, ...]
    non_native: tuple[NonNative, ...]
    use_out_as_primary: bool
    fallback: str | None
    items: dict[Operator, Item]

    @property
    def scope(self) -> str:
        """The class of the backend's kernels, with its namespace."""
        return f"{self.cpp_namespace}::{self.class_name}"

    @property
    def is_empty(self) -> bool:
        """Whether nothing is made: there is no operator with a kernel for the backend's own key, and no fallback."""
        return not self.own.kernels and self.fallback is None


def read_backend(root: Node, context: Context, model: Model | None, *, is_lazy: bool = False) -> Backend | None:
    """Read a backend file against the operators of `model`, which must have been read with all device switches on.

    Without a model the operators are not looked up. Returns None then, and when the dispatch key or the namespace
    cannot be used; what else is faulty is reported and left out. A lazy backend ignores `class_name`, and must have
    some kernel.
    """
    if not isinstance(root, Mapping):
        rules.backend_not_a_mapping(root, context)
        return None
    record = Record.of(root)
    rules.backend_unknown_key(record, FIELD_NAMES, context)
    lists = {name: _items(record, name, context) for name in LISTS}
    key, autograd_key = _keys(record, bool(lists["autograd"]), model, context)
    namespace = _namespace(record, context)
    class_name = None if is_lazy else _class_name(record, context)
    flags = {name: _flag(record, name, context) for name in FLAGS}
    fallback, headers = _fallback(record, context), _headers(record, context)
    non_native = read_non_native(record, context)
    rules.backend_nothing_supported(record, is_lazy, context)
    found = _resolve(lists, model, context)
    if model is None or key is None or namespace is None:
        return None
    symint = {item.name.value: item.name for item in lists["symint"]}
    naming = Naming(namespace, class_name or f"{key.name}NativeFunctions", symint, bool(headers))
    own = backend_kernels(found["supported"], naming, flags["device_guard"], model, context)
    generated = {item.name.value for item in lists["full_codegen"]}
    backend = Backend(
        file=root.source.path.rpartition("/")[2],
        key=key,
        autograd_key=autograd_key,
        cpp_namespace=namespace,
        class_name=naming.class_name,
        headers=headers,
        own=own,
        autograd=backend_kernels(found["autograd"], naming, flags["device_guard"], model, context),
        full_codegen=tuple(operator for operator in found["supported"] if operator.name.text in generated),
        ir_gen=tuple(found["ir_gen"]),
        non_native=non_native,
        use_out_as_primary=flags["use_out_as_primary"] or False,
        fallback=fallback,
        items={**found["ir_gen"], **found["supported"], **found["autograd"]},
    )
    if not backend.use_out_as_primary:
        for kernels in (backend.own, backend.autograd):
            check_derived(kernels, backend.items, model, context)
    return backend


def mentioned(root: Node) -> tuple[set[str], list[str]]:
    """The names in the lists of a backend file, sound or not, and the dispatch keys that it is for."""
    names: set[str] = set()
    fields = root.fields if isinstance(root, Mapping) else {}
    for _, node in [fields[name] for name in LISTS if name in fields]:
        for item in node.items if isinstance(node, Sequence) else ():
            names.update([item.value] if isinstance(item, Scalar) else item.fields if isinstance(item, Mapping) else ())
    key = fields["backend"][1] if "backend" in fields else None
    return names, [key.value, f"Autograd{key.value}"] if isinstance(key, Scalar) and key.value else []


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


def _flag(record: Record, name: str, context: Context) -> bool | None:
    """What a switch says; None when it says nothing."""
    node = record.value(name)
    found = None if node is None else boolean(node)
    if node is not None and found is None:
        rules.field_type(record, name, FLAGS[name], "true or false", node, context)
    return found


def _headers(record: Record, context: Context) -> tuple[str, ...]:
    """The headers of the author that are to be included."""
    node = record.value("headers")
    if node is None or not record.has("headers"):
        return ()
    items = node.items if isinstance(node, Sequence) else [node]
    names = [item.value for item in items if isinstance(item, Scalar) and item.kind == "str"]
    if not isinstance(node, Sequence) or len(names) < len(items):
        rules.field_type(record, "headers", "backend-headers-type", "a list of paths of headers", node, context)
    return tuple(names)


def _fallback(record: Record, context: Context) -> str | None:
    node = record.value("fallback")
    if node is None:
        return None
    if isinstance(node, Scalar) and node.value in FALLBACKS:
        return node.value
    rules.backend_fallback(record, node, FALLBACKS, context)
    return None


# Its lists


def _items(record: Record, name: str, context: Context) -> list[Item]:
    """The items of a list that name operators."""
    node = record.value(name)
    if node is None or (name in MAY_BE_EMPTY and not record.has(name)):
        return []
    if not isinstance(node, Sequence):
        rules.field_type(record, name, LISTS[name], "a list of operators", node, context)
        return []
    read = [read_item(item, name, record.key_place(name), context) for item in node.items]
    return [item for item in read if item is not None]


def _resolve(lists: Table[str, list[Item]], model: Model | None, context: Context) -> dict[str, dict[Operator, Item]]:
    """Check every list; give the operators of `supported` (with `full_codegen`), `autograd` and `ir_gen`."""
    operators = {operator.name.text: operator for operator in model.operators} if model else None
    supported = _found([*lists["supported"], *lists["full_codegen"]], operators, context)
    autograd = _found(lists["autograd"], operators, context)
    ir_gen = _found(lists["ir_gen"], operators, context)
    symint = _once(lists["symint"], context)
    if model and operators:
        for operator, item in supported.items():
            if operator.is_composite_implicit:
                rules.backend_composite_operator(item.name, context)
        for item in symint:
            _check_symint(item.name, operators, {**supported, **autograd}, context)
        for group in model.groups if supported and autograd else ():
            members = group.members() if isinstance(group, Group) else (group,)
            rules.backend_group_split(members, supported, autograd, context)
    return {"supported": supported, "autograd": autograd, "ir_gen": ir_gen}


def _found(items: list[Item], operators: Table[str, Operator] | None, context: Context) -> dict[Operator, Item]:
    """The operators that the items name, in order; nothing when there are none to look among."""
    found: dict[Operator, Item] = {}
    for item in _once(items, context):
        name = item.name.value
        operator = operators.get(name) if operators is not None else None
        if operator is not None:
            found[operator] = item
        elif "::" in name:
            rules.backend_operator_namespace(item.name, context)
        elif operators is not None:
            rules.backend_unknown_operator(item.name, operators, context)
    return found


def _once(items: list[Item], context: Context) -> list[Item]:
    """The items without repetitions."""
    first: dict[str, Item] = {}
    for item in items:
        known = first.setdefault(item.name.value, item)
        if known is not item:
            rules.backend_duplicate_operator(item.name, known.name, context)
    return list(first.values())


def _check_symint(
    name: Scalar, operators: Table[str, Operator], listed: Table[Operator, Item], context: Context
) -> None:
    operator = operators.get(name.value)
    if operator is None and "::" in name.value:
        rules.backend_operator_namespace(name, context)
    elif operator is None:
        rules.backend_unknown_symint(name, operators, context)
    elif not operator.schema.has_symint:
        rules.backend_no_symint_argument(name, context)
    elif operator not in listed:
        rules.backend_symint_not_listed(name, context)
    elif "kernel" in listed[operator].names:
        rules.backend_symint_named(name, listed[operator].names["kernel"], context)
