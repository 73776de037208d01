"""The kernels of a backend: which of its operators has which kernel, and how each is guarded.

In: the items of a backend's lists, looked up in the model. Out: kernels by operator, the classes of structured kernels
that are to be declared, and for every operator whether devices are checked and set.

    add.Tensor                     ->  Kernel("add", "mine::PrivateUse1NativeFunctions")
    as_strided: at::native::slice  ->  Kernel("slice", "at::native")
    mul.out: {structured: true}    ->  Kernel("mul_out", "mine", is_structured=True), StructuredClass(None, False, True)

Rules: spec 11 section 2; structured kernels and fields of operators are Opwright's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opwright.model.context import Context
from opwright.model.listed import Item
from opwright.model.model import Group, Model
from opwright.model.operators import Guards, Kernel, Operator
from opwright.model.rules import backend_items as rules
from opwright.syntax.schema import Kind
from opwright.syntax.yamltree import Scalar
from opwright.values import Value

#: What the classes of structured kernels are called; a base class of that kind has a meta and an impl function.
STRUCTURED_PREFIX = "structured_"
#: The other classes that a declared one may derive from, by their names as they may be written.
BASES = {
    name: full
    for full in ("at::TensorIteratorBase", "at::impl::MetaBase")
    for name in (full, full.removeprefix("at::"), full.rpartition("::")[2])
}
META_BASE = BASES["MetaBase"]

Items = Mapping[Operator, Item]


class StructuredClass(Value):
    """A class to declare for a structured kernel.

    It derives from `base`, or without one from PyTorch's meta class of the operator; `has_meta` and `has_impl` say
    which of the two functions are its own.
    """

    base: str | None
    has_meta: bool
    has_impl: bool


class BackendKernels(Value):
    """The kernels for one dispatch key. `classes` has the structured kernels that are declared, by their out variant.

    `guards` has every operator that gets a wrapper for a kernel: those with kernels and those that a structured one
    serves.
    """

    kernels: dict[Operator, Kernel]
    classes: dict[Operator, StructuredClass]
    guards: dict[Operator, Guards]


class Naming(Value):
    """What the kernels of a backend are called by: the namespace, the class, and the operators under `symint`.

    `has_headers` says that the author's own headers are included, so that classes may be known that are not here.
    """

    namespace: str
    class_name: str
    symint: Mapping[str, Scalar]
    has_headers: bool

    @property
    def scope(self) -> str:
        """Where the functions of the backend are."""
        return f"{self.namespace}::{self.class_name}"


def backend_kernels(
    items: Items, naming: Naming, device_guard: bool | None, model: Model, context: Context
) -> BackendKernels:
    """The kernels for the operators of one list; `device_guard` is what the file says for all of them, if anything."""
    groups = {member: item for item in model.groups if isinstance(item, Group) for member in item.members()}
    structured = _structured(items, groups, naming, context)
    kernels = {operator: _kernel(operator, item, operator in structured, naming) for operator, item in items.items()}
    classes = {operator: _class(items[operator]) for operator in structured if _is_declared(items[operator])}
    _check_class_names([operator for operator in structured if operator in classes], kernels, items, context)
    guards: dict[Operator, Guards] = {}
    for operator, item in items.items():
        served = groups[operator].members() if operator in structured else (operator,)
        default = operator in structured if device_guard is None else device_guard
        # An operator without a check relies on its meta function for it, which may be another one here.
        has_own_meta = operator in classes and classes[operator].has_meta
        guards.update({member: _guards(member, item, default, has_own_meta) for member in served})
    return BackendKernels(kernels, classes, guards)


def _kernel(operator: Operator, item: Item, is_structured: bool, naming: Naming) -> Kernel:
    """The kernel that an item names, or the default one in the backend's own namespace."""
    own = naming.namespace if is_structured else naming.scope
    node = item.names.get("kernel")
    if node is None:
        suffix = "_symint" if operator.name.text in naming.symint and not is_structured else ""
        return Kernel(operator.default_kernel + suffix, own, is_structured)
    namespace, _, name = node.value.rpartition("::")
    return Kernel(name.removeprefix(STRUCTURED_PREFIX) if is_structured else name, namespace or own, is_structured)


