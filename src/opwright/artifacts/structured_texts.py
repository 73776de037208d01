"""What the wrappers of structured kernels are made of, as far as it is the same under several dispatch keys.

In: a member of a structured group. Out: the parts of its class, of its wrapper and of the functions that call that,
each made once, with gaps for the names that depend on the key.

Rules: spec 08 section 9.3.
"""

from __future__ import annotations

from opwright.artifacts.wrapper_texts import GAP, callers
from opwright.memo import Memo
from opwright.model.model import Group
from opwright.model.operators import Operator, Precomputed
from opwright.releases.release import Release
from opwright.signatures.facts import FactTable
from opwright.signatures.native import NativeSignature, native_name
from opwright.syntax.schema import Kind, Schema
from opwright.values import Value

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
#: Both functions of a class call the raw one of its parent: the class has seen to the strides already. There are gaps
#: for the parent and, called `names`, for the argument with names.
BASE_CALL = f"{GAP}::set_output_raw_strided(output_idx, sizes, strides, options{{names}});\n"


class Holder(Value):
    """In what a wrapper keeps a tensor that it makes: its type, what gives the tensor, and what takes it out."""

    type: str
    get: str
    take: str


_PLAIN = Holder("Tensor", "", "")
_OWNER = Holder("c10::ExclusivelyOwned<Tensor>", "*", ".take()")


class OutputForm(Value):
    """How one variant comes by its outputs: what `set_output` does, what it hands out, and in what it keeps them.

    `name` is how class names call the variant. `tensor` is an output as `set_output` sees it. With a `proxy`, outputs
    are given, and one with other strides than the kernel wants needs a stand-in.
    """

    name: str
    set_output: str
    tensor: str
    value: str
    type: str
    proxy: str = ""


def _form_of_made(name: str, holder: Holder) -> OutputForm:
    return OutputForm(name, _CREATE, f"{holder.get}{_OUTPUT}", f"{holder.get}{_OUTPUT}", holder.type)


def _form_of_given(name: str, set_output: str, holder: Holder) -> OutputForm:
    stand_in = "std::move(maybe_proxy).value()"
    if holder is _OWNER:
        stand_in = f"{holder.type}({stand_in})"
    proxy = f"""auto maybe_proxy = maybe_create_proxy(out, sizes, strides, options);
if (C10_UNLIKELY(maybe_proxy.has_value())) {{
    proxy_{_OUTPUT} = {stand_in};
}}
"""
    value = f"proxy_{_OUTPUT}.has_value() ? *{holder.get}proxy_{_OUTPUT} : {_OUTPUT}.get()"
    return OutputForm(name, set_output, _OUTPUT, value, "std::reference_wrapper<Tensor>", proxy)


def _forms(holder: Holder) -> dict[Kind, OutputForm]:
    """The form of each kind of variant."""
    return {
        Kind.FUNCTIONAL: _form_of_made("functional", holder),
        Kind.OUT: _form_of_given("out", _RESIZE, holder),
        Kind.INPLACE: _form_of_given("inplace", _CHECK, holder),
    }


class Outputs(Value):
    """The outputs of some members: their form, how many there are, and what follows from where they come from.

    `constructor` is that of the class, cut at its name, and called with `given`. `end` is what the wrapper does after
    all calls.
    """

    form: OutputForm
    count: int
    constructor: list[str]
    given: str
    end: str


class Member(Value):
    """One member of a structured group, whose wrappers have this signature.

    `outputs` are its outputs; `name` tells its wrappers from others, `start` is what they do first, up to the call of
    the meta function, and `callers` are the functions that call them, cut at their name.
    """

    operator: Operator
    group: Group
    signature: NativeSignature
    precomputed: Precomputed | None
    outputs: Outputs
    name: str
    start: str
    callers: list[str]


