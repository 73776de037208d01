"""What functionalization keeps of a view: ViewMetaClasses.h and .cpp, their Python binding, and FunctionalInverses.h.

In: view groups. Out: for each view and its in-place form a class that replays and inverts it, and the declaration of
the function that inverts it.

Rules: spec 08 sections 12.6 and 12.7.
"""

from __future__ import annotations

from collections.abc import Iterator

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.includes import kernel_and_ops_includes
from opwright.model.model import ViewGroup
from opwright.model.operators import Operator
from opwright.signatures.bindings import Binding
from opwright.signatures.views import ViewMeta

INVERSES = "at::functionalization::FunctionalInverses"
#: The view that tells its strides itself, whose metadata says so.
AS_STRIDED = "as_strided"

#: Of a view of several tensors, what makes just one; with a `{slice}` or `{select}` for the operator that does so.
_SINGLE_OUTPUTS = {
    "split.Tensor": """auto start = split_size * out_index;
    return at::_ops::{slice}::call(base, dim, start, start + split_size, 1);""",
    "split_with_sizes": """c10::SymInt start = 0;
    for (int64_t i = 0; i < out_index; ++i) {{
      start += split_sizes[i];
    }}
    return at::_ops::{slice}::call(base, dim, start, start + split_sizes[out_index], 1);""",
    "unbind.int": "return at::_ops::{select}::call(base, dim, out_index);",
}


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
    """The lines that include the headers of a view and its copy."""
    operators = [group.view, *([group.view_copy] if group.view_copy else [])]
    return [kernel_and_ops_includes(item.name.root) for item in operators]


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
    to_index = "  std::shared_ptr<ViewMeta> to_out_index(int64_t out_idx) override;\n" if meta.has_many else ""
    attributes = "".join([f"  {item.definition};\n" for item in meta.attributes])
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

{attributes}}};
"""


def _truth(value: bool) -> str:
    return "true" if value else "false"


def names(bindings: tuple[Binding, ...]) -> str:
    """The names of parameters, joined."""
    return ", ".join([binding.name for binding in bindings])


def _initializers(meta: ViewMeta, emission: Emission) -> str:
    values = held_values(meta, emission)
    return ", ".join([f"{item.name}({value})" for item, value in zip(meta.attributes, values, strict=True)])


def held_values(meta: ViewMeta, emission: Emission) -> list[str]:
    """The expressions that make the attributes of a view's metadata of its parameters."""
    converter = emission.facts.converter
    return converter.arguments(converter.scope(meta.parameters), meta.attributes, owning=True)


def replay(group: ViewGroup, operator: Operator, emission: Emission) -> str:
    """The statement that makes the view anew, or its copy, of a `base` and the attributes of its metadata."""
    meta = emission.view_meta(group, operator)
    assert group.view_copy is not None
    converter, views = emission.facts.converter, emission.facts.views
    scope = converter.scope((views.base, *meta.base_parameters, *meta.attributes))
    wanted = views.rest(group.view_copy, emission.facts.by_operator[operator].flags)
    arguments = ", ".join(["base", *converter.arguments(scope, wanted)])
    view, copy = _replayed(group, meta, arguments, emission)
    return f"""if (reapply_views) {{
    {view}
  }} else {{
    {copy}
  }}"""


def _replayed(group: ViewGroup, meta: ViewMeta, arguments: str, emission: Emission) -> tuple[str, str]:
    """The statements that make what the view gives, and what its copy does; of a view of several, one of these."""
    body = _SINGLE_OUTPUTS.get(group.view.name.text)
    if body is not None and emission.model.release.functionalization.replays_single_outputs:
        views = {"slice": "slice_Tensor", "select": "select_int"}
        copies = {"slice": "slice_copy_Tensor", "select": "select_copy_int"}
        return body.format_map(views), body.format_map(copies)
    assert group.view_copy is not None
    index = f"[{emission.facts.views.out_index.name}]" if meta.has_many else ""
    view, copy = group.view.name.unambiguous, group.view_copy.name.unambiguous
    return f"return at::_ops::{view}::call({arguments}){index};", f"return at::_ops::{copy}::call({arguments}){index};"


def inversion(group: ViewGroup, operator: Operator, emission: Emission) -> str:
    """The statement that inverts the view, of a `base`, a `mutated_view` and the attributes of its metadata."""
    meta = emission.view_meta(group, operator)
    converter, views = emission.facts.converter, emission.facts.views
    scope = converter.scope((views.base, views.mutated_view, *meta.base_parameters, *meta.attributes))
    return f"return {INVERSES}::{meta.inverse}({', '.join(converter.arguments(scope, meta.inverse_parameters))});"


def definition(group: ViewGroup, operator: Operator, emission: Emission) -> str:
    """The functions of a view's class."""
    meta = emission.view_meta(group, operator)
    text = f"""at::Tensor {meta.name}::forward(const at::Tensor& base) {{
  {replay(group, operator, emission)}
}}
at::Tensor {meta.name}::reverse(const at::Tensor& base, const Tensor& mutated_view) {{
  {inversion(group, operator, emission)}
}}
"""
    if not meta.has_many:
        return text
    return f"""{text}std::shared_ptr<at::functionalization::ViewMeta> {meta.name}::to_out_index(int64_t out_index) {{
  return std::make_shared<at::functionalization::{meta.name}>({names(meta.base_parameters + meta.parameters)});
}}
"""


def record(operator: Operator, group: ViewGroup, emission: Emission) -> str:
    """The statement that makes the metadata of a view in its kernel."""
    meta = emission.view_meta(group, operator)
    first = ["0" if item.name == "out_index" else item.name for item in meta.base_parameters]
    arguments = ", ".join([*first, names(meta.parameters)])
    return f"  auto view_meta = std::make_shared<at::functionalization::{meta.name}>({arguments});\n"