def _guards(operator: Operator, item: Item, default: bool, has_own_meta: bool) -> Guards:
    said = item.switches
    return Guards(
        said.get("device_check", default and (operator.device_check or has_own_meta)),
        said.get("device_guard", default and operator.device_guard),
    )


# Structured kernels


def _structured(
    items: Items, groups: Mapping[Operator, Group], naming: Naming, context: Context
) -> dict[Operator, Group]:
    """The out variants with structured kernels, each with its group."""
    found: dict[Operator, Group] = {}
    for operator, item in items.items():
        if not item.is_structured:
            continue
        group = groups.get(operator)
        if rules.backend_structured_member(item, operator, group, context) and group is not None:
            _check_structured(item, group, naming, context)
            found[operator] = group
    for operator, group in found.items():
        for member in group.members():
            if member is not operator and member in items:
                rules.backend_served_by_structured(member, operator, items, context)
    return found


def _check_structured(item: Item, group: Group, naming: Naming, context: Context) -> None:
    rules.backend_structured_form(item, group, context)
    if not _is_declared(item):
        rules.backend_structured_kernel(item, group.out, context)
        return
    form = _class(item)
    if not group.is_structured and form.base is None:
        rules.backend_structured_meta(item, group.out, context)
    if not naming.has_headers or has_functions(form.base):
        rules.backend_structured_base(item, group.out, STRUCTURED_PREFIX, BASES, context)
    if not form.has_impl and not has_functions(form.base):
        rules.backend_structured_impl(item, context)
    for member in group.members():
        if member.name.text in naming.symint:
            rules.backend_structured_symint(naming.symint[member.name.text], context)


def _check_class_names(
    operators: list[Operator], kernels: Mapping[Operator, Kernel], items: Items, context: Context
) -> None:
    """Functions of one name are told apart by their arguments, classes are not."""
    first: dict[str, Operator] = {}
    for operator in operators:
        known = first.setdefault(kernels[operator].name, operator)
        if known is not operator:
            rules.backend_structured_name(operator, kernels[operator], items[operator], items[known], context)


def _is_declared(item: Item) -> bool:
    """Whether the class of a structured kernel is to be declared: it is not when the kernel is an existing one."""
    kernel = item.names.get("kernel")
    return kernel is None or "::" not in kernel.value


def _class(item: Item) -> StructuredClass:
    """The class that an item asks for: what it inherits is not its own, unless that is said."""
    node = item.names.get("structured_inherits")
    base = BASES.get(node.value, node.value) if node else None
    inherits_both = has_functions(base)
    has_meta = item.switches.get("meta", base is not None and not inherits_both)
    has_impl = item.switches.get("impl", not inherits_both)
    return StructuredClass(META_BASE if has_meta and base is None else base, has_meta, has_impl)


def has_functions(base: str | None) -> bool:
    """Whether a base class is itself one of a structured kernel."""
    return base is not None and base.rpartition("::")[2].startswith(STRUCTURED_PREFIX)


# Variants that are made from the functional kernel


def derived_variants(item: Group, kernels: Mapping[Operator, Kernel]) -> Iterator[Operator]:
    """The members of a group without a kernel that are made from its functional one (spec 11 section 4.3)."""
    if item.functional in kernels:
        for member in item.members():
            if member not in kernels and not member.manual_kernel_registration:
                yield member


def check_derived(kernels: BackendKernels, items: Items, model: Model, context: Context) -> None:
    """Report the variants that would be made from a functional kernel but cannot be."""
    for item in model.groups:
        if isinstance(item, Group) and not kernels.kernels.keys().isdisjoint(item.members()):
            if item.out in kernels.kernels and kernels.kernels[item.out].is_structured:
                continue
            for member in derived_variants(item, kernels.kernels):
                if not can_copy_back(member, context.release.copies_lists_back):
                    rules.backend_no_copy_back(items[item.functional], member, context)


def can_copy_back(operator: Operator, copies_lists: bool) -> bool:
    """Whether the results of the functional variant can be copied to where `operator` writes."""
    schema = operator.schema
    if schema.kind not in (Kind.OUT, Kind.INPLACE):
        return False
    return bool(schema.returns) or (copies_lists and len(schema.out) == 1)
