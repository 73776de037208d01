"""CompositeViewCopyKernels.cpp: kernels that follow from other operators and so are generated whole.

In: view groups, and groups with generated members. Out: kernels of view copies, of functional variants that clone what
the original writes to, and of out variants that copy what the functional variant returns.

Rules: spec 08 section 13.
"""

from __future__ import annotations

from collections.abc import Iterator

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.functional_arguments import fresh, parts, return_line
from opwright.artifacts.includes import native_include, ops_include
from opwright.cpp.types import SYMINT
from opwright.model.model import Group, ViewGroup
from opwright.model.operators import Operator
from opwright.releases.keys import COMPOSITE_EXPLICIT_NON_FUNCTIONAL
from opwright.syntax.types import Form

#: The one view copy whose kernel may have to reshape, because not every size is a view.
_VIEW_COPY = """at::Tensor view_copy_symint(const at::Tensor & self, at::SymIntArrayRef size) {
  c10::SymDimVector shape = infer_size_dv(size, self.sym_numel());
  if (!at::detail::computeStride(self.sym_sizes(), self.sym_strides(), shape).has_value()) {
    return self.reshape_symint(size);
  } else {
    auto output = at::_ops::view::call(self, size);
    return output.clone(at::MemoryFormat::Contiguous);
  }
}
"""
_CLONE = "  return output.clone(at::MemoryFormat::Contiguous);\n"


def composite_kernels(emission: Emission) -> Iterator[Planned]:
    """CompositeViewCopyKernels.cpp."""

    def values() -> Values:
        groups = [item for item in emission.model.groups if isinstance(item, Group)]
        views = emission.model.view_groups
        items: list[Group | ViewGroup] = [*views, *groups]
        includes_kernels = emission.model.release.kernels.includes_kernels
        return {
            "ops_headers": [line for item in items for line in _includes(item, includes_kernels)],
            "CompositeViewCopyKernel_Definitions": [
                view_copy(group, group.view_copy, emission)
                for group in views
                if group.view_copy is not None and group.has_generated_copy
            ],
            "GeneratedCompositeFunctional_Definitions": [
                functional_kernel(group, emission) for group in groups if group.functional.is_generated
            ],
            "GeneratedCompositeOut_Definitions": [
                out_kernel(group, emission) for group in groups if group.out.is_generated
            ],
        }

    yield emission.file("CompositeViewCopyKernels.cpp", values)


def _includes(item: Group | ViewGroup, includes_kernels: bool) -> list[str]:
    headers = [ops_include, native_include]
    if isinstance(item, ViewGroup):
        operators = [item.view, item.view_copy]
    else:
        operators = [item.inplace, item.mutable, item.functional]
        headers = headers if includes_kernels else headers[:1]
    found = [operator for operator in operators if operator is not None and not operator.is_generated]
    return [include(operator.name.root) for operator in found for include in headers]


def view_copy(group: ViewGroup, copy: Operator, emission: Emission) -> str:
    """The kernel of a view's copy: the view, cloned."""
    if copy.name.text == "view_copy":
        return _VIEW_COPY
    kernel = copy.kernel(COMPOSITE_EXPLICIT_NON_FUNCTIONAL)
    assert kernel is not None  # the rules see to it
    native = emission.facts.native(copy, kernel.has_symint)
    view = emission.facts.by_operator[group.view]
    call = ", ".join(emission.facts.converter.one_by_one(native.bindings, view.dispatcher.bindings))
    clone = _CLONE
    if group.view.schema.returns[0].type.form is Form.LIST:
        clone = f"""  {native.returns} out_clone;
  for (const auto i : c10::irange(output.size())) {{
    out_clone.push_back(output[i].clone(at::MemoryFormat::Contiguous));
  }}
  return out_clone;
"""
    return f"""{native.returns} {kernel.name}({native.definitions}) {{
  auto output = at::_ops::{group.view.name.unambiguous}::call({call});
{clone}}}
"""


def functional_kernel(group: Group, emission: Emission) -> str:
    """The kernel of a generated functional variant: clones of what the original writes to, and the original."""
    facts, converter = emission.facts.by_operator[group.functional], emission.facts.converter
    target = group.inplace if group.inplace is not None and not group.inplace.is_generated else group.mutable
    assert target is not None
    scope = converter.scope(facts.dispatcher.bindings)
    clones = []
    for argument, own in zip(target.schema.arguments, facts.dispatcher.bindings, strict=True):
        if argument.is_write:
            clones.append(f"{own.name}_clone")
            converter.add(scope, f"{own.name}_clone", own.meaning, own.type)
    lines = [f"  auto {name} = clone_arg({name.removesuffix('_clone')});\n" for name in clones]
    arguments = ", ".join(converter.arguments(scope, emission.facts.by_operator[target].dispatcher.bindings))
    returned = fresh(target.schema, "output")
    assigned = "auto output = " if target.schema.returns else ""
    symint = "_symint" if group.out.schema.has_symint else ""
    out = "_out" if group.functional.schema.out else ""
    return f"""{facts.dispatcher.returns} {group.functional.name.base}{out}{symint}({facts.dispatcher.definitions}) {{
{"".join(lines)}  {assigned}at::_ops::{target.name.unambiguous}::call({arguments});
{return_line("  ", facts, returned + clones)}}}
"""


def out_kernel(group: Group, emission: Emission) -> str:
    """The kernel of a generated out variant: the functional variant, copied into the out arguments."""
    facts, schema = emission.facts.by_operator[group.out], group.out.schema
    taken = group.functional.schema.arguments
    if taken == schema.non_out:
        arguments = ", ".join([argument.name for argument in taken])
    else:
        row = emission.facts.bindings.rows[facts.flags | SYMINT].plain
        arguments = emission.facts.converter.call(facts.dispatcher.bindings, [row[argument] for argument in taken])
    values = parts("tmp_output", len(group.functional.schema.returns))
    copies = [
        f"  resize_out_helper({argument.name}, {values[index]});\n  copy_arg({argument.name}, {values[index]});\n"
        for index, argument in enumerate(schema.out)
    ]
    named = {item.annotation: item.name for item in schema.arguments if item.annotation}
    returned = [
        named[item.annotation] if item.annotation in named else values[index]
        for index, item in enumerate(schema.returns)
    ]
    symint = "_symint" if schema.has_symint else ""
    return f"""{facts.dispatcher.returns} {group.out.name.unambiguous}{symint}({facts.dispatcher.definitions}) {{
  auto tmp_output = at::_ops::{group.functional.name.unambiguous}::call({arguments});
{"".join(copies)}{return_line("  ", facts, returned)}}}
"""
