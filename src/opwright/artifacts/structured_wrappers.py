"""Wrappers of structured kernels: a class that allocates or resizes the outputs, and a function that runs it.

In: a structured group and a dispatch key. Out: for the functional, in-place and out variant a class derived from the
kernel's, whose `set_output` functions are what differs between them, and a wrapper function that calls `meta` and then
`impl`.

Rules: spec 08 section 9.3.
"""

from __future__ import annotations

from opwright.artifacts.emission import Emission
from opwright.artifacts.meta import meta_class
from opwright.artifacts.native_aot import asked_first
from opwright.artifacts.wrapped import WrappedKey
from opwright.artifacts.wrappers import (
    Wrapper,
    device_check,
    namespaced_definitions,
    registration,
    structured_wrapper_name,
)
from opwright.model.model import Group
from opwright.model.operators import Operator, Precomputed
from opwright.releases.devices import Device
from opwright.releases.release import Release
from opwright.signatures.native import NativeSignature
from opwright.syntax.schema import Kind
from opwright.values import Value

#: How class names call the variants.
_KIND_NAMES = {Kind.FUNCTIONAL: "functional", Kind.OUT: "out", Kind.INPLACE: "inplace"}

_CREATE = "outputs_[output_idx] = create_out(sizes, strides, options);\n"
_RESIZE = """const auto& out = outputs_[output_idx].get();
resize_out(out, sizes, strides, options);
"""
_CHECK = """const auto& out = outputs_[output_idx].get();
check_inplace(out, sizes, options);
"""
_SET_GUARD = """auto current_device = guard_.current_device();
if (C10_UNLIKELY(current_device.has_value())) {
  TORCH_INTERNAL_ASSERT(*current_device == options.device(),
    "structured kernels don't support multi-device outputs");
} else {
  guard_.reset_device(options.device());
}
"""
_OUTPUT = "outputs_[output_idx]"
#: What outputs with names get, with a `{}` for the tensor.
_NAME = """if (!names.empty()) {{
  namedinference::propagate_names({}, names);
}}
"""


class Holder(Value):
    """In what a wrapper keeps a tensor that it makes: its type, what gives the tensor, and what takes it out."""

    type: str
    get: str
    take: str


_PLAIN = Holder("Tensor", "", "")
_OWNER = Holder("c10::ExclusivelyOwned<Tensor>", "*", ".take()")


def holder_of(release: Release) -> Holder:
    """What a release keeps tensors in."""
    return _OWNER if release.kernels.owned_outputs else _PLAIN


class OutputForm(Value):
    """How one variant comes by its outputs: what `set_output` does, what it hands out, and in what it keeps them.

    `tensor` is an output as `set_output` sees it. With a `proxy`, outputs are given, and one with other strides than
    the kernel wants needs a stand-in.
    """

    set_output: str
    tensor: str
    value: str
    type: str
    proxy: str = ""


def _form_of_made(holder: Holder) -> OutputForm:
    return OutputForm(_CREATE, f"{holder.get}{_OUTPUT}", f"{holder.get}{_OUTPUT}", holder.type)


def _form_of_given(set_output: str, holder: Holder) -> OutputForm:
    stand_in = "std::move(maybe_proxy).value()"
    if holder is _OWNER:
        stand_in = f"{holder.type}({stand_in})"
    proxy = f"""auto maybe_proxy = maybe_create_proxy(out, sizes, strides, options);
if (C10_UNLIKELY(maybe_proxy.has_value())) {{
    proxy_{_OUTPUT} = {stand_in};
}}
"""
    value = f"proxy_{_OUTPUT}.has_value() ? *{holder.get}proxy_{_OUTPUT} : {_OUTPUT}.get()"
    return OutputForm(set_output, _OUTPUT, value, "std::reference_wrapper<Tensor>", proxy)


#: The form of each kind of variant, by what the release keeps tensors in.
_FORMS = {
    (kind, holder): _form_of_given(given, holder) if given else _form_of_made(holder)
    for kind, given in ((Kind.FUNCTIONAL, ""), (Kind.OUT, _RESIZE), (Kind.INPLACE, _CHECK))
    for holder in (_PLAIN, _OWNER)
}


class StructuredKernel(Value):
    """A structured kernel as its wrappers see it.

    They derive classes from `parent`, whose names start with `stem`, and its meta function computes `precomputed`.
    Outputs are on `device`. `base_call` is what passes on to the parent how an output is set up, with a `{}` for the
    parent and `{names}` for the argument with names, or empty.
    """

    parent: str
    stem: str
    precomputed: Precomputed | None
    device: Device
    base_call: str


#: Both functions of a class call the raw one of its parent: the class has seen to the strides already.
BASE_CALL = "{}::set_output_raw_strided(output_idx, sizes, strides, options{names});\n"


def structured_kernel(group: Group, key: WrappedKey) -> StructuredKernel:
    """The structured kernel that a group has under a key of the library's own."""
    base_call = BASE_CALL if group.out.structured_inherits else ""
    if key.key.from_meta is not None:
        meta = meta_class(group)
        parent, stem = f"at::meta::{meta}", f"{meta}_{key.key.from_meta.suffix}"
    else:
        kernel = key.kernels[group.out]
        stem = f"structured_{kernel.name}"
        parent = f"{kernel.namespace}::{stem}"
    return StructuredKernel(parent, stem, group.out.precomputed, key.device, base_call)


