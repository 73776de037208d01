"""Which operators get plumbing for vmap, and in which form."""

from __future__ import annotations

import pytest

from opwright.artifacts.vmap import PlumbingTexts, plumbing, plumbing_form, writes_only_first
from opwright.model.operators import Operator
from opwright.signatures.facts import FactTable
from tests.releases import SAMPLES
from tests.written import entry, model_of, operator_named

FUNCTIONAL, INPLACE, NO_RETURNS = "gen_vmap_plumbing", "gen_vmap_inplace_plumbing", "gen_vmap_plumbing_no_returns"


def operator_of(func: str) -> Operator:
    """The operator with this schema, beside the functional variant that an out variant needs."""
    name = func.partition("(")[0]
    base = entry("soak(Tensor self) -> Tensor") * (name == "soak.out")
    return operator_named(name, model_of(base + entry(func)))


@pytest.mark.parametrize(
    ("func", "tag"),
    [
        ("soak(Tensor self) -> Tensor", FUNCTIONAL),
        ("soak(int n, Tensor?[] w) -> Tensor[]", FUNCTIONAL),
        ("soak(Tensor? w=None) -> (Tensor, Tensor[])", FUNCTIONAL),
        ("soak(Tensor(a) self) -> Tensor(a)", FUNCTIONAL),
        ("soak(int n) -> Tensor", None),
        ("soak() -> ()", None),
        ("soak(Tensor self) -> ()", NO_RETURNS),
        ("soak(Tensor(a!) self, Storage s) -> ()", NO_RETURNS),
        ("soak(Tensor self) -> int", None),
        ("soak(Tensor self) -> (Tensor, int)", None),
        ("soak_(Tensor(a!) self, Tensor w) -> Tensor(a!)", INPLACE),
        ("soak_(Tensor(a!) self, Tensor(b!) w) -> Tensor(a!)", None),
        ("soak_(Tensor w, Tensor(a!) self) -> Tensor(a!)", None),
        ("soak(Tensor self, Tensor(a!) w) -> Tensor", None),
        ("soak.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", None),
    ],
)
def test_form(func: str, tag: str | None) -> None:
    form = plumbing_form(operator_of(func), frozenset())
    assert (form.tag if form else None) == tag


def test_views_in_place_have_none() -> None:
    text = entry("soak(Tensor(a) self) -> Tensor(a)")
    text += entry("soak_(Tensor(a!) self) -> Tensor(a!)", "tags: inplace_view")
    assert plumbing_form(operator_named("soak_", model_of(text)), frozenset()) is None


def test_some_have_it_despite_what_they_return() -> None:
    operator = operator_of("soak.fast(Tensor self) -> (Tensor, int)")
    assert plumbing_form(operator, frozenset({"soak"})) is None
    form = plumbing_form(operator, frozenset({"soak_fast"}))
    assert form is not None and form.tag == FUNCTIONAL


@pytest.mark.parametrize(
    ("func", "expected"),
    [
        ("soak_(Tensor(a!) self) -> Tensor(a!)", True),
        ("soak_(Tensor(a!)[] self) -> ()", True),
        ("soak_(Tensor(a!) self, Tensor(b!)[] w) -> Tensor(a!)", False),
    ],
)
def test_writing_to_the_first_argument_only(func: str, expected: bool) -> None:
    assert writes_only_first(operator_of(func)) is expected


def test_values_and_dimensions_go_to_the_batch_rule_in_argument_order() -> None:
    operator = operator_of("soak(int n, Tensor? w, Tensor self, Tensor[] more) -> (Tensor, Tensor[])")
    form = plumbing_form(operator, frozenset())
    assert form is not None
    lines = plumbing(
        FactTable([operator], SAMPLES).items[0], form, PlumbingTexts(structured_bindings=True)
    ).splitlines()
    assert "auto results = batch_rule(n, w_value, w_bdim, self_value, self_bdim, more);" in lines
    assert lines[6].strip() == (
        "if (!isBatchedAtLevel(w, cur_level) && !isBatchedAtLevel(self, cur_level) "
        "&& !isBatchedAtLevel(more, cur_level)) {"
    )
    assert lines[-2] == (
        "return std::make_tuple(makeBatched(std::get<0>(results), std::get<1>(results), cur_level), "
        "makeBatchedVector(std::get<2>(results), std::get<3>(results), cur_level));"
    )


def test_plain_tensors_are_unwrapped_before_optional_ones() -> None:
    operator = operator_of("soak(Tensor? w, Tensor self) -> Tensor")
    form = plumbing_form(operator, frozenset())
    assert form is not None
    text = plumbing(FactTable([operator], SAMPLES).items[0], form, PlumbingTexts(structured_bindings=True))
    assert text.index("auto [self_value, self_bdim]") < text.index("std::optional<Tensor> w_value;")
