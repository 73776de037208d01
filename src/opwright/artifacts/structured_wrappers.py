"""Wrappers of structured kernels: a class that allocates or resizes the outputs, and a function that runs it.

In: a structured group and a dispatch key. Out: for the functional, in-place and out variant a class derived from the
kernel's, whose `set_output` functions are what differs between them, and a wrapper function that calls `meta` and then
`impl`. What they are made of is in `structured_texts`.

Rules: spec 08 section 9.3.
"""

from __future__ import annotations

from opwright.artifacts.emission import Emission
from opwright.artifacts.meta import meta_class
from opwright.artifacts.native_aot import asked_first
from opwright.artifacts.structured_texts import BASE_CALL, Member
from opwright.artifacts.wrapped import WrappedKey
from opwright.artifacts.wrappers import Wrapper
from opwright.model.model import Group
from opwright.model.operators import Operator, Precomputed
from opwright.values import Value


class StructuredKernel(Value):
    """A structured kernel as its wrappers see it.

    They derive classes from `parent`, whose names start with `stem`, and its meta function computes `precomputed`.
    Their `guard` has this type, if they have one, and is set with the outputs when it `sets_guard`. `base_call` is what
    passes on to the parent how an output is set up, see `BASE_CALL`, or empty.
    """

    parent: str
    stem: str
    precomputed: Precomputed | None
    guard: str
    sets_guard: bool
    base_call: str


def structured_kernel(group: Group, key: WrappedKey, emission: Emission) -> StructuredKernel:
    """The structured kernel that a group has under a key of the library's own."""
    base_call = BASE_CALL if group.out.structured_inherits else ""
    if key.key.from_meta is not None:
        meta = meta_class(group)
        parent, stem = f"at::meta::{meta}", f"{meta}_{key.key.from_meta.suffix}"
    else:
        kernel = key.kernels[group.out]
        stem = f"structured_{kernel.name}"
        parent = f"{kernel.namespace}::{stem}"
    device = key.device
    guard = (emission.options.rocm and device.hip_guard) or device.guard
    return StructuredKernel(parent, stem, group.out.precomputed, guard, device.sets_guard, base_call)


def structured_wrapper(
    operator: Operator, group: Group, structured: StructuredKernel, key: WrappedKey, emission: Emission
) -> Wrapper:
    """The class and the wrapper of one member of a structured group."""
    kernel, texts = key.kernels.get(operator), emission.structured
    has_symint = kernel is not None and kernel.has_symint
    member = texts.members[operator, group, has_symint, structured.precomputed]
    outputs, signature = member.outputs, member.signature
    name, class_name = f"wrapper_{key.key.name}_{member.name}", f"{structured.stem}_{outputs.form.name}"
    body = texts.bodies[outputs, structured.guard, structured.sets_guard, structured.base_call]
    check = emission.wrappers.check(operator, name) if key.has_guards and key.guards_of(operator).check else ""
    text = f"""struct {class_name} final : public {structured.parent} {{
{class_name.join(outputs.constructor)}{structured.parent.join(body)}}};
{signature.returns} {name}({signature.definitions}) {{
{check}{class_name}{member.start}{_impl(member, key, emission)}{outputs.end}"""
    return Wrapper(operator, name, text, name.join(member.callers))


def _impl(member: Member, key: WrappedKey, emission: Emission) -> str:
    """The call that computes the outputs, if there is one."""
    from_meta = key.key.from_meta
    if from_meta is None:
        arguments = emission.structured.impl[member]
        stub = emission.options.aot_stub(member.group, key.key)
        return asked_first(stub, arguments) if stub else f"op.impl({arguments});\n"
    return emission.structured.out[member] if from_meta.calls_out else ""
