"""Declarations of kernels: NativeFunctions.h and ops/*_native.h.

In: groups and their kernels under every dispatch key. Out: a function declaration for each plain kernel and a class for
each structured one, namespace by namespace.

Rules: spec 08 section 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.includes import meta_include, native_include
from opwright.artifacts.meta import meta_class
from opwright.artifacts.wrapped import members, primary, root_of
from opwright.cpp.namespaces import block
from opwright.model.dispatch import DEFAULT_NAMESPACE
from opwright.model.model import Group, GroupItem
from opwright.model.operators import Kernel, Operator
from opwright.releases.keys import DispatchKey
from opwright.values import Value

#: The export macro of what is no single device's.
GENERAL_API = "TORCH_API"
#: Kernels with this in their name are declared by hand.
LEGACY = "legacy::"


def native_functions(emission: Emission) -> Iterator[Planned]:
    """NativeFunctions.h."""

    def values() -> Values:
        if emission.options.per_operator_headers:
            includes = [native_include(root) for root in sorted(emission.roots)]
            return {"NativeFunctions_includes": includes, "NativeFunctions_declarations": []}
        declarations = kernel_blocks(emission.model.groups, emission)
        return {
            "NativeFunctions_includes": ["#include <ATen/NativeMetaFunctions.h>"],
            "NativeFunctions_declarations": declarations,
        }

    yield emission.file("NativeFunctions.h", values)


def per_operator_headers(emission: Emission) -> Iterator[Planned]:
    """ops/ROOT_native.h for every root name."""
    if not emission.options.per_operator_headers:
        return
    by_root: dict[str, list[GroupItem]] = {}
    for item in emission.model.groups:
        by_root.setdefault(root_of(item), []).append(item)
    for root, items in by_root.items():
        values = partial(_root_values, emission, root, items)
        yield emission.file(f"ops/{root}_native.h", values, "NativeFunction.h", family="ops")


def _root_values(emission: Emission, root: str, items: list[GroupItem]) -> Values:
    has_meta = any(isinstance(item, Group) and item.is_structured for item in items)
    return {
        "extra_includes": meta_include(root) if has_meta else [],
        "native_function_declarations": kernel_blocks(items, emission),
    }


def kernel_blocks(items: Iterable[GroupItem], emission: Emission) -> list[str]:
    """The declarations of all kernels of some groups, in a block for each namespace."""
    table, ranks = emission.model.kernels, emission.kernels.ranks
    by_namespace: dict[str, list[Declared]] = {}
    # torchgen takes a key without any kernel for one with kernels in its own namespace, once it has looked for them.
    has_bare_keys = emission.has_bare_keys
    for item in items:
        main = primary(item)
        tables = [member.kernels for member in members(item)]
        own = {key for row in tables for key in row}
        # Keys that the group has nothing under matter only where they may put one namespace before another.
        is_mixed = any([kernel.namespace != DEFAULT_NAMESPACE for row in tables for kernel in row.values()])
        for key in table if is_mixed else sorted(own, key=ranks.__getitem__):
            kernels = table[key]
            kernel = kernels.get(main)
            by_namespace.setdefault(kernel.namespace if kernel else DEFAULT_NAMESPACE, [])
            for declared in _declared(item, key, kernels, emission):
                by_namespace.setdefault(declared.namespace, []).append(declared)
        if has_bare_keys or len(own) < len(table):
            by_namespace.setdefault(DEFAULT_NAMESPACE, [])
    merge = merged if emission.model.release.kernels.merged_exports else spelled
    return [block(namespace, merge(declared)) for namespace, declared in by_namespace.items()]


class Declared(Value):
    """A declaration in a namespace: an export macro, and what stands before and behind it."""

    namespace: str
    before: str
    macro: str
    behind: str

    @property
    def text(self) -> str:
        return f"{self.before}{self.macro} {self.behind}"


def spelled(items: Iterable[Declared]) -> list[str]:
    """The texts of declarations."""
    return [item.text for item in items]


def merged(items: Iterable[Declared]) -> list[str]:
    """The texts of declarations; of those that differ in the macro alone, one: with the general macro, or the first."""
    found: dict[tuple[str, str], Declared] = {}
    for item in items:
        same = item.before, item.behind
        if same not in found or item.macro == GENERAL_API != found[same].macro:
            found[same] = item
    return spelled(found.values())


def _declared(
    item: GroupItem, key: DispatchKey, kernels: dict[Operator, Kernel], emission: Emission
) -> Iterator[Declared]:
    """The declarations of a group's kernels under one key."""
    main = kernels.get(primary(item))
    if isinstance(item, Group) and main is not None and main.is_structured:
        yield structured_class(item, main, key, emission)
        return
    for member in members(item):
        kernel = kernels.get(member)
        if kernel is not None and LEGACY not in kernel.name:
            # torchgen declares all kernels of a group where that of the out variant is, and calls them elsewhere.
            is_compat = emission.options.torchgen_compat
            shared = main.namespace if main else DEFAULT_NAMESPACE
            namespace = shared if is_compat else kernel.namespace
            signature = emission.facts.native(member, kernel.has_symint)
            function = f"{signature.returns} {kernel.name}({signature.declarations});"
            yield Declared(namespace, "", _macro(kernel, key.device.api, emission), function)


def structured_class(group: Group, kernel: Kernel, key: DispatchKey, emission: Emission) -> Declared:
    """The class of a structured kernel."""
    parameters = ", ".join(
        [binding.definition for binding in emission.facts.structured.impl(group, group.out.precomputed)]
    )
    body = f"""structured_{kernel.name} : public at::meta::{meta_class(group)} {{
void impl({parameters});
}};
"""
    return Declared(kernel.namespace, "struct ", _macro(kernel, key.device.class_api, emission), body)


def _macro(kernel: Kernel, own: str, emission: Emission) -> str:
    """The export macro of a kernel: its device's `own`, unless it is compiled for the library of the CPU."""
    return GENERAL_API if kernel.name in emission.model.release.lists.kernels_for_cpu else own
