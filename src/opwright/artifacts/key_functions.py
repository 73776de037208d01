"""The functions of a dispatch key: <Key>Functions.h, <Key>Functions_inl.h and ops/*_<key>_dispatch.h.

In: what is wrapped under a key. Out: declarations of functions that call its kernels without the dispatcher.

    sum.dim under CPU  ->  namespace at { namespace cpu { TORCH_API at::Tensor sum(...); } }

Rules: spec 08 section 8.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.includes import dispatch_include
from opwright.artifacts.wrapped import WrappedKey
from opwright.cpp.namespaces import block
from opwright.memo import Memo
from opwright.model.dispatch import DEFAULT_NAMESPACE
from opwright.model.operators import Operator
from opwright.releases.keys import DispatchKey

#: The declarations of the functions for an operator.
Declared = Mapping[Operator, str]


def key_headers(emission: Emission) -> Iterator[Planned]:
    """The headers of every key that has functions."""
    declared = Memo[str, Declared](lambda api: Memo(partial(_declarations, emission, api)))
    for key in emission.keys:
        if emission.options.has_functions(key):
            yield from _headers(emission.kernels.under(key), declared[key.device.api], emission)


def _headers(wrapped: WrappedKey, declared: Declared, emission: Emission) -> Iterator[Planned]:
    key = wrapped.key
    family = emission.family(key.device)
    plain: Values = {"dispatch_key": key.name, "inline_headers": f"#include <ATen/{key.name}Functions_inl.h>"}
    yield emission.file(f"{key.name}Functions.h", lambda: plain, "DispatchKeyFunctions.h", family=family)
    if not emission.options.per_operator_headers:
        values = partial(_aggregated, wrapped, declared, emission)
    else:
        by_root: dict[str, list[Operator]] = {}
        for group in wrapped.groups:
            if group.members:
                by_root.setdefault(group.root, []).extend(group.members)
        values = partial(_including, wrapped, sorted(by_root))
        for root, operators in by_root.items():
            own = partial(_root_values, wrapped, operators, declared)
            path = f"ops/{root}_{key.lower}_dispatch.h"
            yield emission.file(path, own, "DispatchKeyFunction.h", family="ops")
    yield emission.file(f"{key.name}Functions_inl.h", values, "DispatchKeyFunctions_inl.h", family=family)


def _aggregated(wrapped: WrappedKey, declared: Declared, emission: Emission) -> Values:
    namespaces = Memo(partial(key_namespace, wrapped.key))
    by_namespace: dict[str, list[str]] = {namespaces[DEFAULT_NAMESPACE]: []}
    if not all([group.namespace == DEFAULT_NAMESPACE for group in wrapped.groups]):
        # Groups without functions count for the order of the namespaces.
        own = {group.item: group.namespace for group in wrapped.groups}
        by_namespace = {namespaces[own.get(item, DEFAULT_NAMESPACE)]: [] for item in emission.model.groups}
    for group in wrapped.groups:
        by_namespace[namespaces[group.namespace]] += map(declared.__getitem__, group.members)
    blocks = [block(namespace, texts) for namespace, texts in by_namespace.items() if texts]
    return {
        "DispatchKeyFunctions_inl_includes": [],
        "dispatch_namespace": wrapped.key.lower,
        "dispatch_namespaced_declarations": blocks,
    }


def key_namespace(key: DispatchKey, wrappers: str) -> str:
    """Where the functions of a key are: beside its wrappers, in a namespace named after the key."""
    return wrappers.replace("native", key.lower)


def _including(wrapped: WrappedKey, roots: list[str]) -> Values:
    return {
        "DispatchKeyFunctions_inl_includes": [dispatch_include(root, wrapped.key) for root in roots],
        "dispatch_namespace": wrapped.key.lower,
        "dispatch_namespaced_declarations": [],
    }


def _root_values(wrapped: WrappedKey, operators: list[Operator], declared: Declared) -> Values:
    return {
        "dispatch_namespace": wrapped.key.lower,
        "dispatch_namespaced_declarations": "\n".join(map(declared.__getitem__, operators)),
    }


def _declarations(emission: Emission, api: str, operator: Operator) -> str:
    """The declarations of the functions for an operator; `api` is their export macro."""
    base, public = operator.name.base, emission.facts.by_operator[operator].public
    return "\n".join(
        [f"{api} {signature.returns} {base}{signature.suffix}({signature.declarations});" for signature in public]
    )
