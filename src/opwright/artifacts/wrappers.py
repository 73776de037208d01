"""Wrapper functions: what is registered with the dispatcher for a kernel that is a plain function.

In: an operator and its kernel under a dispatch key. Out: a function that calls the kernel, on the right device, the
functions in the key's own namespace that call it, and its registration.

    sum.dim under CPU  ->  wrapper_CPU_dim_sum, at::cpu::sum, m.impl("sum.dim", TORCH_FN(wrapper_CPU_dim_sum));

Rules: spec 08 sections 8.1 and 9.2.
"""

from __future__ import annotations

from collections.abc import Iterable

from opwright.artifacts.emission import Emission
from opwright.artifacts.wrapped import WrappedKey
from opwright.artifacts.wrapper_texts import plain_name
from opwright.model.operators import Kernel, Operator
from opwright.releases.devices import Device
from opwright.signatures.facts import Facts
from opwright.syntax.schema import Schema
from opwright.values import Value


class Wrapper(Value):
    """A wrapper of an operator under one key: its name, the text that stays in the file, and what others may call."""

    operator: Operator
    name: str
    anonymous: str
    namespaced: str


def wrapper_name(operator: Operator, key: str) -> str:
    """The name of the wrapper of a plain kernel."""
    return f"wrapper_{key}_{plain_name(operator)}"


def plain_wrapper(operator: Operator, key: WrappedKey, emission: Emission) -> Wrapper:
    """The wrapper of an operator whose kernel is a function; without one, it is an in-place operator under Meta."""
    facts = emission.facts.by_operator[operator]
    texts = emission.wrappers.plain[facts]
    name = f"wrapper_{key.key.name}_{texts.name}"
    kernel = key.kernels.get(operator)
    text = _call(facts, name, kernel, key, emission) if kernel else _stub(facts, name)
    return Wrapper(operator, name, text, name.join(texts.callers))


def registrations(wrappers: Iterable[Wrapper]) -> list[str]:
    """The lines that register wrappers."""
    return [f'm.impl("{wrapper.operator.name.text}", TORCH_FN({wrapper.name}));' for wrapper in wrappers]


def _call(facts: Facts, name: str, kernel: Kernel, key: WrappedKey, emission: Emission) -> str:
    operator, dispatcher = facts.operator, facts.dispatcher
    takes = emission.facts.dispatcher if key.scope and kernel.namespace == key.scope else emission.facts.native
    wanted = takes(operator, kernel.has_symint)
    if wanted.definitions == dispatcher.definitions:
        arguments = dispatcher.names
    else:
        arguments = ", ".join(emission.facts.converter.one_by_one(dispatcher.bindings, wanted.bindings))
    guards = _guards(operator, name, key, emission) if key.has_guards else ""
    return f"""namespace {{
{dispatcher.returns} {name}({dispatcher.definitions}) {{
{guards}  return {kernel.namespace}::{kernel.name}({arguments});
}}
}}
"""


def _stub(facts: Facts, name: str) -> str:
    schema = facts.operator.schema
    own = schema.positional[schema.self_index].name
    return f"""{facts.dispatcher.returns} {name}({facts.dispatcher.definitions}) {{
  TORCH_CHECK_NOT_IMPLEMENTED({own}.is_meta(),
    "Cannot inplace into non-meta tensor with meta tensor argument");
  return {own};
}}
"""


def _guards(operator: Operator, wrapper: str, key: WrappedKey, emission: Emission) -> str:
    """The lines that demand one device and switch to it, if they do."""
    guards = key.guards_of(operator)
    check = emission.wrappers.check(operator, wrapper) if guards.check else ""
    return check + (_device_guard(operator.schema, key.device) if guards.guard else "")


def _device_guard(schema: Schema, device: Device) -> str:
    """The lines that switch to the device of the options or of the first tensor."""
    if schema.has_options:
        initialize = f"  globalContext().{device.lazy_init};\n" if device.lazy_init else ""
        return f"{initialize}  const DeviceGuard device_guard(device_or_default(device));\n"
    own = schema.self_argument
    for argument in (*((own,) if own else ()), *schema.out, *schema.positional):
        if argument.type.is_tensor_like:
            return f"  const OptionalDeviceGuard device_guard(device_of({argument.name}));\n"
    return ""
