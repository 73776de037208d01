"""What functionalization keeps of a view: ViewMetaClasses.h and .cpp, their Python binding, and FunctionalInverses.h.

In: view groups. Out: for each view and its in-place form a class that replays and inverts it, and the declaration of
the function that inverts it.

Rules: spec 08 sections 12.6 and 12.7.
"""

from __future__ import annotations

from collections.abc import Iterator

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.includes import native_include, ops_include
from opwright.model.model import ViewGroup
from opwright.model.operators import Operator
from opwright.signatures.bindings import Binding
from opwright.signatures.views import ViewMeta

INVERSES = "at::functionalization::FunctionalInverses"
#: The view that tells its strides itself, whose metadata says so.
AS_STRIDED = "as_strided"


def view_meta_header(emission: Emission) -> Iterator[Planned]:
    """ViewMetaClasses.h."""

    def values() -> Values:
        return {"view_meta_declarations": [declaration(*item, emission) for item in metadata(emission)]}

    yield emission.file("ViewMetaClasses.h", values)


def view_meta_source(emission: Emission) -> Iterator[Planned]:
    """ViewMetaClasses.cpp."""

    def values() -> Values:
        return {
            "op_headers": [line for group in emission.model.view_groups for line in view_includes(group)],
            "view_meta_implementations": [definition(*item, emission) for item in metadata(emission)],
        }

    yield emission.file("ViewMetaClasses.cpp", values)


def functional_inverses(emission: Emission) -> Iterator[Planned]:
    """FunctionalInverses.h."""

    def values() -> Values:
        groups = [group for group in emission.model.view_groups if not group.is_composite]
        metas = [emission.view_meta(group, group.view) for group in groups]
        return {
            "view_inverse_declarations": [
                f"static at::Tensor {meta.inverse}({', '.join([item.definition for item in meta.inverse_parameters])});"
                for meta in metas
            ]
        }

    yield emission.file("FunctionalInverses.h", values)


def python_binding(emission: Emission) -> Iterator[Planned]:
    """ViewMetaClassesPythonBinding.cpp, which belongs to the Python bindings of a build."""

    def values() -> Values:
        names = [emission.view_meta(group, operator).name for group, operator in metadata(emission)]
        create = "create_binding_with_pickle<at::functionalization::{}>(functionalization);"
        return {"view_meta_bindings": [create.format(name) for name in names]}

    yield emission.file("ViewMetaClassesPythonBinding.cpp", values)


def view_includes(group: ViewGroup) -> list[str]:
    """The headers of a view and its copy."""
    operators = [group.view, *([group.view_copy] if group.view_copy else [])]
    return [line for item in operators for line in (native_include(item.name.root), ops_include(item.name.root))]


def metadata(emission: Emission) -> list[tuple[ViewGroup, Operator]]:
    """The views and in-place forms that have metadata, each with its group; none unless all operators are selected."""
    if not emission.options.selects_everything:
        return []
    return [
        (group, operator)
        for group in emission.model.view_groups
        if not group.is_composite
        for operator in (group.view, group.view_inplace)
        if operator is not None
    ]


def declaration(group: ViewGroup, operator: Operator, emission: Emission) -> str:
    """The class of a view."""
    meta = emission.view_meta(group, operator)
    name, own = meta.name, meta.base_parameters + meta.parameters
    held = meta.base_parameters + meta.attributes
    types = ", ".join([item.type.text for item in held])
    unpacked = ", ".join([f"std::get<{index}>(tpl)" for index in range(len(held))])
    index = "out_index" if meta.has_many else "0"
    facts = f"has_symbolic_inputs, {_truth(meta.has_many)}, {_truth(operator.name.text == AS_STRIDED)}, {index}"
    to_index = "std::shared_ptr<ViewMeta> to_out_index(int64_t out_idx) override;" if meta.has_many else ""
    return f"""struct TORCH_API {name} : public ViewMeta {{
  FUNCTIONALIZATION_VIEWMETA_NAME({name})
  FUNCTIONALIZATION_VIEWMETA_SERIALIZABLE_TUPLE({types});

  {name}(const SerializableTuple& tpl) : {name}({unpacked}) {{}}
  {name}({", ".join([item.definition for item in own])})
      : at::functionalization::ViewMeta({facts}), {_initializers(meta, emission)} {{}}

  Tensor forward(const Tensor& base) override;
  Tensor reverse(const Tensor& base, const Tensor& mutated_view) override;
  {to_index}

  SerializableTuple to_serializable_tuple() {{
    return std::make_tuple({names(held)});
  }}

  {" ".join([f"{item.definition};" for item in meta.attributes])}
}};
"""


def _truth(value: bool) -> str:
    return "true" if value else "false"


def names(bindings: tuple[Binding, ...]) -> str:
    """The names of parameters, joined."""
    return ", ".join([binding.name for binding in bindings])


def _initializers(meta: ViewMeta, emission: Emission) -> str:
    converter = emission.facts.converter
    values = converter.arguments(converter.scope(meta.parameters), meta.attributes, owning=True)
    return ", ".join([f"{item.name}({value})" for item, value in zip(meta.attributes, values, strict=True)])


def definition(group: ViewGroup, operator: Operator, emission: Emission) -> str:
    """The functions of a view's class."""
    meta = emission.view_meta(group, operator)
    assert group.view_copy is not None
    converter, views = emission.facts.converter, emission.facts.views
    scope = converter.scope((views.base, *meta.base_parameters, *meta.attributes))
    wanted = views.rest(group.view_copy, emission.facts.by_operator[operator].flags)
    arguments = ", ".join(["base", *converter.arguments(scope, wanted)])
    index = "[out_index]" if meta.has_many else ""
    converter.add(scope, "mutated_view", "mutated_view", views.mutated_view.type)
    inverse = ", ".join(converter.arguments(scope, meta.inverse_parameters))
    text = f"""at::Tensor {meta.name}::forward(const at::Tensor& base) {{
  if (reapply_views) {{
    return at::_ops::{group.view.name.unambiguous}::call({arguments}){index};
  }} else {{
    return at::_ops::{group.view_copy.name.unambiguous}::call({arguments}){index};
  }}
}}
at::Tensor {meta.name}::reverse(const at::Tensor& base, const Tensor& mutated_view) {{
  return {INVERSES}::{meta.inverse}({inverse});
}}
"""
    if not meta.has_many:
        return text
    return f"""{text}std::shared_ptr<at::functionalization::ViewMeta> {meta.name}::to_out_index(int64_t out_index) {{
  return std::make_shared<at::functionalization::{meta.name}>({names(meta.base_parameters + meta.parameters)});
}}
"""