def structured_wrapper(
    operator: Operator, group: Group, structured: StructuredKernel, key: WrappedKey, emission: Emission
) -> Wrapper:
    """The class and the wrapper of one member of a structured group."""
    facts = emission.facts.by_operator[operator]
    kernel = key.kernels.get(operator)
    signature = emission.facts.native(operator, kernel is not None and kernel.has_symint)
    name = structured_wrapper_name(operator, key.key.name)
    text = _class(operator, structured, emission)
    text += _function(name, operator, group, structured, signature, key, emission)
    namespaced = namespaced_definitions(facts, name, emission.facts.native_calls(facts, signature))
    return Wrapper(operator, text, namespaced, registration(operator, name))


def _class_name(operator: Operator, structured: StructuredKernel) -> str:
    return f"{structured.stem}_{_KIND_NAMES[operator.schema.kind]}"


def _class(operator: Operator, structured: StructuredKernel, emission: Emission) -> str:
    release, device = emission.model.release, structured.device
    holder, count = holder_of(release), len(operator.schema.returns)
    form = _FORMS[operator.schema.kind, holder]
    name, has_names = _class_name(operator, structured), release.kernels.named_outputs
    guard = (emission.options.rocm and device.hip_guard) or device.guard
    head = (_SET_GUARD if device.sets_guard else "") + form.set_output
    names = ", names" if has_names else ""
    tail = _NAME.format(form.tensor) if has_names else ""
    tail += structured.base_call.replace("{}", structured.parent).replace("{names}", names)
    parameters = f"""
        int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
        TensorOptions options{", DimnameList names" if has_names else ""}
    """
    proxies = f"{release.spelling.optional}<{holder.type}>"
    return f"""struct {name} final : public {structured.parent} {{
{_constructor(name, operator)}    void set_output_strided({parameters}) override {{
{head}{form.proxy}{tail}    }}
    void set_output_raw_strided({parameters}) override {{
{head}{tail}    }}
    const Tensor& maybe_get_output(int64_t output_idx) override {{
      return {form.value};
    }}
    std::array<{form.type}, {count}> outputs_;
{f"    std::array<{proxies}, {count}> proxy_outputs_;" if form.proxy else ""}
{f"    {guard} guard_;" if guard else ""}
}};
"""


def _constructor(name: str, operator: Operator) -> str:
    given = given_outputs(operator)
    if not given:
        return ""
    if operator.schema.kind is Kind.OUT:
        given = [f"out{index}" for index in range(len(given))]
    parameters = ", ".join([f"Tensor& {output}" for output in given])
    references = ", ".join([f"std::ref({output})" for output in given])
    return f"    {name}({parameters}) : outputs_{{ {references} }} {{}}\n"


def given_outputs(operator: Operator) -> list[str]:
    """The arguments that a member writes its outputs to."""
    schema = operator.schema
    if schema.kind is Kind.OUT:
        return [argument.name for argument in schema.out]
    return [schema.positional[schema.self_index].name] if schema.kind is Kind.INPLACE else []


def _function(
    name: str,
    operator: Operator,
    group: Group,
    structured: StructuredKernel,
    signature: NativeSignature,
    key: WrappedKey,
    emission: Emission,
) -> str:
    given, holder = given_outputs(operator), holder_of(emission.model.release)
    class_name = _class_name(operator, structured)
    check = device_check(operator, name, key, emission)
    to_meta = emission.facts.structured_calls.meta(group, signature)
    computes = "auto precompute = " if structured.precomputed else ""
    unused = "(void)precompute;\n" if structured.precomputed else ""
    copies = "\n".join([_copy_back(index, holder) for index in range(len(operator.schema.returns) if given else 0)])
    return f"""{signature.returns} {name}({signature.definitions}) {{
{check}{class_name} op{f"({', '.join(given)})" if given else ""};
{computes}op.meta({to_meta});
{unused}{_impl(operator, group, structured, signature, key, emission)}{copies}
return {_returned(operator, holder)};
}}
"""


def _copy_back(index: int, holder: Holder) -> str:
    """The line that copies from the stand-in of an output."""
    proxy = f"op.proxy_outputs_[{index}]"
    return f"if ({proxy}.has_value()) op.outputs_[{index}].get().copy_(*{holder.get}{proxy});"


def _impl(
    operator: Operator,
    group: Group,
    structured: StructuredKernel,
    signature: NativeSignature,
    key: WrappedKey,
    emission: Emission,
) -> str:
    """The call that computes the outputs, if there is one."""
    facts = emission.facts
    if key.calls_out:
        public = facts.by_operator[group.out].most_faithful
        wanted = public.bindings
        arguments = facts.structured_calls.after_meta(operator, group, signature, structured.precomputed, wanted)
        return f"at::{group.out.name.base}{public.suffix}({arguments});\n"
    if key.key.from_meta is not None:
        return ""
    arguments = facts.structured_calls.impl(operator, group, signature, structured.precomputed)
    stub = emission.options.aot_stub(group, key.key)
    if stub is not None:
        return asked_first(stub, arguments)
    return f"op.impl({arguments});\n"


def _returned(operator: Operator, holder: Holder) -> str:
    """The expression that a wrapper returns."""
    schema = operator.schema
    names = given_outputs(operator)
    if schema.kind is Kind.INPLACE:
        return names[0]
    if schema.kind is Kind.OUT:
        return names[0] if len(schema.returns) == 1 else f"std::forward_as_tuple({', '.join(names)})"
    moved = [f"std::move(op.outputs_[{index}]){holder.take}" for index in range(len(schema.returns))]
    return moved[0] if len(moved) == 1 else f"std::make_tuple({', '.join(moved)})"
