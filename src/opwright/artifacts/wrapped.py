"""Which operators get a wrapper function under which dispatch key.

In: a model. Out: for a key, its groups in order, each with the members that get a wrapper: those with a kernel, all of
a structured group where the key has a structured kernel, and in-place operators under Meta.

Rules: spec 08 section 9.1 and spec 05 section 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType

from opwright.artifacts.libraries import ATEN
from opwright.model.dispatch import DEFAULT_NAMESPACE
from opwright.model.model import Group, GroupItem, Model
from opwright.model.operators import GUARDS, NO_GUARDS, Guards, Kernel, Operator
from opwright.releases.devices import NO_DEVICE, Device
from opwright.releases.keys import (
    COMPOSITE_EXPLICIT,
    COMPOSITE_EXPLICIT_NON_FUNCTIONAL,
    COMPOSITE_IMPLICIT,
    DispatchKey,
)
from opwright.syntax.schema import Kind
from opwright.values import Value, derived

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright.model.backend_kernels import StructuredClass

_NO_KERNELS: Mapping[Operator, Kernel] = {}
#: Keys under which one kernel serves the Meta key too.
_SERVING = frozenset({COMPOSITE_IMPLICIT, COMPOSITE_EXPLICIT, COMPOSITE_EXPLICIT_NON_FUNCTIONAL})


class GroupFacts(Value):
    """What is true of a group under all dispatch keys; `main` is the operator whose kernel speaks for it."""

    item: GroupItem
    root: str
    main: Operator
    members: tuple[Operator, ...]
    is_structured: bool


class WrappedGroup(Value):
    """A group under one dispatch key, with the members that get a wrapper.

    `namespace` is where the wrappers belong, see `KernelIndex.home`. `members` is empty for a group that has kernels
    which are registered by hand. With `is_structured` the wrappers are those of structured kernels.
    """

    item: GroupItem
    root: str
    namespace: str
    members: tuple[Operator, ...]
    is_structured: bool


class WrappedKey(Value):
    """What one dispatch key has: its kernels, what its device needs, and its groups.

    Under a key that no operator mentions there is nothing, not even what it would get by itself, and its device is not
    known (`is_seen`). `guards` has what holds for single operators instead of what follows from the device.
    `has_guards` says whether there are wrappers that do anything about devices.
    `scope` is the class of a backend outside PyTorch, whose functions take arguments as the dispatcher passes them, and
    `classes` has what it declares for its structured kernels, by their out variants.
    """

    key: DispatchKey
    is_seen: bool
    device: Device
    kernels: Mapping[Operator, Kernel]
    groups: tuple[WrappedGroup, ...]
    guards: Mapping[Operator, Guards] = MappingProxyType({})
    scope: str = ""
    classes: Mapping[Operator, StructuredClass] = MappingProxyType({})
    has_guards: bool = derived()

    def __post_init__(self) -> None:
        object.__setattr__(self, "has_guards", self.device.checks or bool(self.guards))

    def guards_of(self, operator: Operator) -> Guards:
        """What the wrapper of an operator does about devices."""
        found = self.guards.get(operator)
        if found is not None:
            return found
        return GUARDS[operator.device_check, operator.device_guard] if self.device.checks else NO_GUARDS

    @property
    def calls_out(self) -> bool:
        """Whether structured kernels compute by calling the out variant."""
        return self.key.from_meta is not None and self.key.from_meta.calls_out


class KernelIndex:
    """The kernels of a model by dispatch key; what is found for a key is kept. `ranks` has the order of the keys.

    torchgen makes structured kernels of meta functions only when some entry happens to mention the key, which no small
    library would. With `is_compat` that is so for all libraries, otherwise for operators of `aten` alone.
    """

    def __init__(self, model: Model, *, is_compat: bool) -> None:
        self.model = model
        self.is_compat = is_compat
        self.ranks = {key: rank for rank, key in enumerate(model.kernels)}
        self.groups = list(map(group_facts, model.groups))
        self._keys: dict[DispatchKey, WrappedKey] = {}
        self._places = {member: place for place, group in enumerate(self.groups) for member in group.members}
        self._structured = [place for place, group in enumerate(self.groups) if group.is_structured]
        self._stubs = {operator for operator in self._places if is_stub(operator)}
        self._by_hand = {operator for operator in self._places if operator.manual_kernel_registration}
        self._sees_all = not is_compat and any(self.groups[at].main.namespace != ATEN for at in self._structured)

    @cached_property
    def elsewhere(self) -> frozenset[Operator]:
        """The operators with kernels in other namespaces than the default one."""
        rows = self.model.kernels.values()
        return frozenset([one for row in rows for one, kernel in row.items() if kernel.namespace != DEFAULT_NAMESPACE])

    def under(self, key: DispatchKey) -> WrappedKey:
        """What there is under a dispatch key."""
        found = self._keys.get(key)
        if found is None:
            found = self._keys[key] = self._under(key)
        return found

    def home(self, operator: Operator, key: DispatchKey) -> str:
        """The namespace beside which the wrapper of an operator's kernel is, and the functions of its key.

        torchgen puts them beside the kernel, where half of the callers miss them, and where wrappers that check devices
        or are structured miss the names of `at`. Here they are in `at`, but for operators of `aten` that torchgen has
        working wrappers for.
        """
        return self._home(operator, self.model.kernels.get(key, _NO_KERNELS).get(operator), key)

    def _home(self, operator: Operator, kernel: Kernel | None, key: DispatchKey) -> str:
        if kernel is None or kernel.namespace == DEFAULT_NAMESPACE:
            return DEFAULT_NAMESPACE
        works = operator.namespace == ATEN and not kernel.is_structured and not key.device.checks
        return kernel.namespace if works or self.is_compat else DEFAULT_NAMESPACE

    def _under(self, key: DispatchKey) -> WrappedKey:
        kernels, from_meta = self.model.kernels.get(key), key.from_meta
        if kernels is None:
            if from_meta is None or not self._sees_all:
                return WrappedKey(key, False, NO_DEVICE, _NO_KERNELS, ())
            kernels = {}
        served = {*kernels, *self._stubs} if from_meta is not None and from_meta.has_stubs else {*kernels}
        places = set(map(self._places.__getitem__, served))
        if from_meta is not None:
            places.update(self._structured)
        served -= self._by_hand
        groups = [self._wrapped(self.groups[place], key, kernels, served) for place in sorted(places)]
        return WrappedKey(key, True, key.device, kernels, tuple(groups))

    def _wrapped(
        self, group: GroupFacts, key: DispatchKey, kernels: Mapping[Operator, Kernel], served: set[Operator]
    ) -> WrappedGroup:
        """A group under a key, where plain kernels of the operators in `served` get wrappers."""
        kernel, from_meta, wrapped = kernels.get(group.main), key.from_meta, group.members
        is_structured = group.is_structured and (from_meta is not None or (kernel is not None and kernel.is_structured))
        if not is_structured:
            if not served.issuperset(wrapped):
                wrapped = tuple([one for one in wrapped if one in served])
        elif from_meta is not None and from_meta.calls_out:
            wrapped = tuple([one for one in wrapped if one is not group.main])
        return WrappedGroup(group.item, group.root, self._home(group.main, kernel, key), wrapped, is_structured)


def group_facts(item: GroupItem) -> GroupFacts:
    """What is true of a group, or of an operator that stands alone, under all dispatch keys."""
    if isinstance(item, Group):
        return GroupFacts(item, item.functional.name.root, item.out, item.members(), item.is_structured)
    return GroupFacts(item, item.name.root, item, (item,), False)


def members(item: GroupItem) -> tuple[Operator, ...]:
    """The operators of a group; of an operator that stands alone, itself."""
    return item.members() if isinstance(item, Group) else (item,)


def primary(item: GroupItem) -> Operator:
    """The operator whose kernel speaks for a group: the out variant."""
    return item.out if isinstance(item, Group) else item


def root_of(item: GroupItem) -> str:
    """The root name of a group."""
    return (item.functional if isinstance(item, Group) else item).name.root


def is_stub(operator: Operator) -> bool:
    """Whether an in-place operator without a meta kernel gets one that only returns `self`."""
    if operator.schema.kind is not Kind.INPLACE or len(operator.schema.returns) != 1:
        return False
    return not any([key.name in _SERVING for key in operator.kernels])
