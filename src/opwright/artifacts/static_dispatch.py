"""Static dispatch: operators that call the kernels of chosen backends themselves, without the dispatcher.

In: operators and the dispatch keys of `--static-dispatch-backend`. Out: the headers that declare the keys' functions,
and the body of each operator's `call`.

    relu, CPU  ->  return at::cpu::relu(self);

Rules: spec 08 section 17.
"""

from __future__ import annotations

from collections.abc import Sequence

from opwright.artifacts.emission import Emission
from opwright.artifacts.includes import dispatch_include
from opwright.artifacts.wrapped import WrappedKey
from opwright.releases.keys import (
    COMPOSITE_EXPLICIT,
    COMPOSITE_EXPLICIT_NON_FUNCTIONAL,
    COMPOSITE_IMPLICIT,
    COMPOSITE_IMPLICIT_NESTED,
)
from opwright.signatures.bindings import PRMF
from opwright.signatures.convert import Scope
from opwright.signatures.facts import Facts
from opwright.signatures.public import PublicSignature

#: The keys whose functions are always declared, and those that serve where no backend does, each in its order.
_DECLARED = (
    COMPOSITE_IMPLICIT, COMPOSITE_IMPLICIT_NESTED, COMPOSITE_EXPLICIT, COMPOSITE_EXPLICIT_NON_FUNCTIONAL,
)  # fmt: skip
_SERVING = (
    COMPOSITE_EXPLICIT, COMPOSITE_EXPLICIT_NON_FUNCTIONAL, COMPOSITE_IMPLICIT, COMPOSITE_IMPLICIT_NESTED,
)  # fmt: skip
#: What torchgen calls a key that no operator mentions.
_UNSEEN = "Undefined"


def extra_headers(emission: Emission) -> list[str]:
    """The headers of all keys that may be called; none without static dispatch."""
    backends = _backends(emission)
    if not backends:
        return []
    names = [*map(_name, backends), *_DECLARED]
    return [f"#include <ATen/{name}Functions.h>" for name in names]


def operator_headers(items: Sequence[Facts], emission: Emission) -> list[str]:
    """The headers of the keys that the operators of one root name call."""
    backends = _backends(emission)
    lines = []
    for facts in items if backends else ():
        for backend in backends if not facts.operator.manual_kernel_registration else ():
            found = backend if _is_served(facts, backend) else _composite(facts, emission)
            if found is not None:
                lines.append(dispatch_include(facts.operator.name.root, found.key))
    return lines


def call_body(facts: Facts, emission: Emission) -> str:
    """The body of an operator's `call`."""
    if facts.operator.manual_kernel_registration:
        return ""
    backends = _backends(emission)
    serving = [backend for backend in backends if _is_served(facts, backend)]
    if len(serving) == 1:
        return _own_call(facts, serving[0], emission)
    fallback = _fallback(facts, backends, emission)
    if not serving:
        return fallback
    cases = "".join(
        [f"case DispatchKey::{backend.key}:\n{_own_call(facts, backend, emission)};\n" for backend in serving]
    )
    return f"""DispatchKeySet _dk_set = {_key_set(facts)};
DispatchKey _dk = c10::highestPriorityBackendTypeId(_dk_set);
switch (_dk) {{
{cases}default:
{fallback}
}}"""


def _backends(emission: Emission) -> list[WrappedKey]:
    return [emission.kernels.under(key) for key in emission.options.static_dispatch]


def _name(backend: WrappedKey) -> str:
    return backend.key.name if backend.is_seen else _UNSEEN


def _is_served(facts: Facts, backend: WrappedKey) -> bool:
    """Whether a key has functions for an operator: of its own kernel, or of the structured one it delegates to."""
    if facts.operator in backend.kernels:
        return True
    return facts.operator.structured_delegate is not None and backend.is_seen and backend.key.is_structured


def _composite(facts: Facts, emission: Emission) -> WrappedKey | None:
    """The composite key that serves an operator on any backend."""
    keys = emission.model.release.keys
    serving = (emission.kernels.under(keys[name]) for name in _SERVING)
    return next((key for key in serving if facts.operator in key.kernels), None)


def _own_call(facts: Facts, backend: WrappedKey, emission: Emission) -> str:
    """The statement that calls the function of a backend that serves an operator."""
    namespace = emission.kernels.home(facts.operator, backend.key).removesuffix("::native")
    return _call(facts, backend, namespace, emission)


def _call(facts: Facts, backend: WrappedKey, namespace: str, emission: Emission) -> str:
    signature = facts.direct
    arguments = ", ".join(emission.facts.converter.arguments(_scope(facts, signature, emission), signature.bindings))
    return f"return {namespace}::{backend.key.lower}::{facts.direct_name}({arguments});"


def _scope(facts: Facts, signature: PublicSignature, emission: Emission) -> Scope:
    has_prmf = any(binding.meaning == PRMF for binding in signature.bindings)
    scope = Scope()
    for binding in facts.dispatcher.bindings:
        meaning = PRMF if has_prmf and binding.name == "memory_format" else binding.meaning
        emission.facts.converter.add(scope, binding.name, meaning, binding.type)
    return scope


def _fallback(facts: Facts, backends: Sequence[WrappedKey], emission: Emission) -> str:
    """What happens when no backend serves: a composite kernel, or an error at run time."""
    composite = _composite(facts, emission)
    if composite is not None:
        return _call(facts, composite, "at", emission)
    names = ", ".join(map(_name, backends))
    return f'TORCH_CHECK(false, "Static dispatch does not support {facts.direct_name} for{names} ");'


def _key_set(facts: Facts) -> str:
    """The expression for the keys of all arguments."""
    schema = facts.operator.schema
    parts = []
    if schema.has_options:
        parts.append("DispatchKeySet(c10::computeDispatchKey(dtype, layout, device))")
    tensors = [argument.name for argument in schema.arguments if argument.type.is_tensor_like]
    if tensors:
        parts.append(f"c10::detail::multi_dispatch_key_set({', '.join(tensors)})")
    return " | ".join(parts)
