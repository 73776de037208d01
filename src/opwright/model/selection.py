"""Selections: which operators a build wants.

In: a selection file, or the names of a whitelist. Out: a `Selection` that answers for one operator at a time.

    operators: {"aten::blend": {}}  ->  is_selected("aten::blend.out"), not is_selected("aten::blend_")

Rules: spec 05 section 6.1 and spec 03 section 10 (SE).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from opwright.diagnostics import Severity, did_you_mean, nearest
from opwright.model.context import Context
from opwright.model.fields import boolean
from opwright.model.rules.other_releases import no_operator
from opwright.syntax.records import Record
from opwright.syntax.yamltree import Mapping, Node, Scalar, Sequence, describe, shown_place
from opwright.values import Value, made

#: The keys of a selection file, each with the code of its type rule.
FIELDS = {
    "include_all_operators": "selection-include-all-operators-type",
    "include_all_non_op_selectives": "selection-include-all-non-op-selectives-type",
    "operators": "selection-operators-type",
    "kernel_metadata": "selection-kernel-metadata-type",
    "et_kernel_metadata": "selection-et-kernel-metadata-type",
    "custom_classes": "selection-custom-classes-type",
    "build_features": "selection-build-features-type",
    "debug_info": "selection-debug-info-type",
}
#: The keys of one of its operators.
OPERATOR_FIELDS = {
    "name": "selection-name-mismatch",
    "is_root_operator": "selection-is-root-operator-type",
    "is_used_for_training": "selection-is-used-for-training-type",
    "include_all_overloads": "selection-include-all-overloads-type",
    "debug_info": "selection-debug-info-type",
}


class SelectedOperator(Value):
    """One listed operator: whether its name stands for all its overloads."""

    include_all_overloads: bool = True


_ABSENT = SelectedOperator(include_all_overloads=False)


class Selection(Value):
    """What a build wants: everything, or the `operators` that are listed, by full name (`aten::add.Tensor`)."""

    selects_everything: bool = False
    operators: dict[str, SelectedOperator] = made(default_factory=dict)

    @classmethod
    def of_names(cls, names: Iterable[str]) -> Selection:
        """What a whitelist selects: each name with all its overloads; no name selects nothing."""
        return cls(operators={name: SelectedOperator() for name in names})

    def is_selected(self, full_name: str) -> bool:
        """Whether the operator `full_name` is wanted: listed itself, or by its name without overload."""
        if self.selects_everything or full_name in self.operators:
            return True
        return self._base(full_name).include_all_overloads

    def _base(self, full_name: str) -> SelectedOperator:
        return self.operators.get(full_name.partition(".")[0], _ABSENT)


def read_selection(root: Node, context: Context, known: Collection[str] | None) -> Selection:
    """Read a selection file.

    `known` are the full names of the source's operators; None leaves names unchecked. What is faulty is reported and
    left out.
    """
    if not isinstance(root, Mapping):
        selection_not_a_mapping(root, context)
        return Selection()
    record = Record.of(root)
    selection_unknown_key(record, FIELDS, context)
    for name in ("custom_classes", "build_features", "debug_info"):
        _strings(record, name, context)
    for name in ("kernel_metadata", "et_kernel_metadata"):
        _metadata(record, name, context)
    _flag(record, "include_all_non_op_selectives", False, context)
    return Selection(
        selects_everything=_flag(record, "include_all_operators", False, context),
        operators=_operators(record, Names(known, context.release.name) if known is not None else None, context),
    )


def check_whitelist(names: Iterable[str], known: Collection[str], release: str) -> list[str]:
    """One sentence for each name of a whitelist that selects no operator of the source although it seems to mean one.

    `known` are the full names of the source's operators, and `release` is the release that they follow. Names in a
    namespace of another library are passed over.
    """
    table = Names(known, release)
    found = []
    for name in dict.fromkeys(names):
        fault = table.fault(name, with_overloads=True)
        if fault is not None and fault.severity is Severity.ERROR:
            found.append(f"{fault.message}; {fault.help}" if fault.help else fault.message)
    return found


# Names of operators


class NameFault(Value):
    """What is wrong with the name of an operator; a warning when it may well belong to another library."""

    severity: Severity
    message: str
    help: str | None


class Names:
    """The operators that exist, for finding names that select none of them."""

    __slots__ = ("bases", "full", "release")

    def __init__(self, known: Collection[str], release: str) -> None:
        self.release = release
        # Dictionaries rather than sets: a near name must not depend on the hash seed.
        self.full = dict.fromkeys(known)
        self.bases = dict.fromkeys(name.partition(".")[0] for name in known)

    def fault(self, name: str, with_overloads: bool) -> NameFault | None:
        """What is wrong with `name`; `with_overloads` says that it also stands for its overloads."""
        if name in self.full or (with_overloads and name in self.bases):
            return None
        if name in self.bases:
            overload = next(full for full in self.full if full.startswith(name + "."))
            message = f"every operator '{name}' has an overload name, and 'include_all_overloads' is false"
            return NameFault(Severity.ERROR, message, f"list the overloads you want, such as '{overload}'")
        namespace, _, own = name.rpartition("::")
        if not namespace:
            return self._bare(name)
        namespaces = dict.fromkeys(base.rpartition("::")[0] for base in self.bases)
        if namespace not in namespaces:
            near = nearest(namespace, namespaces)
            moved = f"{near}::{own}"
            if near and (moved in self.full or moved in self.bases):
                return _unknown(name, f"did you mean '{moved}'?")
            message = f"no operator of the source is in the namespace '{namespace}'; '{name}' selects nothing here"
            return NameFault(Severity.WARNING, message, None)
        elsewhere = no_operator(name, self.full, self.release)
        if elsewhere is not None:
            return NameFault(Severity.ERROR, *elsewhere)
        near = self._near(own, namespace)
        return _unknown(name, f"did you mean '{near}'?" if near else None)

    def _bare(self, name: str) -> NameFault:
        """What is wrong with a name without namespace."""
        message = f"'{name}' selects nothing: the names of operators are given with their namespace"
        meant = [full for full in (*self.full, *self.bases) if full.endswith(f"::{name}")]
        near = meant[0] if meant else self._near(name, "aten")
        return NameFault(Severity.ERROR, message, f"did you mean '{near}'?" if near else None)

    def _near(self, own: str, namespace: str) -> str | None:
        """The full name in `namespace` that is most like `own`; that the namespace is the same does not count."""
        start = f"{namespace}::"
        every = self.full if "." in own else self.bases
        near = nearest(own, [full[len(start) :] for full in every if full.startswith(start)])
        return start + near if near else None


def _unknown(name: str, help: str | None) -> NameFault:
    return NameFault(Severity.ERROR, f"there is no operator '{name}'", help)


# Reading the fields


def _operators(record: Record, names: Names | None, context: Context) -> dict[str, SelectedOperator]:
    node = record.value("operators")
    if node is None:
        return {}
    if not isinstance(node, Mapping):
        selection_field_type(record, "operators", "a mapping from operator names to mappings", node, context)
        return {}
    found: dict[str, SelectedOperator] = {}
    for key, value in node.fields.values():
        if not isinstance(value, Mapping):
            selection_operator_type(key, value, context)
            continue
        entry = Record.of(value)
        selection_unknown_key(entry, OPERATOR_FIELDS, context)
        selection_name_mismatch(key, entry, context)
        _strings(entry, "debug_info", context)
        for name in ("is_root_operator", "is_used_for_training"):
            _flag(entry, name, True, context)
        operator = SelectedOperator(include_all_overloads=_flag(entry, "include_all_overloads", True, context))
        found[key.value] = operator
        if names is not None:
            selection_unknown_operator(key, operator, names, context)
    return found


def _flag(record: Record, name: str, default: bool, context: Context) -> bool:
    node = record.value(name)
    found = None if node is None else boolean(node)
    if node is not None and found is None:
        selection_field_type(record, name, "true or false", node, context)
    return default if found is None else found


def _strings(record: Record, name: str, context: Context) -> None:
    """Check a list of words whose content has no influence on generated code."""
    node = record.value(name)
    if node is not None and not _is_words(node):
        selection_field_type(record, name, "a list of words", node, context)


def _metadata(record: Record, name: str, context: Context) -> None:
    """Check the words by kernel that a metadata field gives; they have no influence on generated code."""
    node = record.value(name)
    if node is None:
        return
    if not isinstance(node, Mapping):
        help = "write '{}' when there is nothing" if isinstance(node, Sequence) and not node.items else None
        selection_field_type(record, name, "a mapping from kernels to lists", node, context, help)
        return
    for key, value in node.fields.values():
        if not _is_words(value):
            selection_metadata_type(name, key, value, context)


def _is_words(node: Node) -> bool:
    return isinstance(node, Sequence) and all(isinstance(item, Scalar) for item in node.items)


# Rules


def selection_not_a_mapping(root: Node, context: Context) -> None:
    """SE-5: a selection file that is no mapping, one that says `null` for instance."""
    message = f"a selection file is a mapping with keys such as 'operators', not {describe(root)}"
    context.error("selection-not-a-mapping", message, root.place, "'include_all_operators: true' selects everything")


def selection_unknown_key(record: Record, names: Collection[str], context: Context) -> None:
    """SE-2: a key that a selection file, or one of its operators, does not have."""
    what = "a selection file" if names is FIELDS else "an operator of a selection file"
    for name in record.fields:
        if name not in names:
            message = f"'{name}' is not a key of {what}"
            context.error("selection-unknown-key", message, record.key_place(name), did_you_mean(name, names))


def selection_field_type(
    record: Record, name: str, wanted: str, node: Node, context: Context, help: str | None = None
) -> None:
    """SE-3: a value that is not of its type; every key has a code of its own."""
    message = f"'{name}' must be {wanted}, not {_described(node)}"
    context.error(FIELDS.get(name) or OPERATOR_FIELDS[name], message, record.place(name), help)


def selection_metadata_type(name: str, key: Scalar, value: Node, context: Context) -> None:
    """SE-3: the metadata of one kernel that is no list; torchgen takes a word apart into its letters."""
    message = f"'{key.value}' must be a list of words, not {_described(value)}"
    context.error(FIELDS[name], message, shown_place(value, key.place))


def _described(node: Node) -> str:
    return "a list of other things" if isinstance(node, Sequence) and not _is_words(node) else describe(node)


def selection_operator_type(key: Scalar, value: Node, context: Context) -> None:
    """SE-5: an operator whose value is no mapping; torchgen fails on an empty one."""
    message = f"what is wanted of '{key.value}' must be a mapping, not {describe(value)}"
    context.error("selection-operator-type", message, shown_place(value, key.place), "write '{}' to take it as it is")


def selection_name_mismatch(key: Scalar, entry: Record, context: Context) -> None:
    """SE-4: an operator that calls itself by another name than its key."""
    node = entry.value("name")
    if node is None or (isinstance(node, Scalar) and node.value == key.value):
        return
    name = f"'{node.value}'" if isinstance(node, Scalar) and node.value else describe(node)
    message = f"the name of this operator must be its key '{key.value}', not {name}"
    context.error("selection-name-mismatch", message, entry.place("name"), "leave 'name' out")


def selection_unknown_operator(key: Scalar, operator: SelectedOperator, names: Names, context: Context) -> None:
    """A name that selects no operator; torchgen leaves such operators out without a word."""
    fault = names.fault(key.value, operator.include_all_overloads)
    if fault is None:
        return
    if fault.severity is Severity.ERROR:
        context.error("selection-unknown-operator", fault.message, key.place, fault.help)
    else:
        context.warning("selection-unknown-namespace", fault.message, key.place, fault.help)
