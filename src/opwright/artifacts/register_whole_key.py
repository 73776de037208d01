"""Register<Key>.cpp of releases before 2.7: one file for a dispatch key, and in it one block for each namespace.

In: what is wrapped under a key. Out: for each namespace a block with the functions that make outputs, all wrappers,
their registrations, and the functions of the key.

Rules: spec 08 section 9, what it says of older releases.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.libraries import library_block
from opwright.artifacts.register_key import (
    TEMPLATE,
    definitions,
    frame,
    group_wrappers,
    selected_wrappers,
    shared_values,
    wrapper_namespace,
)
from opwright.artifacts.wrapped import WrappedGroup, WrappedKey, primary
from opwright.artifacts.wrappers import Wrapper, registrations
from opwright.model.model import Group, GroupItem
from opwright.releases.keys import DispatchKey

Wrapped = list[tuple[WrappedGroup, list[Wrapper]]]


def register_whole_keys(emission: Emission) -> Iterator[Planned]:
    """The registrations of every key."""
    for key in emission.keys:
        values = partial(_values, emission.kernels.under(key), emission)
        yield emission.file(f"Register{key.name}.cpp", values, TEMPLATE, family=emission.family(key.device))


def _values(wrapped: WrappedKey, emission: Emission) -> Values:
    # The templates of the time have room for helpers in the blocks, those of today before them.
    shared = shared_values(wrapped, emission)
    blocks = []
    for namespace, groups in _by_namespace(wrapped, emission).items():
        wrappers = [wrapper for _, own in groups for wrapper in own]
        registered = [wrapper for _, own in _remembered(groups, namespace, wrapped, emission) for wrapper in own]
        lines = _registrations(registered, wrapped.key, emission)
        around = frame(wrapped.key, emission, namespace, str(shared["dispatch_helpers"]))
        blocks.append(definitions(around, wrappers, lines, emission))
    return {**shared, "dispatch_definitions": blocks}


def _by_namespace(wrapped: WrappedKey, emission: Emission) -> dict[str, Wrapped]:
    """The groups that have wrappers, each with these, by namespace in the order in which any groups use them."""
    found: dict[str, Wrapped] = {}
    for group in wrapped.groups:
        if group.members:
            own = found.setdefault(wrapper_namespace(group.namespace), [])
            own.append((group, group_wrappers(group, wrapped, emission)))
    if len(found) < 2:
        return found
    order = dict.fromkeys([_namespace(item, wrapped, emission) for item in emission.model.groups])
    return {namespace: found[namespace] for namespace in order if namespace in found}


def _remembered(groups: Wrapped, namespace: str, wrapped: WrappedKey, emission: Emission) -> Wrapped:
    """The groups that are registered.

    torchgen forgets those of a namespace as soon as a group of operators of another one than the last comes along, even
    one without kernels under the key.
    """
    if not emission.options.torchgen_compat:
        return groups
    own = {group.item: (group, wrappers) for group, wrappers in groups}
    remembered: Wrapped = []
    last = ""
    for item in emission.model.groups:
        if _namespace(item, wrapped, emission) == namespace:
            current = (item.functional if isinstance(item, Group) else item).namespace
            if current != last:
                last, remembered = current, []
            if item in own:
                remembered.append(own[item])
    return remembered


def _registrations(wrappers: list[Wrapper], key: DispatchKey, emission: Emission) -> str:
    """The registrations of the operators that are selected, in a block for each namespace."""
    by_namespace: dict[str, list[Wrapper]] = {}
    for wrapper in selected_wrappers(wrappers, emission.options):
        by_namespace.setdefault(wrapper.operator.namespace, []).append(wrapper)
    end = emission.model.release.spelling.library_end
    return "".join(
        [library_block(namespace, key.name, registrations(own), end) for namespace, own in by_namespace.items()]
    )


def _namespace(item: GroupItem, wrapped: WrappedKey, emission: Emission) -> str:
    return wrapper_namespace(emission.kernels.home(primary(item), wrapped.key))
