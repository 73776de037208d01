"""Dispatch keys: the names a release knows and what is true of each.

In: the lists by which a release differs. Out: a table from name to `DispatchKey`.
"""

from __future__ import annotations

from functools import cache

from opwright.releases.devices import FROM_META, NO_DEVICE, Device, FromMeta
from opwright.values import Value, derived

COMPOSITE_IMPLICIT = "CompositeImplicitAutograd"
COMPOSITE_IMPLICIT_NESTED = "CompositeImplicitAutogradNestedTensor"
COMPOSITE_EXPLICIT = "CompositeExplicitAutograd"
COMPOSITE_EXPLICIT_NON_FUNCTIONAL = "CompositeExplicitAutogradNonFunctional"
META = "Meta"
COMPOSITES = frozenset(
    {COMPOSITE_IMPLICIT, COMPOSITE_IMPLICIT_NESTED, COMPOSITE_EXPLICIT, COMPOSITE_EXPLICIT_NON_FUNCTIONAL}
)
CPU = "CPU"
UFUNC_KEYS = (CPU, "CUDA")


class DispatchKey(Value):
    """One dispatch key and what is true of it in a release.

    `is_supported`: kernels may be listed under it. `is_structured`: structured kernels under it are classes.
    `is_composite`: one kernel serves several backends. `flag` is the command-line switch without which the key is
    ignored in YAML, or empty. `has_functions`: its kernels have C++ functions of their own, in the namespace `lower`.
    `from_meta`: how structured operators get kernels under it by their meta functions, None where they do not.
    """

    name: str
    is_supported: bool
    is_structured: bool
    is_composite: bool
    flag: str
    has_functions: bool
    device: Device
    from_meta: FromMeta | None
    lower: str = derived()

    def __post_init__(self) -> None:
        object.__setattr__(self, "lower", self.name.lower())

    def __str__(self) -> str:
        return self.name


class KeyFacts(Value):
    """The dispatch keys of a release, by the lists in which releases differ.

    The names are those of `singles` and each of `prefixes` with each of `backends`. Files are made for the
    `supported` ones, in order; `structured` ones have structured kernels, those `with_functions` have C++ functions of
    their own, and those in `flags` must be asked for by a command-line switch. `devices` says what kernels need, and
    `shim_flags` names the switches that are also on when the headers of shims are written.
    """

    singles: tuple[str, ...]
    prefixes: tuple[str, ...]
    backends: tuple[str, ...]
    supported: tuple[str, ...]
    structured: tuple[str, ...]
    with_functions: tuple[str, ...]
    flags: dict[str, str]
    devices: dict[str, Device]
    shim_flags: frozenset[str]


@cache
def key_table(facts: KeyFacts) -> dict[str, DispatchKey]:
    """The dispatch keys of a release by name: the single ones, then each prefix with each backend."""
    families = (prefix + backend for prefix in facts.prefixes for backend in facts.backends)
    return {
        name: DispatchKey(
            name,
            name in facts.supported,
            name in facts.structured,
            name in COMPOSITES,
            facts.flags.get(name, ""),
            name in facts.with_functions,
            facts.devices.get(name, NO_DEVICE),
            FROM_META.get(name),
        )
        for name in dict.fromkeys([*facts.singles, *families])
    }


def after(names: tuple[str, ...], anchor: str, *new: str) -> tuple[str, ...]:
    """Names with some more behind the one called `anchor`."""
    place = names.index(anchor) + 1
    return names[:place] + new + names[place:]
