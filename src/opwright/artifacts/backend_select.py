"""RegisterBackendSelect.cpp: factory functions find the backend to call from dtype, layout and device.

In: operators with tensor options. Out: for each a function that computes the dispatch key set and calls on, and its
registration.

Rules: spec 08 section 10.
"""

from __future__ import annotations

from collections.abc import Iterator

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.includes import ops_include
from opwright.artifacts.libraries import beside_aten
from opwright.model.operators import Operator
from opwright.signatures.facts import Facts
from opwright.signatures.native import native_name

KEY = "BackendSelect"
_COMPUTED = "c10::DispatchKeySet(c10::computeDispatchKey(dtype, layout, device))"


def backend_select(emission: Emission) -> Iterator[Planned]:
    """RegisterBackendSelect.cpp."""

    def values() -> Values:
        items = [facts for facts in emission.facts.items if is_factory(facts.operator)]
        items = [facts for facts in items if emission.options.is_selected(facts.operator.full_name)]
        lines = [(emission.namespace(facts.operator), registration(facts, emission)) for facts in items]
        registrations, others = beside_aten(lines, KEY, emission.model.release.spelling.library_end)
        return {
            "ops_headers": [ops_include(facts.operator.name.root) for facts in items],
            "backend_select_method_definitions": [*map(definition, items), *others],
            "backend_select_function_registrations": registrations,
        }

    yield emission.file("RegisterBackendSelect.cpp", values)


def is_factory(operator: Operator) -> bool:
    """Whether nothing but tensor options may say where an operator runs."""
    base = operator.name.base
    return operator.schema.has_options and not base.endswith("_like") and not base.startswith("new_")


def definition(facts: Facts) -> str:
    """The function that finds the backend of one operator."""
    dispatcher, operator = facts.dispatcher, facts.operator
    return f"""C10_ALWAYS_INLINE
{dispatcher.returns} {native_name(operator)}({dispatcher.definitions}) {{
{_key_set(operator)}  return at::_ops::{operator.name.unambiguous}::redispatch(
      _dk, {dispatcher.names});
}}
"""


def _key_set(operator: Operator) -> str:
    """The lines that compute the key set: from the options, and from tensors if there are any."""
    tensors = [argument.name for argument in operator.schema.non_out if argument.type.is_tensor_like]
    if not tensors:
        return f"  DispatchKeySet _dk = {_COMPUTED};\n"
    return f"""  DispatchKeySet _dk_set = {_COMPUTED} | c10::detail::multi_dispatch_key_set({", ".join(tensors)});
  DispatchKeySet _dk_mask = c10::DispatchKeySet(DispatchKeySet::FULL_AFTER, DispatchKey::BackendSelect);
  DispatchKeySet _dk = c10::impl::computeDispatchKeySet(_dk_set, _dk_mask);
"""


def registration(facts: Facts, emission: Emission) -> str:
    """The line that registers the function of one operator."""
    operator = facts.operator
    return f'm.impl("{emission.namespace(operator)}::{operator.name.text}", TORCH_FN({native_name(operator)}));'
