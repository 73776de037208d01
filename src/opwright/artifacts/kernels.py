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
    table = emission.model.kernels
    ranks = {key: rank for rank, key in enumerate(table)}
    by_namespace: dict[str, list[str]] = {}
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
            for namespace, text in _declared(item, key, kernels, emission):
                by_namespace.setdefault(namespace, []).append(text)
        if has_bare_keys or len(own) < len(table):
            by_namespace.setdefault(DEFAULT_NAMESPACE, [])
    return [block(namespace, texts) for namespace, texts in by_namespace.items()]


def _declared(
    item: GroupItem, key: DispatchKey, kernels: dict[Operator, Kernel], emission: Emission
) -> Iterator[tuple[str, str]]:
    """The declarations of a group's kernels under one key, each with its namespace."""
    main = kernels.get(primary(item))
    if isinstance(item, Group) and main is not None and main.is_structured:
        yield main.namespace, structured_class(item, main, key, emission)
        return
    for member in members(item):
        kernel = kernels.get(member)
        if kernel is not None and LEGACY not in kernel.name:
            # torchgen declares all kernels of a group where that of the out variant is, and calls them elsewhere.
            is_compat = emission.options.torchgen_compat
            shared = main.namespace if main else DEFAULT_NAMESPACE
            yield shared if is_compat else kernel.namespace, emission.kernel_declaration(member, kernel)


def structured_class(group: Group, kernel: Kernel, key: DispatchKey, emission: Emission) -> str:
    """The class of a structured kernel."""
    parameters = ", ".join(
        [binding.definition for binding in emission.facts.structured.impl(group, group.out.precomputed)]
    )
    return f"""struct {key.device.class_api} structured_{kernel.name} : public at::meta::{meta_class(group)} {{
void impl({parameters});
}};
"""
