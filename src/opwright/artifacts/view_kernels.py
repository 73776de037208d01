"""Functionalization kernels of views: they record how to replay the view, and wrap what the view gives.

In: a view, or its in-place form, with its group. Out: the text of its kernel.

Rules: spec 08 section 12.4.
"""

from __future__ import annotations

from opwright.artifacts import view_lambdas, view_meta
from opwright.artifacts.emission import Emission
from opwright.artifacts.functional_arguments import (
    AS_META,
    IMPL,
    UNWRAPPED,
    renamed_scope,
)
from opwright.cpp.types import SYMINT
from opwright.model.model import ViewGroup
from opwright.model.operators import Operator
from opwright.signatures.facts import Facts
from opwright.signatures.native import native_name
from opwright.syntax.types import Form, Type
from opwright.values import Value

_MODE = f"  auto reapply_views = {IMPL}::getFunctionalizationReapplyViewsTLS();\n"
_INVERSE_MODE = """  auto inverse_return_mode = (
      reapply_views ? at::functionalization::InverseReturnMode::ViewOrScatterInverse
        : at::functionalization::InverseReturnMode::NeverView
  );
"""


def view_kernel(operator: Operator, group: ViewGroup, emission: Emission) -> str:
    """The kernel of a view or of its in-place form."""
    pieces = _pieces(operator, group, emission)
    make = _inplace_kernel if "inplace_view" in operator.tags else _kernel
    return make(pieces)


class _Pieces(Value):
    """What both forms of the kernel are made of; `x` is the tensor that is viewed."""

    head: str
    unwrap: str
    guarded_call: str
    x: str
    plain: str
    view_call: str
    copy_call: str
    modes: str
    reference: str
    has_reference: str
    view_meta: str


def _pieces(operator: Operator, group: ViewGroup, emission: Emission) -> _Pieces:
    facts = emission.facts.by_operator[operator]
    assert group.view_copy is not None
    x, own, copy = operator.schema.arguments[0].name, operator.name.unambiguous, group.view_copy.name.unambiguous
    texts = emission.functional.of(facts)
    plain = texts.returns[operator.schema.returns]
    arguments = _arguments(facts, group.view_copy, UNWRAPPED, emission)
    on_meta = _arguments(facts, group.view_copy, AS_META, emission)
    call, meta_call = f"at::_ops::{own}::call({arguments})", f"at::_ops::{own}::call({on_meta})"
    separator = ", " if facts.dispatcher.definitions else ""
    definitions = f"c10::DispatchKeySet dispatchKeySet{separator}{facts.dispatcher.definitions}"
    release = emission.model.release.functionalization
    has_reference = "compute_reference_meta" + (" && !disable_meta_reference()" if release.meta_switch else "")
    record = view_meta.record if release.view_classes else view_lambdas.record
    check = _symbolic_check(group.view_copy) if release.tells_symbolic_inputs else ""
    return _Pieces(
        head=f"{facts.dispatcher.returns} {native_name(operator)}({definitions}) {{\n",
        unwrap=texts.unwrapped.join(operator.schema.arguments),
        guarded_call=f"    at::AutoDispatchSkipFunctionalize guard;\n    return {call};\n",
        x=x,
        plain=plain,
        view_call=call,
        copy_call=f"at::_ops::{copy}::call({arguments})",
        modes=_MODE + (_INVERSE_MODE if release.inverse_modes else ""),
        reference=_reference(texts.as_meta.join(operator.schema.arguments), plain, x, meta_call, has_reference),
        has_reference=has_reference,
        view_meta=check + record(operator, group, emission),
    )


def _kernel(own: _Pieces) -> str:
    return f"""{own.head}{own.unwrap}  if (!{IMPL}::isFunctionalTensor({own.x})) {{
{own.guarded_call}  }}
{own.modes}{own.reference}  {own.plain} tmp_output;
  {{
    at::AutoDispatchSkipFunctionalize guard;
    if (reapply_views) {{
      tmp_output = {own.view_call};
    }} else {{
      tmp_output = {own.copy_call};
    }}
  }}
{own.view_meta}  auto out = {IMPL}::create_functional_tensor_with_view_meta(tmp_output, {own.x}, view_meta);
  if ({own.has_reference}) {{
    {IMPL}::set_sizes_strides_offset(out, reference_tensor_output);
  }}
  return out;
}}
"""


def _inplace_kernel(own: _Pieces) -> str:
    return f"""{own.head}  if (!{IMPL}::isFunctionalTensor({own.x})) {{
{own.unwrap}{own.guarded_call}  }}
{own.modes}{own.view_meta}{own.reference}  {IMPL}::mutate_view_meta({own.x}, view_meta);
  if ({own.has_reference}) {{
    {IMPL}::set_sizes_strides_offset({own.x}, reference_tensor_output);
  }}
  return {own.x};
}}
"""


def _arguments(facts: Facts, copy: Operator, suffix: str, emission: Emission) -> str:
    """The arguments of a call of the view or its copy, whose parameters are the same."""
    row = emission.facts.bindings.rows[facts.flags | SYMINT].plain
    wanted = map(row.__getitem__, copy.schema.arguments)
    return ", ".join(emission.facts.converter.arguments(renamed_scope(facts, suffix, emission.facts.converter), wanted))


def _reference(to_meta: str, plain: str, x: str, call: str, condition: str) -> str:
    """The lines that run the view on meta tensors, which `to_meta` makes, for backends that do not keep strides."""
    return f"""  auto compute_reference_meta =
    {x}.key_set().has_backend(c10::BackendComponent::XLABit) ||
    {x}.key_set().has_backend(c10::BackendComponent::LazyBit);
  {plain} reference_tensor_output;
  if ({condition}) {{
{to_meta}    at::AutoDispatchSkipFunctionalize func_guard;
    c10::impl::ExcludeDispatchKeyGuard guard(exclude_keys_for_meta_dispatch);
    reference_tensor_output = {call};
  }}
"""


def _symbolic_check(copy: Operator) -> str:
    lines = ["  bool has_symbolic_inputs = false;\n"]
    for argument in copy.schema.arguments:
        if argument.type.base == "SymInt":
            test = _is_symbolic(argument.name, argument.type)
            lines.append(f"  has_symbolic_inputs = has_symbolic_inputs | ({test});\n")
    return "".join(lines)


def _is_symbolic(name: str, type: Type) -> str:
    """The test whether an argument with symbolic integers holds one that is not a plain number."""
    if type.form is Form.OPTIONAL and type.element is not None:
        return f"{name}.has_value() ? {_is_symbolic(f'(*{name})', type.element)} : false"
    if type.form is Form.LIST:
        return f"std::any_of({name}.begin(), {name}.end(), [=](auto& arg) {{ return arg.is_symbolic(); }})"
    return f"{name}.is_symbolic()"
