"""Stubs of a backend outside PyTorch: <Key>NativeFunctions.h, Register<Key>.cpp, RegisterAutograd<Key>.cpp.

In: a backend and the operators. Out: a class with a declaration for each kernel to write, the classes of structured
kernels, and the wrappers of all, with their registration.

    supported: [add.Tensor]  ->  static at::Tensor add(...); wrapper_XLA_Tensor_add, m.impl("add.Tensor", ...)

Rules: spec 11 section 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from opwright.artifacts.backend_declarations import declared_classes, declared_functions
from opwright.artifacts.backend_fallback import fallback_definition, fallback_includes
from opwright.artifacts.backend_lean import lean_registration
from opwright.artifacts.backend_wrappers import (
    backend_wrappers,
    namespaced,
    registration_blocks,
    wrapped_backend,
)
from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.helpers import helper_functions
from opwright.artifacts.libraries import ATEN, lines_by_namespace
from opwright.artifacts.register_key import DEFINITIONS, TEMPLATE, dispatch_headers
from opwright.artifacts.wrapped import WrappedKey
from opwright.artifacts.wrappers import Wrapper
from opwright.cpp.namespaces import closing, opening
from opwright.model.backend import Backend
from opwright.options import StubOptions


def backend_stubs(emission: Emission, backend: Backend, options: StubOptions) -> Iterator[Planned]:
    """The files of a backend; none when it has no kernels."""
    if backend.is_empty:
        return
    keys = wrapped_backend(backend, emission)
    values = partial(_header_values, keys, backend, emission)
    yield emission.file(header_name(backend), values, "DispatchKeyNativeFunctions.h")
    for wrapped in keys:
        path = f"Register{wrapped.key.name}.cpp"
        if options.lean:
            include = options.include(header_name(backend))
            yield Planned(path, partial(lean_registration, wrapped, backend, include, emission))
        else:
            values = partial(_register_values, wrapped, backend, options, emission)
            yield emission.file(path, values, TEMPLATE)


def header_name(backend: Backend) -> str:
    """The header that declares the kernels."""
    return f"{backend.key.name}NativeFunctions.h"


def _header_values(keys: list[WrappedKey], backend: Backend, emission: Emission) -> Values:
    return {
        # The template has room for classes of structured kernels only where it opens the namespace.
        "namespace_prologue": declared_classes(keys, backend, emission) + opening(backend.cpp_namespace),
        "class_name": backend.class_name,
        "dispatch_declarations": declared_functions(keys, backend, emission),
        "namespace_epilogue": closing(backend.cpp_namespace),
    }


def _register_values(wrapped: WrappedKey, backend: Backend, options: StubOptions, emission: Emission) -> Values:
    helpers = helper_functions(wrapped, emission.model.release)
    ops_headers = [] if emission.options.per_operator_headers else ["#include <ATen/Functions.h>"]
    has_fallback = wrapped.key is backend.key and backend.fallback is not None
    return {
        "extra_cuda_headers": "",
        "external_backend_headers": options.include(header_name(backend)),
        "dispatch_headers": dispatch_headers(wrapped, emission),
        "ops_headers": ops_headers + (fallback_includes(backend) if has_fallback else []),
        "dispatch_helpers": helpers,
        "dispatch_definitions": [
            _definitions(wrapped, helpers, options, emission),
            _fallback_block(backend, emission) if has_fallback else "",
        ],
    }


def _definitions(wrapped: WrappedKey, helpers: str, options: StubOptions, emission: Emission) -> str:
    """The wrappers and their registration; older templates have the helper functions there too."""
    key, wrappers = wrapped.key, list(backend_wrappers(wrapped, emission))
    deferred = _deferred(key.name, wrappers, options, emission) if options.deferred else ""
    values = {
        "ns_prologue": opening("at"),
        "ns_epilogue": closing("at"),
        "dispatch_helpers": helpers,
        "dispatch_anonymous_definitions": [wrapper.anonymous for wrapper in wrappers],
        "static_init_dispatch_registrations": "" if deferred else registration_blocks(wrappers, wrapped, emission),
        "deferred_dispatch_registrations": deferred,
        "dispatch_namespace": key.lower,
        "dispatch_namespaced_definitions": "",
    }
    return emission.fragment(emission.bound(DEFINITIONS, {}), values)


def _deferred(key: str, wrappers: list[Wrapper], options: StubOptions, emission: Emission) -> str:
    """The function that registers the kernels when it is called."""
    head = f"TORCH_API void Register{options.deferred}{key}NativeFunctions()"
    declared = f"{head};\n" if emission.model.release.declares_deferred else ""
    blocks = [
        f"static auto {library} = MAKE_TORCH_LIBRARY_IMPL({namespace}, {key});\n" + "\n".join(lines)
        for library, namespace, lines in _libraries(wrappers)
    ]
    body = "\n".join(blocks)
    return f"{declared}{head} {{\n{body}\n}}\n"


def _libraries(wrappers: list[Wrapper]) -> Iterator[tuple[str, str, list[str]]]:
    """The registrations by namespace, each with the variable that holds its library."""
    by_namespace = lines_by_namespace(namespaced(wrappers))
    for namespace, lines in by_namespace.items():
        library = "m" if namespace == ATEN else f"m_{namespace}"
        yield library, namespace, [line.replace("m.impl(", f"{library}.impl(", 1) for line in lines]


def _fallback_block(backend: Backend, emission: Emission) -> str:
    definition = fallback_definition(backend, emission.model.release)
    return f"{opening('at')}namespace {{\n{definition}}}\n{closing('at')}"
