"""VmapGeneratedPlumbing.h: how operators unwrap batched tensors for a batch rule.

In: operators that take tensors. Out: for each a function template that calls the operator, or the batch rule with the
values and batch dimensions of its tensors.

Rules: spec 08 section 15.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from opwright.artifacts.emission import Emission, Planned
from opwright.memo import Texts
from opwright.model.operators import Operator
from opwright.signatures.facts import Facts
from opwright.syntax.schema import Argument, Kind
from opwright.values import Value


class PlumbingForm(Value):
    """One way to call a batch rule: the name under which escaped tensors are reported, and how the result is used."""

    tag: str
    calls: str


_FUNCTIONAL = PlumbingForm("gen_vmap_plumbing", "auto results = batch_rule({rule});\nreturn {wrapped};")
_INPLACE = PlumbingForm("gen_vmap_inplace_plumbing", "batch_rule({rule});\nreturn {first};")
_NO_RETURNS = PlumbingForm("gen_vmap_plumbing_no_returns", "batch_rule({rule});")


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
    """Texts about arguments, each made once.

    `tests` ask whether a tensor is not batched, `rule` has what a batch rule gets of an argument, and `plain` and
    `optional` have the lines that take a tensor of that kind apart; lists are left to the batch rule.
    """

    def __init__(self, *, structured_bindings: bool) -> None:
        wrapper = "std::optional" if structured_bindings else "optional"
        self.tests = Texts[Argument](_test)
        self.rule = Texts[Argument](_rule_argument)
        self.plain = Texts[Argument](_bound if structured_bindings else _tied)
        self.optional = Texts[Argument](partial(_optional, wrapper))


def plumbing(facts: Facts, form: PlumbingForm, texts: PlumbingTexts) -> str:
    """The plumbing of one operator."""
    dispatcher, arguments = facts.dispatcher, facts.operator.schema.arguments
    name = facts.operator.name.unambiguous
    tail = form.calls.format(
        rule=texts.rule.join(arguments, ", "), wrapped=_wrapped(facts.operator), first=arguments[0].name
    )
    tests = texts.tests.join([argument for argument in arguments if argument.type.is_tensor_like], " && ")
    return f"""template <typename batch_rule_t, batch_rule_t batch_rule>
{dispatcher.returns} {name}_generated_plumbing({dispatcher.definitions}) {{
  c10::impl::ExcludeDispatchKeyGuard guard(DispatchKey::FuncTorchBatched);
  auto maybe_layer = maybeCurrentDynamicLayer();
  vmap_check_escaped(maybe_layer, "{form.tag}");
  int64_t cur_level = maybe_layer->layerId();
  if ({tests}) {{
    return at::_ops::{name}::call({dispatcher.names});
  }}
{texts.plain.join(arguments)}{texts.optional.join(arguments)}{tail}
}}
"""


def _test(argument: Argument) -> str:
    return f"!isBatchedAtLevel({argument.name}, cur_level)"


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


def _wrapped(operator: Operator) -> str:
    """The expression that makes batched tensors of what the batch rule returns."""
    made = {"Tensor": "makeBatched", "Tensor[]": "makeBatchedVector"}
    values = []
    at = 0
    for item in operator.schema.returns:
        wrap = made.get(item.type.text)
        if wrap:
            values.append(f"{wrap}(std::get<{at}>(results), std::get<{at + 1}>(results), cur_level)")
            at += 2
        else:
            values.append(f"std::get<{at}>(results)")
            at += 1
    return values[0] if len(values) == 1 else f"std::make_tuple({', '.join(values)})"
