"""Dispatch keys: the names a release knows and what is true of each.

In: the lists by which a release differs. Out: a table from name to `DispatchKey`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from opwright.releases.devices import DEVICES, FROM_META, NO_DEVICE
from opwright.releases.release import DispatchKey

COMPOSITE_IMPLICIT = "CompositeImplicitAutograd"
COMPOSITE_IMPLICIT_NESTED = "CompositeImplicitAutogradNestedTensor"
COMPOSITE_EXPLICIT = "CompositeExplicitAutograd"
COMPOSITE_EXPLICIT_NON_FUNCTIONAL = "CompositeExplicitAutogradNonFunctional"
META = "Meta"
COMPOSITES = frozenset(
    {COMPOSITE_IMPLICIT, COMPOSITE_IMPLICIT_NESTED, COMPOSITE_EXPLICIT, COMPOSITE_EXPLICIT_NON_FUNCTIONAL}
)
UFUNC_KEYS = ("CPU", "CUDA")


def key_names(singles: str, prefixes: Iterable[str], backends: str) -> tuple[str, ...]:
    """The single keys followed by each prefix with each backend."""
    families = (prefix + backend for prefix in prefixes for backend in backends.split())
    return tuple(dict.fromkeys([*singles.split(), *families]))


def key_table(
    names: Iterable[str],
    supported: Collection[str],
    structured: Collection[str],
    with_functions: Collection[str],
    flags: Mapping[str, str],
) -> dict[str, DispatchKey]:
    """`flags` gives, for a key that must be asked for, the command-line switch."""
    return {
        name: DispatchKey(
            name,
            name in supported,
            name in structured,
            name in COMPOSITES,
            flags.get(name, ""),
            name in with_functions,
            DEVICES.get(name, NO_DEVICE),
            FROM_META.get(name),
        )
        for name in names
    }
