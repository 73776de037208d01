"""Which operators get a wrapper function under which dispatch key.

In: a model. Out: for a key, its groups in order, each with the members that get a wrapper: those with a kernel, all of
a structured group where the key has a structured kernel, and in-place operators under Meta.

Rules: spec 08 section 9.1 and spec 05 section 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from opwright.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright.model.backend_kernels import StructuredClass

_NO_KERNELS: Mapping[Operator, Kernel] = {}


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
        self._sees_all = not is_compat and any(map(_is_foreign_structured, model.groups))
        self.ranks = {key: rank for rank, key in enumerate(model.kernels)}
        self._keys: dict[DispatchKey, WrappedKey] = {}
        self._places: dict[Operator, int] = {}
        self._structured: list[int] = []
        self._inplace: list[int] = []
        for place, item in enumerate(model.groups):
            if isinstance(item, Group) and item.is_structured:
                self._structured.append(place)
            for member in members(item):
                self._places[member] = place
                if is_stub(member):
                    self._inplace.append(place)

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
        kernel = self.model.kernels.get(key, _NO_KERNELS).get(operator)
        if kernel is None:
            return DEFAULT_NAMESPACE
        works = operator.namespace == ATEN and not kernel.is_structured and not key.device.checks
        return kernel.namespace if works or self.is_compat else DEFAULT_NAMESPACE

    def _under(self, key: DispatchKey) -> WrappedKey:
        kernels = self.model.kernels.get(key)
        if kernels is None:
            if key.from_meta is None or not self._sees_all:
                return WrappedKey(key, False, NO_DEVICE, _NO_KERNELS, ())
            kernels = {}
        places = {self._places[operator] for operator in kernels}
        if key.from_meta is not None:
            places.update(self._structured)
            places.update(self._inplace if key.from_meta.has_stubs else ())
        groups = [self._wrapped(self.model.groups[place], key, kernels) for place in sorted(places)]
        return WrappedKey(key, True, key.device, kernels, tuple(groups))

    def _wrapped(self, item: GroupItem, key: DispatchKey, kernels: Mapping[Operator, Kernel]) -> WrappedGroup:
        kernel = kernels.get(primary(item))
        is_structured = isinstance(item, Group) and item.is_structured
        is_structured = is_structured and (key.from_meta is not None or (kernel is not None and kernel.is_structured))
        wrapped = tuple(_structured_members(item, key) if is_structured else _plain_members(item, key, kernels))
        return WrappedGroup(item, root_of(item), self.home(primary(item), key), wrapped, is_structured)


def _is_foreign_structured(item: GroupItem) -> bool:
    return isinstance(item, Group) and item.is_structured and item.out.namespace != ATEN


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
    serving = (COMPOSITE_IMPLICIT, COMPOSITE_EXPLICIT, COMPOSITE_EXPLICIT_NON_FUNCTIONAL)
    return not any([operator.has_kernel(key) for key in serving])


def _structured_members(item: GroupItem, key: DispatchKey) -> Iterator[Operator]:
    calls_out = key.from_meta is not None and key.from_meta.calls_out
    for member in members(item):
        if not calls_out or member.schema.kind is not Kind.OUT:
            yield member


def _plain_members(item: GroupItem, key: DispatchKey, kernels: Mapping[Operator, Kernel]) -> Iterator[Operator]:
    has_stubs = key.from_meta is not None and key.from_meta.has_stubs
    for member in members(item):
        is_wrapped = member in kernels or (has_stubs and is_stub(member))
        if is_wrapped and not member.manual_kernel_registration:
            yield member
