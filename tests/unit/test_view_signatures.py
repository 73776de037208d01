"""The metadata of views: what its class is made of, and how the view is inverted."""

from __future__ import annotations

import pytest

from opwright.signatures.bindings import Binding
from opwright.signatures.facts import FactTable
from opwright.signatures.views import ViewMeta
from tests.releases import SAMPLES
from tests.written import entry, model_of, operator_named

MODE = "at::functionalization::InverseReturnMode inverse_return_mode"


def view_text(rest: str = "", overload: str = "") -> str:
    """A view, its in-place form and its copy, with further arguments."""
    kernel = "dispatch: {CompositeExplicitAutograd: k}"
    return (
        entry(f"peel{overload}(Tensor(a) self{rest}) -> Tensor(a)", kernel)
        + entry(f"peel_{overload}(Tensor(a!) self{rest}) -> Tensor(a!)", "tags: inplace_view", kernel)
        + entry(
            f"peel_copy{overload}(Tensor self{rest}) -> Tensor",
            "tags: view_copy",
            "dispatch: {CompositeExplicitAutogradNonFunctional: peel_copy}",
        )
    )


MANY = entry(
    "halves(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", "dispatch: {CompositeExplicitAutograd: halves}"
) + entry(
    "halves_copy(Tensor self, int dim=0) -> Tensor[]",
    "tags: view_copy",
    "dispatch: {CompositeExplicitAutogradNonFunctional: halves_copy}",
)


def meta_of(text: str, name: str) -> ViewMeta:
    """The metadata of the operator with that name."""
    model = model_of(text)
    operator, table = operator_named(name, model), FactTable(model.operators, SAMPLES)
    group = next(item for item in model.view_groups if operator in item.members())
    return table.views.meta(group, operator, table.by_operator[operator].flags)


def joined(bindings: tuple[Binding, ...]) -> str:
    return ", ".join([binding.declaration for binding in bindings])


def test_plain_view() -> None:
    meta = meta_of(view_text(", int dim=0, *, bool all=False"), "peel")
    assert (meta.name, meta.has_many) == ("peel_ViewMeta", False)
    assert joined(meta.base_parameters) == "bool has_symbolic_inputs"
    assert joined(meta.parameters) == f"bool reapply_views, {MODE}, int64_t dim, bool all"
    assert joined(meta.attributes) == joined(meta.parameters)
    assert meta.inverse == "peel_inverse"
    base = f"const at::Tensor & base, const at::Tensor & mutated_view, {MODE}"
    assert joined(meta.inverse_parameters) == f"{base}, int64_t dim, bool all"


def test_view_of_many_has_an_index() -> None:
    meta = meta_of(MANY, "halves")
    assert (meta.name, meta.has_many) == ("halves_ViewMeta", True)
    assert joined(meta.base_parameters) == "bool has_symbolic_inputs, int64_t out_index"
    assert joined(meta.inverse_parameters) == (
        f"const at::Tensor & base, const at::Tensor & mutated_view, {MODE}, int64_t out_index, int64_t dim"
    )


def test_in_place_form_has_metadata_and_no_inverse_of_its_own() -> None:
    meta = meta_of(view_text(overload=".angle"), "peel_.angle")
    assert (meta.name, meta.inverse) == ("peel__angle_ViewMeta", "peel_angle_inverse")


@pytest.mark.parametrize(
    ("type", "given", "held"),
    [
        ("SymInt", "c10::SymInt", "c10::SymInt"),
        ("int[]", "at::IntArrayRef", "::std::vector<int64_t>"),
        ("SymInt[]", "c10::SymIntArrayRef", "::std::vector<c10::SymInt>"),
        ("SymInt[2]", "c10::SymIntArrayRef", "::std::vector<c10::SymInt>"),
        ("SymInt?", "::std::optional<c10::SymInt>", "::std::optional<c10::SymInt>"),
        ("SymInt[]?", "at::OptionalSymIntArrayRef", "at::OptionalSymIntArrayRef"),
        ("ScalarType?", "::std::optional<at::ScalarType>", "::std::optional<at::ScalarType>"),
        ("Tensor", "const at::Tensor &", "const at::Tensor &"),
    ],
)
def test_lists_of_integers_are_held_and_the_rest_is_kept_as_given(type: str, given: str, held: str) -> None:
    meta = meta_of(view_text(f", {type} x"), "peel")
    assert joined(meta.parameters[2:]) == f"{given} x"
    assert joined(meta.attributes[2:]) == f"{held} x"
    assert joined(meta.inverse_parameters[3:]) == f"{given} x"
