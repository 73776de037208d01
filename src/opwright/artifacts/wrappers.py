"""Wrapper functions: what is registered with the dispatcher for a kernel that is a plain function.

In: an operator and its kernel under a dispatch key. Out: a function that calls the kernel, on the right device, the
functions in the key's own namespace that call it, and its registration.

    sum.dim under CPU  ->  wrapper_CPU_dim_sum, at::cpu::sum, m.impl("sum.dim", TORCH_FN(wrapper_CPU_dim_sum));

Rules: spec 08 sections 8.1 and 9.2.
"""

from __future__ import annotations

from collections.abc import Sequence

from opwright.artifacts.emission import Emission
from opwright.artifacts.wrapped import WrappedKey
from opwright.model.operators import Kernel, Operator
from opwright.signatures.facts import Facts
from opwright.signatures.native import native_name
from opwright.syntax.schema import Argument
from opwright.values import Value


class Wrapper(Value):
    """The texts for one operator under one key: what stays in the file, what others may call, the registration."""

    operator: Operator
    anonymous: str
    namespaced: str
    registration: str


def wrapper_name(operator: Operator, key: str) -> str:
    """The name of the wrapper of a plain kernel."""
    out = "_out" if operator.schema.out else ""
    return f"wrapper_{key}_{operator.name.overload}_{operator.name.base}{out}"


def declarations(facts: Facts, api: str) -> str:
    """The declarations of the functions that a dispatch key has for an operator; `api` is its export macro."""
    base = facts.operator.name.base
    return "\n".join(
        [f"{api} {signature.returns} {base}{signature.suffix}({signature.declarations});" for signature in facts.public]
    )


def plain_wrapper(operator: Operator, key: WrappedKey, emission: Emission) -> Wrapper:
    """The wrapper of an operator whose kernel is a function; without one, it is an in-place operator under Meta."""
    facts = emission.facts.by_operator[operator]
    name = wrapper_name(operator, key.key.name)
    kernel = key.kernels.get(operator)
    made = _call(facts, name, kernel, key, emission) if kernel else _stub(facts, name)
    namespaced = namespaced_definitions(facts, name, facts.calls)
    return Wrapper(operator, made, namespaced, registration(operator, name))


def registration(operator: Operator, wrapper: str) -> str:
    """The line that registers a wrapper."""
    return f'm.impl("{operator.name.text}", TORCH_FN({wrapper}));'


def namespaced_definitions(facts: Facts, wrapper: str, calls: Sequence[str]) -> str:
    """The functions that call a wrapper, one for each public signature, with the arguments `calls`."""
    base = facts.operator.name.base
    return "\n".join(
        [
            f"{signature.returns} {base}{signature.suffix}({signature.definitions}) {{\nreturn {wrapper}({call});\n}}"
            for signature, call in zip(facts.public, calls, strict=True)
        ]
    )


def _call(facts: Facts, name: str, kernel: Kernel, key: WrappedKey, emission: Emission) -> str:
    dispatcher = facts.dispatcher
    takes = emission.facts.dispatcher if key.scope and kernel.namespace == key.scope else emission.facts.native
    wanted = takes(facts.operator, kernel.has_symint).bindings
    arguments = emission.facts.converter.one_by_one(dispatcher.bindings, wanted)
    check = device_check(facts.operator, name, key, emission)
    guard = device_guard(facts.operator, key)
    return f"""namespace {{
{dispatcher.returns} {name}({dispatcher.definitions}) {{
{check}{guard}  return {kernel.namespace}::{kernel.name}({arguments});
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


def device_check(operator: Operator, wrapper: str, key: WrappedKey, emission: Emission) -> str:
    """The lines that demand one device of all tensors, if they do; keyword-only tensors are not looked at."""
    if not key.guards_of(operator).check:
        return ""
    checked = _tensors(operator.schema.out + operator.schema.positional)
    check = "  c10::impl::check_and_update_common_device(common_device"
    lines = [f'{check}, {argument.name}, "{wrapper}", "{argument.name}");\n' for argument in checked]
    return f"""  {emission.model.release.spelling.common_device};
  (void)common_device; // not every operator has a tensor to look at
{"".join(lines)}"""


def device_guard(operator: Operator, key: WrappedKey) -> str:
    """The lines that switch to the device of the options or of the first tensor, if they do."""
    schema = operator.schema
    if not key.guards_of(operator).guard:
        return ""
    if schema.has_options:
        lazy = key.device.lazy_init
        initialize = f"  globalContext().{lazy};\n" if lazy else ""
        return f"{initialize}  const DeviceGuard device_guard(device_or_default(device));\n"
    own = schema.self_argument
    tensors = _tensors((*((own,) if own else ()), *schema.out, *schema.positional))
    return f"  const OptionalDeviceGuard device_guard(device_of({tensors[0].name}));\n" if tensors else ""


def _tensors(arguments: Sequence[Argument]) -> list[Argument]:
    return [argument for argument in arguments if argument.type.is_tensor_like]


def structured_wrapper_name(operator: Operator, key: str) -> str:
    """The name of the wrapper of a structured kernel."""
    return f"wrapper_{key}_{native_name(operator)}"
