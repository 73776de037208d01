"""The wrappers of a backend's kernels, and what they are made from.

In: a backend, with its kernels for one dispatch key. Out: a `WrappedKey` with its groups, and for each group the
wrappers of its members: of a plain kernel, of a structured one, or one that calls the functional variant and copies its
results.

    add.Tensor has a kernel, add.out has none  ->  wrapper_XLA_out_add_out, by at::_copy_from_and_resize

Rules: spec 11 section 4.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opwright.artifacts.emission import Emission
from opwright.artifacts.libraries import library_block, lines_by_namespace
from opwright.artifacts.meta import meta_class
from opwright.artifacts.structured_wrappers import BASE_CALL, StructuredKernel, structured_wrapper
from opwright.artifacts.wrapped import WrappedGroup, WrappedKey, members, primary, root_of
from opwright.artifacts.wrappers import Wrapper, plain_wrapper, registration, wrapper_name
from opwright.model.backend import Backend
from opwright.model.backend_kernels import BASES, BackendKernels, derived_variants
from opwright.model.dispatch import DEFAULT_NAMESPACE
from opwright.model.model import Group, GroupItem
from opwright.model.operators import Operator, return_names
from opwright.releases.devices import OUTSIDE, OUTSIDE_STRUCTURED
from opwright.releases.release import DispatchKey
from opwright.signatures.facts import Facts
from opwright.syntax.schema import Kind
from opwright.syntax.types import Form
from opwright.values import Value, replace

#: How the results of the functional variant get to where the other variants write.
_COPIES = {Kind.INPLACE: "at::_copy_from", Kind.OUT: "at::_copy_from_and_resize"}


class WrappedBackend(Value):
    """What a backend has for one dispatch key, its own or that of its autograd."""

    key: WrappedKey
    kernels: BackendKernels


def wrapped_backend(backend: Backend, emission: Emission) -> list[WrappedBackend]:
    """What a backend has, key by key."""
    found = [_wrapped(backend.key, backend.own, backend, emission)]
    if backend.autograd_key is not None:
        found.append(_wrapped(backend.autograd_key, backend.autograd, backend, emission))
    return found


def _wrapped(key: DispatchKey, own: BackendKernels, backend: Backend, emission: Emission) -> WrappedBackend:
    kernels = own.kernels
    groups = [
        _group(item, own, backend.use_out_as_primary)
        for item in emission.model.groups
        if not kernels.keys().isdisjoint(members(item))
    ]
    has_structured = any(kernel.is_structured for kernel in kernels.values())
    device = OUTSIDE_STRUCTURED if has_structured else OUTSIDE
    return WrappedBackend(WrappedKey(key, True, device, kernels, tuple(groups), own.guards, backend.scope), own)


def _group(item: GroupItem, own: BackendKernels, use_out_as_primary: bool) -> WrappedGroup:
    kernel = own.kernels.get(primary(item))
    is_structured = kernel is not None and kernel.is_structured
    every = members(item)
    if not is_structured:
        made = set(derived_variants(item, own.kernels)) if isinstance(item, Group) and not use_out_as_primary else set()
        every = tuple(
            [
                member
                for member in every
                if member in made or (member in own.kernels and not member.manual_kernel_registration)
            ]
        )
    return WrappedGroup(item, root_of(item), DEFAULT_NAMESPACE, every, is_structured)


def backend_wrappers(wrapped: WrappedBackend, emission: Emission) -> Iterator[Wrapper]:
    """The wrappers for one dispatch key, group by group."""
    key = wrapped.key
    for group in key.groups:
        for member in group.members:
            if isinstance(group.item, Group) and group.is_structured:
                structured = structured_kernel(member, group.item, wrapped)
                yield structured_wrapper(member, group.item, structured, key, emission)
            elif isinstance(group.item, Group) and member not in key.kernels:
                yield derived_wrapper(member, group.item, key, emission)
            else:
                yield plain_wrapper(member, key, emission)


def namespaced(wrappers: Iterable[Wrapper]) -> list[tuple[str, str]]:
    """The lines that register wrappers, each with the namespace of its operator."""
    return [(wrapper.operator.namespace, wrapper.registration) for wrapper in wrappers]


def registrations(wrappers: Iterable[Wrapper], wrapped: WrappedBackend, emission: Emission) -> str:
    """The blocks that register wrappers when the library is loaded; torchgen registers all of them in `aten`."""
    end, key = emission.model.release.spelling.library_end, wrapped.key.key.name
    blocks = lines_by_namespace(namespaced(wrappers))
    return "".join([library_block(namespace, key, lines, end) for namespace, lines in blocks.items()])


def structured_kernel(member: Operator, group: Group, wrapped: WrappedBackend) -> StructuredKernel:
    """The structured kernel of a group as the wrapper of one member sees it."""
    kernel = wrapped.key.kernels[group.out]
    declared = wrapped.kernels.classes.get(group.out)
    stem = f"structured_{kernel.name}"
    parent = f"{kernel.namespace}::{stem}"
    is_iterator = bool(group.out.structured_inherits)
    if declared is not None and declared.base in BASES.values():
        is_iterator = declared.base == BASES["TensorIteratorBase"]
    device = wrapped.key.device
    if not wrapped.key.guards_of(member).guard:
        device = replace(device, guard="", sets_guard=False)
    has_own_meta = declared is not None and declared.has_meta
    return StructuredKernel(
        parent, stem, None if has_own_meta else group.out.precomputed, device, BASE_CALL if is_iterator else ""
    )


def base_class(group: Group, base: str | None) -> str:
    """The class that the declared class of a structured kernel derives from."""
    return base or f"at::meta::{meta_class(group)}"


def derived_wrapper(operator: Operator, group: Group, key: WrappedKey, emission: Emission) -> Wrapper:
    """The wrapper of an out or in-place variant without a kernel, which calls that of the functional one."""
    facts, functional = emission.facts.by_operator[operator], emission.facts.by_operator[group.functional]
    name = wrapper_name(operator, key.key.name)
    arguments = emission.facts.converter.call(facts.dispatcher.bindings, functional.dispatcher.bindings)
    returned = _returned(facts)
    text = f"""
{facts.dispatcher.returns} {name}({facts.dispatcher.definitions}) {{
  auto {name}_tmp = {wrapper_name(group.functional, key.key.name)}({arguments});
{_updates(operator, f"{name}_tmp")}
  return {returned};
}}
"""
    return Wrapper(operator, text, "", registration(operator, name))


def _updates(operator: Operator, results: str) -> str:
    """The statements that copy the results to where an operator writes."""
    copy, names = _COPIES[operator.schema.kind], return_names(operator)
    if len(names) > 1:
        return "\n".join([f"  {copy}(std::get<{index}>({results}), {name});" for index, name in enumerate(names)])
    if names:
        return f"  {copy}({results}, {names[0]});"
    out = operator.schema.out[0]
    if out.type.form is not Form.LIST:
        return f"  {copy}({results}, {out.name});"
    return f"""  for (int64_t i = 0; i < {results}.size(); ++i) {{
    {copy}({results}[i], {out.name}[i]);
  }}"""


def _returned(facts: Facts) -> str:
    names = return_names(facts.operator)
    return f"{facts.dispatcher.returns}({', '.join(names)})" if len(names) > 1 else "".join(names)
