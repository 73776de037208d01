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
from opwright.artifacts.wrapped import GroupFacts
from opwright.cpp.namespaces import block
from opwright.model.dispatch import DEFAULT_NAMESPACE
from opwright.model.model import Group
from opwright.model.operators import Kernel, Operator
from opwright.releases.keys import DispatchKey

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
        return {
            "NativeFunctions_includes": ["#include <ATen/NativeMetaFunctions.h>"],
            "NativeFunctions_declarations": kernel_blocks(emission.kernels.groups, emission),
        }

    yield emission.file("NativeFunctions.h", values)


def per_operator_headers(emission: Emission) -> Iterator[Planned]:
    """ops/ROOT_native.h for every root name."""
    if not emission.options.per_operator_headers:
        return
    by_root: dict[str, list[GroupFacts]] = {}
    for group in emission.kernels.groups:
        by_root.setdefault(group.root, []).append(group)
    for root, groups in by_root.items():
        values = partial(_root_values, emission, root, groups)
        yield emission.file(f"ops/{root}_native.h", values, "NativeFunction.h", family="ops")


def _root_values(emission: Emission, root: str, groups: list[GroupFacts]) -> Values:
    has_meta = any([group.is_structured for group in groups])
    return {
        "extra_includes": meta_include(root) if has_meta else "",
        "native_function_declarations": "".join(kernel_blocks(groups, emission)),
    }


#: A declaration: what stands before its export macro, the macro, and what stands behind it.
Declared = tuple[str, str, str]
#: Declarations by namespace.
Blocks = dict[str, list[Declared]]


def kernel_blocks(groups: Iterable[GroupFacts], emission: Emission) -> list[str]:
    """The declarations of all kernels of some groups, in a block for each namespace."""
    blocks: Blocks = {}
    ranks, elsewhere = emission.kernels.ranks, emission.kernels.elsewhere
    for group in groups:
        if not elsewhere.isdisjoint(group.members):
            _add_mixed(blocks, group, emission)
            continue
        own = blocks.setdefault(DEFAULT_NAMESPACE, [])
        # Keys come in one order for all groups, and under each the members.
        rows = [
            (ranks[key], place, key, kernel)
            for place, member in enumerate(group.members)
            for key, kernel in member.kernels.items()
        ]
        rows.sort()
        for _, place, key, kernel in rows:
            if kernel.is_structured and isinstance(group.item, Group):
                own.append(structured_class(group.item, kernel, key, emission))
            elif LEGACY not in kernel.name:
                own.append(_function(group.members[place], kernel, key, emission))
    merge = merged if emission.model.release.kernels.merged_exports else spelled
    return [block(namespace, merge(declared)) for namespace, declared in blocks.items()]


def _add_mixed(blocks: Blocks, group: GroupFacts, emission: Emission) -> None:
    """Add the declarations of a group with kernels in other namespaces than the default one.

    Then the keys matter that the group has nothing under: they may put one namespace before another.
    """
    for key, kernels in emission.model.kernels.items():
        main = kernels.get(group.main)
        home = main.namespace if main else DEFAULT_NAMESPACE
        blocks.setdefault(home, [])
        if main is not None and main.is_structured and isinstance(group.item, Group):
            blocks[home].append(structured_class(group.item, main, key, emission))
            continue
        for member in group.members:
            kernel = kernels.get(member)
            if kernel is not None and LEGACY not in kernel.name:
                # torchgen declares all kernels of a group where that of the out variant is, and calls them elsewhere.
                namespace = home if emission.options.torchgen_compat else kernel.namespace
                blocks.setdefault(namespace, []).append(_function(member, kernel, key, emission))
    # torchgen takes a key without any kernel for one with kernels in its own namespace, once it has looked for them.
    if emission.has_bare_keys:
        blocks.setdefault(DEFAULT_NAMESPACE, [])


def spelled(items: Iterable[Declared]) -> list[str]:
    """The texts of declarations."""
    return [f"{before}{macro} {behind}" for before, macro, behind in items]


def merged(items: Iterable[Declared]) -> list[str]:
    """The texts of declarations; of those that differ in the macro alone, one: with the general macro, or the first."""
    found: dict[tuple[str, str], str] = {}
    for before, macro, behind in items:
        same = before, behind
        if same not in found or macro == GENERAL_API:
            found[same] = macro
    return spelled([(before, macro, behind) for (before, behind), macro in found.items()])


def _function(operator: Operator, kernel: Kernel, key: DispatchKey, emission: Emission) -> Declared:
    """The declaration of a kernel that is a function."""
    signature = emission.facts.native(operator, kernel.has_symint)
    macro = _macro(kernel, key.device.api, emission)
    return "", macro, f"{signature.returns} {kernel.name}({signature.declarations});"


def structured_class(group: Group, kernel: Kernel, key: DispatchKey, emission: Emission) -> Declared:
    """The class of a structured kernel."""
    macro = _macro(kernel, key.device.class_api, emission)
    body = f"""structured_{kernel.name} : public at::meta::{meta_class(group)} {{
void impl({emission.structured.parameters[group]});
}};
"""
    return "struct ", macro, body


def _macro(kernel: Kernel, own: str, emission: Emission) -> str:
    """The export macro of a kernel: its device's `own`, unless it is compiled for the library of the CPU."""
    return GENERAL_API if kernel.name in emission.model.release.lists.kernels_for_cpu else own
