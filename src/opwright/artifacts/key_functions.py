"""The functions of a dispatch key: <Key>Functions.h, <Key>Functions_inl.h and ops/*_<key>_dispatch.h.

In: what is wrapped under a key. Out: declarations of functions that call its kernels without the dispatcher.

    sum.dim under CPU  ->  namespace at { namespace cpu { TORCH_API at::Tensor sum(...); } }

Rules: spec 08 section 8.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.includes import dispatch_include
from opwright.artifacts.wrapped import WrappedGroup, WrappedKey
from opwright.artifacts.wrappers import declarations
from opwright.cpp.namespaces import block


def key_headers(emission: Emission) -> Iterator[Planned]:
    """The headers of every key that has functions."""
    for key in emission.keys:
        if emission.options.has_functions(key):
            yield from _headers(emission.kernels.under(key), emission)


def _headers(wrapped: WrappedKey, emission: Emission) -> Iterator[Planned]:
    key = wrapped.key
    family = emission.family(key.device)
    plain: Values = {"dispatch_key": key.name, "inline_headers": f"#include <ATen/{key.name}Functions_inl.h>"}
    yield emission.file(f"{key.name}Functions.h", lambda: plain, "DispatchKeyFunctions.h", family=family)
    by_root: dict[str, list[WrappedGroup]] = {}
    for group in wrapped.groups:
        if group.members:
            by_root.setdefault(group.root, []).append(group)
    if not emission.options.per_operator_headers:
        values = partial(_aggregated, wrapped, emission)
    else:
        values = partial(_including, wrapped, sorted(by_root))
        for root, groups in by_root.items():
            own = partial(_root_values, wrapped, groups, emission)
            path = f"ops/{root}_{key.lower}_dispatch.h"
            yield emission.file(path, own, "DispatchKeyFunction.h", family="ops")
    yield emission.file(f"{key.name}Functions_inl.h", values, "DispatchKeyFunctions_inl.h", family=family)


def _aggregated(wrapped: WrappedKey, emission: Emission) -> Values:
    namespaces = {group.item: key_namespace(group, wrapped) for group in wrapped.groups}
    default = f"at::{wrapped.key.lower}"
    by_namespace: dict[str, list[str]] = {default: []}
    if not by_namespace.keys() >= set(namespaces.values()):
        # Groups without functions count for the order of the namespaces.
        by_namespace = {namespaces.get(item, default): [] for item in emission.model.groups}
    for group in wrapped.groups:
        texts = _declared(group, wrapped, emission)
        by_namespace[namespaces[group.item]] += texts
    blocks = [block(namespace, texts) for namespace, texts in by_namespace.items() if texts]
    return {
        "DispatchKeyFunctions_inl_includes": [],
        "dispatch_namespace": wrapped.key.lower,
        "dispatch_namespaced_declarations": blocks,
    }


def key_namespace(group: WrappedGroup, wrapped: WrappedKey) -> str:
    """Where the functions of a group are: beside its wrappers, in a namespace named after the key."""
    return group.namespace.replace("native", wrapped.key.lower)


def _including(wrapped: WrappedKey, roots: list[str]) -> Values:
    return {
        "DispatchKeyFunctions_inl_includes": [dispatch_include(root, wrapped.key) for root in roots],
        "dispatch_namespace": wrapped.key.lower,
        "dispatch_namespaced_declarations": [],
    }


def _root_values(wrapped: WrappedKey, groups: list[WrappedGroup], emission: Emission) -> Values:
    texts = [text for group in groups for text in _declared(group, wrapped, emission)]
    return {
        "dispatch_namespace": wrapped.key.lower,
        "dispatch_namespaced_declarations": texts,
    }


def _declared(group: WrappedGroup, wrapped: WrappedKey, emission: Emission) -> list[str]:
    api = wrapped.key.device.api
    return [declarations(emission.facts.by_operator[member], api) for member in group.members]
