"""What operators do for which a backend has no kernel.

In: a backend with a `fallback`. Out: the boxed function that takes their place, with its registration.

    fallback: cpu  ->  at::native::cpu_fallback(op, stack), registered for all operators of all namespaces
"""

from __future__ import annotations

from opwright.artifacts.libraries import library_block
from opwright.cpp.literals import c_string
from opwright.model.backend import Backend
from opwright.releases.release import Release

#: The headers that a fallback needs.
HEADERS = {"cpu": ("ATen/native/CPUFallback.h",), "error": ()}


def fallback_includes(backend: Backend) -> list[str]:
    """The lines that include what the fallback of a backend needs."""
    return [f"#include <{header}>" for header in HEADERS[backend.fallback]] if backend.fallback else []


def fallback_definition(backend: Backend, release: Release) -> str:
    """The fallback of a backend and its registration; empty when there is none."""
    if backend.fallback is None:
        return ""
    name = f"{backend.key.lower}_fallback"
    stack = "stack" if backend.fallback == "cpu" else "/*stack*/"
    line = f"m.fallback(torch::CppFunction::makeFromBoxedFunction<&{name}>());"
    return f"""
void {name}(const c10::OperatorHandle& op, torch::jit::Stack* {stack}) {{
  {_BODIES[backend.fallback](backend)}
}}

{library_block("_", backend.key.name, [line], release.spelling.library_end)}"""


def _error(backend: Backend) -> str:
    before, after = f"{backend.key.name} has no kernel for '", f"': it is not listed in {backend.file}"
    return f"TORCH_CHECK_NOT_IMPLEMENTED(false, {c_string(before)}, op.operator_name(), {c_string(after)});"


_BODIES = {"cpu": lambda backend: "at::native::cpu_fallback(op, stack);", "error": _error}
