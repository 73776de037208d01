"""RegisterFunctionalization_N.cpp: operators that write or alias, in terms of operators that do neither.

In: groups, view groups and the operators outside them. Out: a kernel for each view and each operator that writes, and
its registration.

Rules: spec 08 sections 12.1 to 12.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.includes import kernel_and_ops_includes
from opwright.artifacts.libraries import beside_aten
from opwright.artifacts.mutation_kernels import MutationKernels
from opwright.artifacts.view_kernels import view_kernel
from opwright.artifacts.view_meta import view_includes
from opwright.model.dispatch import DEFAULT_NAMESPACE
from opwright.model.model import Group, ViewGroup
from opwright.model.operators import Operator
from opwright.releases.keys import COMPOSITE_IMPLICIT
from opwright.signatures.native import native_name
from opwright.syntax.schema import Schema
from opwright.values import Value

KEY = "Functionalize"
SHARDS = 4

Item = Group | ViewGroup | Operator


class MadeItem(Value):
    """What an item gives to its file; registrations come with the namespaces of their operators."""

    includes: list[str]
    kernels: list[str]
    registrations: list[tuple[str, str]]


def functionalization(emission: Emission) -> Iterator[Planned]:
    """RegisterFunctionalization_N.cpp, and the umbrella copy on request."""
    items = [(_root(item), item) for item in work_list(emission)]
    end = emission.model.release.spelling.library_end
    make, values = partial(_made, emission, MutationKernels(emission)), partial(_values, end)
    yield from emission.sharded("RegisterFunctionalization.cpp", SHARDS, items, make, values)


def work_list(emission: Emission) -> list[Item]:
    """All groups, all view groups, and every operator that is in neither."""
    groups = [item for item in emission.model.groups if isinstance(item, Group)]
    views = emission.model.view_groups
    grouped = {member for group in groups for member in group.members()}
    grouped.update(member for group in views for member in group.members())
    return [*groups, *views, *(operator for operator in emission.model.operators if operator not in grouped)]


def _root(item: Item) -> str:
    main = item.functional if isinstance(item, Group) else item.view if isinstance(item, ViewGroup) else item
    return main.name.root


def _made(emission: Emission, mutations: MutationKernels, item: Item) -> MadeItem:
    if not emission.options.selects_everything:
        return MadeItem(_includes(item), [], [])
    registrations = [
        (emission.namespace(operator), registration(operator, emission)) for operator in registered(item, emission)
    ]
    return MadeItem(_includes(item), kernels(item, mutations, emission), registrations)


def _values(end: str, items: list[MadeItem]) -> Values:
    registrations, others = beside_aten([line for item in items for line in item.registrations], KEY, end)
    return {
        "ops_headers": [line for item in items for line in item.includes],
        "func_definitions": [kernel for item in items for kernel in item.kernels] + others,
        "func_registrations": registrations,
        "func_add_back_views_definitions": [],
        "func_add_back_views_registrations": [],
    }


def _includes(item: Item) -> list[str]:
    if isinstance(item, ViewGroup):
        return view_includes(item)
    operators = item.members() if isinstance(item, Group) else (item,)
    return [kernel_and_ops_includes(operator.name.root) for operator in operators]


def kernels(item: Item, mutations: MutationKernels, emission: Emission) -> list[str]:
    """The kernels of an item."""
    if isinstance(item, Group):
        return [mutations.kernel(operator, item.functional) for operator in item.members()[1:]]
    if not isinstance(item, ViewGroup) or item.is_composite:
        return []
    views = (item.view,) if item.view_inplace is None else (item.view, item.view_inplace)
    return [view_kernel(operator, item, emission) for operator in views]


def registered(item: Item, emission: Emission) -> Iterable[Operator]:
    """The operators of an item that are registered."""
    lists, composites = emission.model.release.lists, emission.model.release.functionalization.composites
    if isinstance(item, ViewGroup):
        if item.view.name.text in lists.functionalized_by_hand or (item.is_composite and composites == "none"):
            return []
        return [operator for operator in (item.view, item.view_inplace) if operator is not None]
    members = item.members() if isinstance(item, Group) else (item,)
    exempt = lists.functionalized_by_hand if isinstance(item, Group) else lists.not_functionalized
    if not exempt.isdisjoint([operator.name.text for operator in members]):
        return []
    return [
        operator
        for operator in members
        if (composites == "all" if operator.is_composite_implicit else _writes(operator.schema))
    ]


def _writes(schema: Schema) -> bool:
    return schema.is_annotated and any([item.is_write for item in schema.arguments])


def registration(operator: Operator, emission: Emission) -> str:
    """The line that registers the kernel of an operator; a composite one is registered as it is."""
    kernel = operator.kernel(COMPOSITE_IMPLICIT) if operator.is_composite_implicit else None
    if kernel is None:
        target = f"TORCH_FN(functionalization::{native_name(operator)})"
    else:
        pointer = emission.facts.native(operator, kernel.has_symint).pointer
        # torchgen looks for the kernel in its own namespace, wherever it is.
        namespace = DEFAULT_NAMESPACE if emission.options.torchgen_compat else kernel.namespace
        target = f"static_cast<{pointer}>({namespace}::{kernel.name})"
    return f'm.impl("{operator.name.text}", {target});'
