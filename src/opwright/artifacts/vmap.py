"""VmapGeneratedPlumbing.h: how operators unwrap batched tensors for a batch rule.

In: operators that take tensors. Out: for each a function template that calls the operator, or the batch rule with the
values and batch dimensions of its tensors.

Rules: spec 08 section 15.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from opwright.artifacts.emission import Emission, Planned
from opwright.memo import Memo, Texts
from opwright.model.operators import Operator
from opwright.signatures.facts import Facts
from opwright.syntax.schema import Argument, Kind, Return, Schema
from opwright.values import Value

_AND = " && "


class PlumbingForm(Value):
    """One way to call a batch rule: the name under which escaped tensors are reported, and how the result is used.

    `results` stands before the call, and `end` gives the line behind it, if there is one.
    """

    tag: str
    results: str
    end: Callable[[Schema, PlumbingTexts], str]


_FUNCTIONAL = PlumbingForm("gen_vmap_plumbing", "auto results = ", lambda schema, texts: texts.wrapped[schema.returns])
_INPLACE = PlumbingForm("gen_vmap_inplace_plumbing", "", lambda schema, _: f"return {schema.arguments[0].name};\n")
_NO_RETURNS = PlumbingForm("gen_vmap_plumbing_no_returns", "", lambda *_: "")


def vmap_plumbing(emission: Emission) -> Iterator[Planned]:
    """VmapGeneratedPlumbing.h, which has no template."""
    release = emission.model.release
    by_hand, structured_bindings = release.lists.batched_despite_returns, release.kernels.structured_bindings

    def text() -> str:
        parts, texts = [], PlumbingTexts(structured_bindings=structured_bindings)
        for facts in emission.facts.items:
            form = plumbing_form(facts.operator, by_hand)
            if form is not None:
                parts.append(plumbing(facts, form, texts))
        body = "\n".join(parts)
        return f"""#pragma once
#include <ATen/Operators.h>
#include <ATen/functorch/PlumbingHelper.h>

namespace at {{ namespace functorch {{

{body}
}}}} // namespace at::functorch
"""

    yield Planned("VmapGeneratedPlumbing.h", text)


def plumbing_form(operator: Operator, despite_returns: frozenset[str]) -> PlumbingForm | None:
    """The form of an operator's plumbing; None when it gets none.

    `despite_returns` names operators that get it although they return more than tensors.
    """
    schema = operator.schema
    if schema.out and schema.returns:
        return None
    if not any([argument.type.is_tensor_like for argument in schema.arguments]):
        return None
    if not schema.returns:
        return _NO_RETURNS
    only_tensors = all([item.type.is_tensor_like for item in schema.returns])
    if not only_tensors and operator.name.unambiguous not in despite_returns:
        return None
    if "inplace_view" in operator.tags:
        return None
    if schema.kind is Kind.INPLACE:
        return _INPLACE if writes_only_first(operator) else None
    return _FUNCTIONAL if schema.kind is Kind.FUNCTIONAL else None


def writes_only_first(operator: Operator) -> bool:
    """Whether an operator writes to its first argument and no other, and returns tensors or lists of them."""
    arguments, returns = operator.schema.arguments, operator.schema.returns
    if not arguments[0].is_write or any(argument.is_write for argument in arguments[1:]):
        return False
    return all(item.type.text in ("Tensor", "Tensor[]") for item in returns)


class PlumbingTexts:
    """Texts about arguments and returns, each made once.

    `arguments` has four of each argument: the test whether a tensor is not batched, what a batch rule gets, and the
    lines that take apart a tensor, and one that may be missing; lists are left to the batch rule. `wrapped` has the
    lines that return what a batch rule gives.
    """

    def __init__(self, *, structured_bindings: bool) -> None:
        wrapper = "std::optional" if structured_bindings else "optional"
        plain = _bound if structured_bindings else _tied
        self.arguments = Memo[Argument, tuple[str, ...]](
            lambda item: (_test(item), _rule_argument(item), plain(item), _optional(wrapper, item))
        )
        self.wrapped: Texts[tuple[Return, ...]] = Texts(_wrapped)


#: What stands between the texts about arguments.
_SEPARATORS = ("", ", ", "", "")


def plumbing(facts: Facts, form: PlumbingForm, texts: PlumbingTexts) -> str:
    """The plumbing of one operator."""
    dispatcher, schema = facts.dispatcher, facts.operator.schema
    arguments, name = schema.arguments, facts.operator.name.unambiguous
    columns = zip(*map(texts.arguments.__getitem__, arguments), strict=True)
    tests, rule, plain, optional = map(str.join, _SEPARATORS, columns)
    return f"""template <typename batch_rule_t, batch_rule_t batch_rule>
{dispatcher.returns} {name}_generated_plumbing({dispatcher.definitions}) {{
  c10::impl::ExcludeDispatchKeyGuard guard(DispatchKey::FuncTorchBatched);
  auto maybe_layer = maybeCurrentDynamicLayer();
  vmap_check_escaped(maybe_layer, "{form.tag}");
  int64_t cur_level = maybe_layer->layerId();
  if ({tests[len(_AND) :]}) {{
    return at::_ops::{name}::call({dispatcher.names});
  }}
{plain}{optional}{form.results}batch_rule({rule});
{form.end(schema, texts)}}}
"""


def _test(argument: Argument) -> str:
    return f"{_AND}!isBatchedAtLevel({argument.name}, cur_level)" if argument.type.is_tensor_like else ""


def _rule_argument(argument: Argument) -> str:
    if argument.type.text in ("Tensor", "Tensor?"):
        return f"{argument.name}_value, {argument.name}_bdim"
    return argument.name


def _bound(argument: Argument) -> str:
    name = argument.name
    if argument.type.text != "Tensor":
        return ""
    return f"  auto [{name}_value, {name}_bdim] = unwrapTensorAtLevel({name}, cur_level);\n"


def _tied(argument: Argument) -> str:
    name = argument.name
    if argument.type.text != "Tensor":
        return ""
    return f"""  Tensor {name}_value;
  optional<int64_t> {name}_bdim;
  std::tie({name}_value, {name}_bdim) = unwrapTensorAtLevel({name}, cur_level);
"""


def _optional(wrapper: str, argument: Argument) -> str:
    name = argument.name
    if argument.type.text != "Tensor?":
        return ""
    return f"""  {wrapper}<Tensor> {name}_value;
  {wrapper}<int64_t> {name}_bdim;
  if ({name}) {{
      std::tie({name}_value, {name}_bdim) = unwrapTensorAtLevel({name}.value(), cur_level);
  }}
"""


def _wrapped(returns: tuple[Return, ...]) -> str:
    """The line that makes batched tensors of what the batch rule returns."""
    made = {"Tensor": "makeBatched", "Tensor[]": "makeBatchedVector"}
    values = []
    at = 0
    for item in returns:
        wrap = made.get(item.type.text)
        if wrap:
            values.append(f"{wrap}(std::get<{at}>(results), std::get<{at + 1}>(results), cur_level)")
            at += 2
        else:
            values.append(f"std::get<{at}>(results)")
            at += 1
    value = values[0] if len(values) == 1 else f"std::make_tuple({', '.join(values)})"
    return f"return {value};\n"
