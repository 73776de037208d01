"""Rules for backend files.

In: what a backend file says, piece by piece. Out: diagnostics in the context.

Rules: spec 03 section 10 (BY, LZ), spec 01 section 14, and what torchgen accepts without a word.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from opwright.diagnostics import Related, did_you_mean
from opwright.model.context import Context
from opwright.model.rules.names import is_cpp_name
from opwright.model.rules.other_releases import no_operator
from opwright.releases.history import when_known
from opwright.source import Place
from opwright.syntax.records import Record
from opwright.syntax.yamltree import Node, Scalar, Sequence, describe, shown_place

if TYPE_CHECKING:
    from opwright.model.listed import Item
    from opwright.model.operators import Operator

#: Levels of namespace that the class of a backend's kernels may be in.
MAX_NAMESPACES = 2


def backend_not_a_mapping(root: Node, context: Context) -> None:
    """BY-0: a backend file that is no mapping."""
    message = (
        f"a backend file is a mapping with 'backend', 'cpp_namespace' and lists of operators, not {describe(root)}"
    )
    context.error("backend-not-a-mapping", message, root.place)


def backend_unknown_key(record: Record, names: Collection[str], context: Context) -> None:
    """BY-6: a key that a backend file does not have."""
    for name in record.fields:
        if name == "extra_headers":
            backend_extra_headers(record, context)
        elif name not in names:
            message = f"'{name}' is not a key of a backend file"
            context.error("backend-unknown-key", message, record.key_place(name), did_you_mean(name, names))


def backend_extra_headers(record: Record, context: Context) -> None:
    """BY-6: `extra_headers`, which torchgen lists among the keys that it knows and then refuses."""
    message = "'extra_headers' has no effect and is refused, by torchgen too although it says that it knows the key"
    help = "name what the declarations need under 'headers'; include what kernels need where they are defined"
    context.error("backend-extra-headers", message, record.key_place("extra_headers"), help)


def backend_key_missing(record: Record, names: Collection[str], context: Context) -> None:
    """BY-1: no dispatch key; a misspelled `backend` has been reported as an unknown key."""
    if not _is_misspelled("backend", record, names):
        message = "this file has no 'backend' with the dispatch key that its kernels are registered for"
        context.error("backend-key-missing", message, record.key_place("backend"), "write 'backend: PrivateUse1'")


def backend_namespace_missing(record: Record, names: Collection[str], context: Context) -> None:
    """BY-2: no namespace; a misspelled `cpp_namespace` has been reported as an unknown key."""
    if not _is_misspelled("cpp_namespace", record, names):
        message = "this file has no 'cpp_namespace' with the C++ namespace of its kernels"
        context.error("backend-namespace-missing", message, record.key_place("cpp_namespace"))


def _is_misspelled(name: str, record: Record, names: Collection[str]) -> bool:
    hint = did_you_mean(name, [name])
    return any(did_you_mean(given, names) == hint for given in record.fields if given not in names)


def field_type(record: Record, name: str, code: str, wanted: str, node: Node, context: Context) -> None:
    """BY-3, BY-4, BY-5, BY-13, LZ-2: a value that is not of its type; every key has a code of its own."""
    context.error(code, f"'{name}' must be {wanted}, not {describe(node)}", record.place(name))


# The backend itself


def backend_unknown_dispatch_key(node: Scalar, context: Context) -> None:
    """BY-8: a backend that is no dispatch key; torchgen looks only when operators are listed."""
    message = f"'{node.value}' is not a dispatch key of PyTorch {context.release.name}"
    when = when_known(lambda other: node.value in other.keys, context.release.name)
    hint = did_you_mean(node.value, context.release.keys)
    help = "a backend without a key of its own uses 'PrivateUse1'"
    if when is not None:
        hint = f"{when}; {help}"
    elif hint is None:
        hint = help
    elif "PrivateUse" not in hint:
        hint = f"{hint} Or: {help}"
    context.error("backend-unknown-dispatch-key", message, node.place, hint)


def backend_unknown_autograd_key(record: Record, name: str, context: Context) -> None:
    """BY-8: operators for autograd although the backend has no key for it."""
    message = f"there are operators for autograd, but 'Autograd{name}' is not a dispatch key"
    related = [Related(record.place("backend"), "the backend")]
    place = record.key_place("autograd")
    context.faults.error("backend-unknown-autograd-key", message, place, None, related)


def backend_key_taken(record: Record, key: str, operator: Operator, context: Context) -> None:
    """BY-9: a dispatch key for which the source has kernels of its own."""
    message = f"the source itself has kernels for '{key}', so no other backend can be registered for it"
    related = [Related(operator.name_place, "one of the operators with such a kernel")]
    context.faults.error("backend-key-taken", message, record.place("backend"), None, related)


def backend_namespace_form(node: Scalar, context: Context) -> None:
    """A namespace that C++ does not take, or one that is deeper than can be written."""
    levels = node.value.split("::")
    wrong = next((level for level in levels if not is_cpp_name(level)), None)
    if wrong is not None:
        message = f"'{wrong}' is not a C++ name" if wrong else f"a name is missing in '{node.value}'"
        context.error("backend-namespace-form", message, node.place)
    elif len(levels) > MAX_NAMESPACES:
        message = f"'{node.value}' has {len(levels)} levels of namespace; a backend can have {MAX_NAMESPACES}"
        context.error("backend-namespace-depth", message, node.place)


def backend_fallback(record: Record, node: Node, names: Collection[str], context: Context) -> None:
    """A fallback that there is not."""
    found = f"'{node.value}'" if isinstance(node, Scalar) and node.kind == "str" else describe(node)
    message = f"'fallback' must be {' or '.join([repr(name) for name in names])}, not {found}"
    context.error("backend-fallback", message, record.place("fallback"), "without it, nothing is registered")


def backend_class_name(node: Scalar, context: Context) -> None:
    """A class name that C++ does not take."""
    if not is_cpp_name(node.value):
        help = "the namespace of the class is that of 'cpp_namespace'" if "::" in node.value else None
        context.error("backend-class-name", f"'{node.value}' is not the name of a C++ class", node.place, help)


# Its lists


def backend_duplicate_operator(item: Scalar, first: Scalar, context: Context) -> None:
    """An operator that is listed twice; torchgen takes it once, and released backends rely on it."""
    related = [Related(first.place, "first listed here")]
    message = f"'{item.value}' is listed already"
    context.faults.warning("backend-duplicate-operator", message, item.place, "remove one of the two", related)


def backend_unknown_operator(item: Scalar, operators: Mapping[str, Operator], context: Context) -> None:
    """BY-7: an operator that the source does not have."""
    message, hint = _no_operator(item.value, operators, context)
    context.error("backend-unknown-operator", message, item.place, hint)


def _no_operator(name: str, operators: Mapping[str, Operator], context: Context) -> tuple[str, str | None]:
    """What to say of a name that is no operator: in which release it was one, or which one was meant."""
    elsewhere = no_operator(name, operators, context.release.name)
    if elsewhere is not None:
        return elsewhere
    overloads = [known for known in operators if known.partition(".")[0] == name.partition(".")[0]]
    if "." not in name and overloads:
        return f"there is no operator '{name}' without an overload", f"there is {', '.join(overloads)}"
    return f"there is no operator '{name}'", did_you_mean(name, overloads or operators)


def backend_operator_namespace(item: Scalar, context: Context) -> None:
    """BY-7: an operator with its namespace."""
    help = f"write '{item.value.rpartition('::')[2]}'"
    context.error("backend-operator-namespace", "operators are listed without their namespace", item.place, help)


def backend_composite_operator(item: Scalar, context: Context) -> None:
    """A kernel of the backend for an operator that runs as other operators; torchgen takes it without a word."""
    message = f"'{item.value}' is composite: a kernel of the backend takes away the derivative it has through others"
    help = "list it under 'autograd' and give its derivative, or leave it out"
    context.warning("backend-composite-operator", message, item.place, help)


def backend_unknown_symint(item: Scalar, operators: Mapping[str, Operator], context: Context) -> None:
    """A name under `symint` that is no operator; torchgen passes over it."""
    message, hint = _no_operator(item.value, operators, context)
    context.error("backend-unknown-symint", message, item.place, hint)


def backend_symint_not_listed(item: Scalar, context: Context) -> None:
    """An operator under `symint` without a kernel of the backend; torchgen passes over it."""
    message = f"'{item.value}' has no effect here: it is in none of the lists of operators with kernels"
    context.warning("backend-symint-not-listed", message, item.place, "add it to 'supported', or remove it here")


def backend_symint_named(item: Scalar, kernel: Scalar, context: Context) -> None:
    """An operator under `symint` whose kernel is named: the name alone says then what the kernel takes."""
    if "_symint" not in kernel.value:
        message = f"'{kernel.value}' is called with plain integers, because '_symint' is not in its name"
        related = [Related(kernel.place, "the kernel")]
        context.faults.warning("backend-symint-named", message, item.place, "remove it here", related)


def backend_no_symint_argument(item: Scalar, context: Context) -> None:
    """LT-5: an operator under `symint` that takes no symbolic sizes; torchgen fails when it writes the kernel."""
    message = f"'{item.value}' has no SymInt argument, so its kernel cannot take one"
    context.error("backend-no-symint-argument", message, item.place, "remove it here")


def backend_nothing_supported(record: Record, is_lazy: bool, context: Context) -> None:
    """No operator with a kernel of the backend; torchgen then writes nothing, even if `autograd` lists operators.

    LZ-1: for a lazy backend that is an error.
    """
    if _lists_something(record, "supported") or _lists_something(record, "full_codegen"):
        return
    if record.has("fallback") and not is_lazy:
        return
    if _lists_something(record, "autograd"):
        message = "only operators for autograd are listed: without an operator under 'supported' nothing is generated"
        place = record.key_place("autograd")
    else:
        message = "no operator is listed, so nothing is generated"
        place = record.start
    report = context.error if is_lazy else context.warning
    report("backend-nothing-supported", message, place, "list the operators under 'supported'")


def _lists_something(record: Record, name: str) -> bool:
    """Whether a list has items, faulty ones too; a value that is no list has been reported."""
    node = record.value(name)
    return bool(node.items) if isinstance(node, Sequence) else record.has(name)


def backend_group_split(
    members: Collection[Operator],
    supported: Mapping[Operator, Item],
    autograd: Mapping[Operator, Item],
    context: Context,
) -> None:
    """BY-10: variants of one operator of which some are registered for the backend and some for its autograd key."""
    own = next((supported[operator].name for operator in members if operator in supported), None)
    split = next((autograd[operator].name for operator in members if operator in autograd), None)
    if own is None or split is None:
        return
    if own.value == split.value:
        message = f"'{split.value}' has a kernel of the backend and one for its autograd; it can have only one of them"
    else:
        message = (
            f"'{split.value}' and '{own.value}' are variants of one operator, so both are registered for the backend "
            "or both for its autograd"
        )
    related = [Related(own.place, "listed for the backend")]
    context.faults.error("backend-group-split", message, split.place, None, related)


# Operators without an entry in the source


def non_native_not_a_mapping(item: Node, list_place: Place, context: Context) -> None:
    """LZ-4: an item of `non_native` that is no mapping."""
    place = shown_place(item, list_place)
    message = f"'non_native' lists mappings with 'func', not {describe(item)}"
    context.error("non-native-not-a-mapping", message, place, "a list item starts with '- func: '")


def non_native_unknown_key(record: Record, names: Collection[str], context: Context) -> None:
    """A key that an item of `non_native` does not have; torchgen passes over it."""
    for name in record.fields:
        if name not in names:
            message = f"'{name}' is not a key of an operator under 'non_native'"
            context.error("non-native-unknown-key", message, record.key_place(name), did_you_mean(name, names))


def non_native_unknown_property(item: Scalar, names: Collection[str], context: Context) -> None:
    """LZ-4: a property that nodes do not have."""
    message = f"'{item.value}' is not a property of a node"
    context.error("non-native-unknown-property", message, item.place, did_you_mean(item.value, names))