class StructuredTexts:
    """The texts of one run.

    `parameters` has those of the function `impl` of a group. `members` are found by their operator, its group, whether
    their wrappers take symbolic integers, and what the meta function computes. For each, `impl` has the arguments of
    the function that computes the outputs, and `out` the call of the out variant that does so elsewhere. `bodies` are
    what is between the braces of a class besides its constructor, cut where its parent is; they are found by the
    outputs, by the type of the guard, if there is one, by whether that is set, and by what passes on to the parent how
    an output is set up, if anything, see `BASE_CALL`.
    """

    def __init__(self, facts: FactTable) -> None:
        self.facts = facts
        self.release = facts.release
        self.holder = _holder_of(facts.release)
        self.parameters = Memo(self._parameters)
        self.members = Memo(self._member)
        self.impl = Memo(self._impl)
        self.out = Memo(self._out)
        self.bodies = Memo(self._body)
        self._forms = _forms(self.holder)
        self._outputs = Memo(self._made_outputs)

    def _parameters(self, group: Group) -> str:
        bindings = self.facts.structured.impl(group, group.out.precomputed)
        return ", ".join([binding.definition for binding in bindings])

    def _member(self, found_by: tuple[Operator, Group, bool, Precomputed | None]) -> Member:
        operator, group, symint, precomputed = found_by
        facts, schema = self.facts.by_operator[operator], operator.schema
        signature = self.facts.native(operator, symint)
        outputs = self._outputs[schema.kind, _given(schema), len(schema.returns)]
        calls = self.facts.native_calls(facts, signature)
        computes, unused = ("auto precompute = ", "(void)precompute;\n") if precomputed else ("", "")
        to_meta = self.facts.structured_calls.meta(operator, group, signature)
        return Member(
            operator=operator,
            group=group,
            signature=signature,
            precomputed=precomputed,
            outputs=outputs,
            name=native_name(operator),
            start=f" op{outputs.given};\n{computes}op.meta({to_meta});\n{unused}",
            callers=callers(facts, calls),
        )

    def _impl(self, member: Member) -> str:
        wanted = self.facts.structured.impl(member.group, member.precomputed)
        return self.facts.structured_calls.after_meta(
            member.operator, member.group, member.signature, member.precomputed, wanted
        )

    def _out(self, member: Member) -> str:
        public, name = self.facts.by_operator[member.group.out].most_faithful, member.group.out.name
        arguments = self.facts.structured_calls.after_meta(
            member.operator, member.group, member.signature, member.precomputed, public.bindings
        )
        return f"at::{name.base}{public.suffix}({arguments});\n"

    def _made_outputs(self, found_by: tuple[Kind, tuple[str, ...], int]) -> Outputs:
        kind, given, count = found_by
        return Outputs(
            form=self._forms[kind],
            count=count,
            constructor=_constructor(kind, given),
            given=f"({', '.join(given)})" if given else "",
            end=self._end(kind, given, count),
        )

    def _end(self, kind: Kind, given: tuple[str, ...], count: int) -> str:
        """The lines that copy from stand-ins of outputs, and the expression that is returned."""
        if given:
            copies = "\n".join([_copy_back(index, self.holder) for index in range(count)])
            one = kind is Kind.INPLACE or count == 1
            returned = given[0] if one else f"std::forward_as_tuple({', '.join(given)})"
            return f"{copies}\nreturn {returned};\n}}\n"
        moved = [f"std::move(op.outputs_[{index}]){self.holder.take}" for index in range(count)]
        returned = moved[0] if count == 1 else f"std::make_tuple({', '.join(moved)})"
        return f"\nreturn {returned};\n}}\n"

    def _body(self, found_by: tuple[Outputs, str, bool, str]) -> list[str]:
        outputs, guard, sets_guard, base_call = found_by
        form, has_names = outputs.form, self.release.kernels.named_outputs
        head = (_SET_GUARD if sets_guard else "") + form.set_output
        tail = _NAME.format(form.tensor) if has_names else ""
        tail += base_call.replace("{names}", ", names" if has_names else "")
        parameters = f"""
        int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
        TensorOptions options{", DimnameList names" if has_names else ""}
    """
        proxies = f"{self.release.spelling.optional}<{self.holder.type}>"
        text = f"""    void set_output_strided({parameters}) override {{
{head}{form.proxy}{tail}    }}
    void set_output_raw_strided({parameters}) override {{
{head}{tail}    }}
    const Tensor& maybe_get_output(int64_t output_idx) override {{
      return {form.value};
    }}
    std::array<{form.type}, {outputs.count}> outputs_;
{f"    std::array<{proxies}, {outputs.count}> proxy_outputs_;" if form.proxy else ""}
{f"    {guard} guard_;" if guard else ""}
"""
        return text.split(GAP)


def _holder_of(release: Release) -> Holder:
    """What a release keeps tensors in."""
    return _OWNER if release.kernels.owned_outputs else _PLAIN


def _given(schema: Schema) -> tuple[str, ...]:
    """The arguments that a member writes its outputs to."""
    if schema.kind is Kind.OUT:
        return tuple([argument.name for argument in schema.out])
    return (schema.positional[schema.self_index].name,) if schema.kind is Kind.INPLACE else ()


def _constructor(kind: Kind, given: tuple[str, ...]) -> list[str]:
    """The constructor of a class whose outputs are given, cut at its name; nothing for others."""
    if not given:
        return []
    names = [f"out{index}" for index in range(len(given))] if kind is Kind.OUT else given
    parameters = ", ".join([f"Tensor& {name}" for name in names])
    references = ", ".join([f"std::ref({name})" for name in names])
    return ["    ", f"({parameters}) : outputs_{{ {references} }} {{}}\n"]


def _copy_back(index: int, holder: Holder) -> str:
    """The line that copies from the stand-in of an output."""
    proxy = f"op.proxy_outputs_[{index}]"
    return f"if ({proxy}.has_value()) op.outputs_[{index}].get().copy_(*{holder.get}{proxy});"
