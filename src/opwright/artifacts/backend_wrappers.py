"""The wrappers of a backend's kernels, and what they are made from.

In: a backend, with its kernels for one dispatch key. Out: a `WrappedKey` with its groups, and for each group the
wrappers of its members: of a plain kernel, of a structured one, or one that calls the functional variant and copies its
results.

    add.Tensor has a kernel, add.out has none  ->  wrapper_XLA_out_add_out, by at::_copy_from_and_resize

Rules: spec 11 section 4.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opwright.artifacts.emission import Emission
from opwright.artifacts.libraries import library_block, lines_by_namespace
from opwright.artifacts.meta import meta_class
from opwright.artifacts.structured_texts import BASE_CALL
from opwright.artifacts.structured_wrappers import StructuredKernel, structured_wrapper
from opwright.artifacts.wrapped import WrappedGroup, WrappedKey, members, primary, root_of
from opwright.artifacts.wrapper_texts import GAP
from opwright.artifacts.wrappers import Wrapper, plain_wrapper, registrations, wrapper_name
from opwright.model.backend import Backend
from opwright.model.backend_kernels import BASES, BackendKernels, StructuredClass, derived_variants, has_functions
from opwright.model.dispatch import DEFAULT_NAMESPACE
from opwright.model.model import Group, GroupItem
from opwright.model.operators import Operator, return_names
from opwright.releases.devices import OUTSIDE, OUTSIDE_STRUCTURED
from opwright.releases.keys import DispatchKey
from opwright.signatures.facts import Facts
from opwright.syntax.schema import Kind
from opwright.syntax.types import Form

#: How the results of the functional variant get to where the other variants write.
_COPIES = {Kind.INPLACE: "at::_copy_from", Kind.OUT: "at::_copy_from_and_resize"}


def wrapped_backend(backend: Backend, emission: Emission) -> list[WrappedKey]:
    """What a backend has, key by key."""
    found = [_wrapped(backend.key, backend.own, backend, emission)]
    if backend.autograd_key is not None:
        found.append(_wrapped(backend.autograd_key, backend.autograd, backend, emission))
    return found


def _wrapped(key: DispatchKey, own: BackendKernels, backend: Backend, emission: Emission) -> WrappedKey:
    kernels = own.kernels
    groups = [
        _group(item, own, backend.use_out_as_primary)
        for item in emission.model.groups
        if not kernels.keys().isdisjoint(members(item))
    ]
    has_structured = any(kernel.is_structured for kernel in kernels.values())
    device = OUTSIDE_STRUCTURED if has_structured else OUTSIDE
    return WrappedKey(key, True, device, kernels, tuple(groups), own.guards, backend.scope, own.classes)


def _group(item: GroupItem, own: BackendKernels, use_out_as_primary: bool) -> WrappedGroup:
    kernel, wrapped = own.kernels.get(primary(item)), members(item)
    is_structured = kernel is not None and kernel.is_structured
    if not is_structured:
        made = {one for one in wrapped if one in own.kernels and not one.manual_kernel_registration}
        if isinstance(item, Group) and not use_out_as_primary:
            made.update(derived_variants(item, own.kernels))
        wrapped = tuple([member for member in wrapped if member in made])
    return WrappedGroup(item, root_of(item), DEFAULT_NAMESPACE, wrapped, is_structured)


def backend_wrappers(wrapped: WrappedKey, emission: Emission) -> Iterator[Wrapper]:
    """The wrappers for one dispatch key, group by group."""
    for group in wrapped.groups:
        for member in group.members:
            if isinstance(group.item, Group) and group.is_structured:
                structured = structured_kernel(member, group.item, wrapped)
                yield structured_wrapper(member, group.item, structured, wrapped, emission)
            elif isinstance(group.item, Group) and member not in wrapped.kernels:
                yield derived_wrapper(member, group.item, wrapped, emission)
            else:
                yield plain_wrapper(member, wrapped, emission)


def namespaced(wrappers: Sequence[Wrapper]) -> list[tuple[str, str]]:
    """The lines that register wrappers, each with the namespace of its operator."""
    namespaces = [wrapper.operator.namespace for wrapper in wrappers]
    return list(zip(namespaces, registrations(wrappers), strict=True))


def registration_blocks(wrappers: Sequence[Wrapper], wrapped: WrappedKey, emission: Emission) -> str:
    """The blocks that register wrappers when the library is loaded; torchgen registers all of them in `aten`."""
    end, key = emission.model.release.spelling.library_end, wrapped.key.name
    blocks = lines_by_namespace(namespaced(wrappers))
    return "".join([library_block(namespace, key, lines, end) for namespace, lines in blocks.items()])


def structured_kernel(member: Operator, group: Group, wrapped: WrappedKey) -> StructuredKernel:
    """The structured kernel of a group as the wrapper of one member sees it."""
    kernel, declared, device = wrapped.kernels[group.out], wrapped.classes.get(group.out), wrapped.device
    has_guard = wrapped.guards_of(member).guard
    stem, has_own_meta = f"structured_{kernel.name}", declared is not None and declared.has_meta
    return StructuredKernel(
        parent=f"{kernel.namespace}::{stem}",
        stem=stem,
        precomputed=None if has_own_meta else group.out.precomputed,
        guard=device.guard if has_guard else "",
        sets_guard=device.sets_guard and has_guard,
        base_call=_base_call(group, declared),
    )


#: Nothing is known of a class of the author's, so the compiler decides.
_BASE_CALL_OF_ITERATOR = f"if constexpr (std::is_base_of_v<at::TensorIteratorBase, {GAP}>) {{\n{BASE_CALL}}}\n"


def _base_call(group: Group, declared: StructuredClass | None) -> str:
    """What passes on to the parent of a wrapper's class how an output is set up: iterators want to know."""
    base = declared.base if declared is not None else None
    if base is None or has_functions(base):
        return BASE_CALL if group.out.structured_inherits else ""
    if base in BASES.values():
        return BASE_CALL if base == BASES["TensorIteratorBase"] else ""
    return _BASE_CALL_OF_ITERATOR


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
    return Wrapper(operator, name, text, "")


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
