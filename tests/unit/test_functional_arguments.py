"""How functionalization kernels take arguments apart, and how they return."""

from __future__ import annotations

import pytest

from opwright.artifacts.functional_arguments import (
    aliased,
    fresh,
    parts,
    renamed_scope,
    return_line,
)
from tests.written import emission_of, entry

FUNC = "soak(Tensor self, int n, Tensor? w, Tensor[] more, Tensor?[] some) -> Tensor"


def unwrapped(type: str, *, sync: bool = False) -> list[str]:
    """The lines that unwrap an argument `x` of this type."""
    emission = emission_of(entry(f"soak({type} x) -> Tensor"))
    facts = emission.facts.items[0]
    texts = emission.functional.of(facts)
    text = (texts.synced if sync else texts.unwrapped).join(facts.operator.schema.arguments)
    return [line.strip() for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize(
    ("type", "held", "copy"),
    [
        ("Tensor", "at::Tensor", "x"),
        ("Tensor?", "::std::optional<at::Tensor>", "x"),
        ("Tensor[]", "::std::vector<at::Tensor>", "x.vec()"),
        ("Tensor?[]", "c10::List<::std::optional<at::Tensor>>", "x"),
    ],
)
def test_every_kind_of_tensor_is_unwrapped(type: str, held: str, copy: str) -> None:
    assert unwrapped(type) == [
        f"{held} x_;",
        "if (at::functionalization::impl::isFunctionalTensor(x)) {",
        "x_ = at::functionalization::impl::from_functional_tensor(x);",
        "} else {",
        f"x_ = {copy};",
        "}",
    ]


def test_list_references_of_structured_operators_are_copied() -> None:
    text = entry("glue(Tensor[] x) -> Tensor", "structured_delegate: glue.out") + entry(
        "glue.out(Tensor[] x, *, Tensor(a!) out) -> Tensor(a!)", "structured: True", "dispatch: {CPU: k}"
    )
    emission = emission_of(text)
    facts = emission.facts.items[0]
    lines = emission.functional.of(facts).unwrapped.join(facts.operator.schema.arguments)
    assert "::std::vector<at::Tensor> x_;" in lines
    assert "x_ = {x.begin(), x.end()};" in lines


def test_writes_that_wait_are_done_first() -> None:
    lines = unwrapped("Tensor", sync=True)
    at = lines.index("at::functionalization::impl::sync(x);")
    assert lines[at + 1] == "x_ = at::functionalization::impl::from_functional_tensor(x);"


def test_nothing_is_unwrapped_of_what_is_no_tensor() -> None:
    assert unwrapped("int") == unwrapped("Scalar") == []


def test_names_and_scope_of_what_is_unwrapped() -> None:
    emission = emission_of(entry(FUNC))
    facts = emission.facts.items[0]
    texts, own = emission.functional.of(facts), facts.operator.schema.arguments
    assert texts.names["_"].join(own, ", ") == "self_, n, w_, more_, some_"
    scope = renamed_scope(facts, "_meta", emission.facts.converter)
    arguments = emission.facts.converter.arguments(scope, facts.dispatcher.bindings)
    assert arguments == ["self_meta", "n", "w_meta", "more_meta", "some_meta"]
    assert [line.strip() for line in texts.as_meta.join(own).splitlines()] == [
        f"auto {name}_meta = to_meta({name});" for name in ("self", "w", "more", "some")
    ]


@pytest.mark.parametrize(
    ("func", "expected"),
    [
        ("soak(Tensor self) -> Tensor", "at::Tensor"),
        ("soak_(Tensor(a!) self) -> Tensor(a!)", "at::Tensor"),
        ("soak(Tensor self) -> Tensor[]", "::std::vector<at::Tensor>"),
        ("soak(Tensor self) -> ()", "void"),
        ("soak(Tensor self) -> (Tensor, SymInt)", "::std::tuple<at::Tensor,c10::SymInt>"),
    ],
)
def test_return_types_without_references(func: str, expected: str) -> None:
    emission = emission_of(entry(func))
    facts = emission.facts.items[0]
    assert emission.functional.of(facts).returns[facts.operator.schema.returns] == expected


def test_returning_nothing_one_or_several() -> None:
    facts = emission_of(entry("soak(Tensor self) -> (Tensor, Tensor)")).facts.items[0]
    assert return_line("  ", facts, []) == ""
    assert return_line("  ", facts, [], ";") == "  ;\n"
    assert return_line("  ", facts, ["a"]) == "  return a;\n"
    assert return_line("", facts, ["a", "b"], ";") == "return ::std::tuple<at::Tensor,at::Tensor>(a, b);;\n"
    assert parts("x", 1) == ["x"]
    assert parts("x", 2) == ["std::get<0>(x)", "std::get<1>(x)"]


@pytest.mark.parametrize(
    ("func", "arguments", "others"),
    [
        ("soak(Tensor self, Tensor(a!) w) -> Tensor", [], ["tmp_output"]),
        ("soak_(Tensor(a!) self) -> Tensor(a!)", ["self"], []),
        ("soak_(Tensor(a!)[] self) -> ()", [], []),
        (
            "soak(Tensor self, Tensor(a!) w) -> (Tensor, Tensor)",
            [],
            ["std::get<0>(tmp_output)", "std::get<1>(tmp_output)"],
        ),
    ],
)
def test_returns_are_arguments_or_new(func: str, arguments: list[str], others: list[str]) -> None:
    schema = emission_of(entry(func)).facts.items[0].operator.schema
    assert (aliased(schema), fresh(schema, "tmp_output")) == (arguments, others)
