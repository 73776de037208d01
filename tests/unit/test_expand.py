"""Generated operators: entries in, the schemas of what is generated from them out.

The cases are those of the tables in sections 4 and 5.4 of the specification of generated operators.
"""

from __future__ import annotations

import pytest

from opwright.diagnostics import Diagnostics
from opwright.model.catalog import read_catalog
from opwright.model.context import Context
from opwright.model.expand import expand
from opwright.model.operators import Operator
from opwright.releases import find_release
from opwright.source import Source
from opwright.syntax.yaml_reading import read_yaml

TAGS = frozenset(
    "core generated view_copy inplace_view inplace out nondeterministic_seeded pt2_compliant_tag pointwise".split()
)
F = ("foo(Tensor self) -> Tensor", "")
I = ("foo_(Tensor(a!) self) -> Tensor(a!)", "")  # noqa: E741 - as in the specification
M = ("foo(Tensor self, Tensor(a!) x) -> Tensor", "")
MI = ("foo_(Tensor(a!) self, Tensor(b!) x) -> Tensor(a!)", "")
O = ("foo.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "")  # noqa: E741
OUT = "foo.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"
MUTABLE_OUT = "foo.out(Tensor self, Tensor(a!) x, *, Tensor(b!) out) -> Tensor(b!)"
MUTABLE_FUNCTIONAL = "foo_functional(Tensor self, Tensor x) -> (Tensor, Tensor x_out)"

Entry = tuple[str, str]


def declaring(entry: Entry, autogen: str) -> Entry:
    return entry[0], autogen


def document(*entries: Entry, more: str = "  dispatch: {CPU: k}\n") -> str:
    """A native functions file: each entry has a schema and what it declares with `autogen`."""
    parts = []
    for schema, autogen in entries:
        parts.append(f"- func: {schema}\n{more}")
        if autogen:
            parts.append(f"  autogen: {autogen}\n")
    return "".join(parts)


def generated(text: str, release: str = "2.13") -> tuple[list[Operator], list[str]]:
    """The operators generated from a native functions file, and the codes of what is wrong with it."""
    found = find_release(release)
    assert found is not None
    context = Context(found, Diagnostics(), TAGS)
    source = Source("example.yaml", text)
    operators = read_catalog(read_yaml(source, context.faults), source, context)
    expansion = expand(operators, context)
    assert expansion.operators[: len(operators)] == operators
    return list(expansion.operators[len(operators) :]), [item.code for item in context.faults.in_order()]


def schemas(text: str, release: str = "2.13") -> list[str]:
    operators, faults = generated(text, release)
    assert faults == []
    return [operator.schema.text for operator in operators]


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([declaring(F, "foo.out")], [OUT]),
        ([F], []),
        ([F, declaring(I, "foo.out")], [OUT]),
        ([declaring(I, "foo, foo.out")], [OUT, "foo(Tensor self) -> Tensor"]),
        ([I], []),
        ([declaring(I, "foo"), O], ["foo(Tensor self) -> Tensor"]),
        ([I, declaring(O, "foo")], ["foo(Tensor self) -> Tensor"]),
        ([declaring(M, "foo_functional, foo.out")], [MUTABLE_OUT, MUTABLE_FUNCTIONAL]),
        ([declaring(M, "foo_functional, foo.out"), MI], [MUTABLE_OUT, MUTABLE_FUNCTIONAL]),
        ([F, O], []),
    ],
    ids=["F", "F-none", "FI", "I", "I-none", "IO", "IO-on-out", "M", "MI", "FO"],
)
def test_decision(entries: list[Entry], expected: list[str]) -> None:
    assert schemas(document(*entries)) == expected


def test_declaration_that_does_not_count() -> None:
    """Only the base member's declaration decides; torchgen passes over the other one without a word."""
    operators, faults = generated(document(declaring(F, "foo.out"), I))
    assert (operators, faults) == ([], ["autogen-not-made"])


def test_base_of_mutable_and_inplace() -> None:
    """Up to 2.1 the in-place member is the base, so its declaration counts; since then it is the mutable one."""
    text = document(M, declaring(MI, "foo.out, foo"))
    operators, faults = generated(text, "2.1")
    assert [operator.schema.text for operator in operators] == [
        "foo.out(Tensor self, Tensor(b!) x, *, Tensor(a!) out) -> Tensor(a!)"
    ]
    assert faults == ["generated-name-taken"]
    assert generated(text) == ([], ["autogen-not-made", "autogen-not-made"])


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (
            ("foo_(Tensor(a!) self, int dim) -> Tensor(a!)", "foo, foo.out"),
            [
                "foo.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)",
                "foo(Tensor self, int dim) -> Tensor",
            ],
        ),
        (
            ("foo.Scalar(Tensor self, Scalar dim) -> Tensor", "foo.Scalar_out"),
            ["foo.Scalar_out(Tensor self, Scalar dim, *, Tensor(a!) out) -> Tensor(a!)"],
        ),
        (
            (
                "foo(Tensor self, Tensor(a!) b, Tensor(b!)? c) -> (Tensor x, Tensor y)",
                "foo.out, foo_functional",
            ),
            [
                "foo.out(Tensor self, Tensor(a!) b, Tensor(b!)? c, *, Tensor(c!) out0, Tensor(d!) out1)"
                " -> (Tensor(c!), Tensor(d!))",
                "foo_functional(Tensor self, Tensor b, Tensor? c) -> (Tensor x, Tensor y, Tensor b_out, Tensor? c_out)",
            ],
        ),
        (
            ("_foreach_x_.S(Tensor(a!)[] self, Tensor(b!)[] g, Scalar s) -> ()", "_foreach_x.S_out, _foreach_x.S"),
            [
                "_foreach_x.S_out(Tensor[] self, Tensor(b!)[] g, Scalar s, *, Tensor(a!)[] out) -> ()",
                "_foreach_x.S(Tensor[] self, Tensor[] g, Scalar s) -> (Tensor[] self_out, Tensor[] g_out)",
            ],
        ),
        (("foo(Tensor[] self) -> Tensor[]", "foo.out"), ["foo.out(Tensor[] self, *, Tensor(a!)[] out) -> ()"]),
        (("foo(Tensor self) -> Tensor?", "foo.out"), ["foo.out(Tensor self, *, Tensor(a!)? out) -> ()"]),
        (
            ("__iadd__(Tensor(a!) self, Tensor b) -> Tensor(a!)", "__add__.out, __add__"),
            [
                "__add__.out(Tensor self, Tensor b, *, Tensor(a!) out) -> Tensor(a!)",
                "__add__(Tensor self, Tensor b) -> Tensor",
            ],
        ),
        (
            (
                "foo(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None,"
                " MemoryFormat? memory_format=None) -> Tensor",
                "foo.out",
            ),
            ["foo.out(int n, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)"],
        ),
        (
            ("foo(Tensor x) -> (Tensor, Tensor, Tensor, Tensor[])", "foo.out"),
            ["foo.out(Tensor x, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!)[] out3) -> ()"],
        ),
        # Letters in another order than the alphabet's: those in use are left out, whatever their order.
        (
            ("foo(Tensor self, Tensor(c!) b, Tensor(a!) c) -> (Tensor, Tensor)", "foo.out, foo_functional"),
            [
                "foo.out(Tensor self, Tensor(c!) b, Tensor(a!) c, *, Tensor(b!) out0, Tensor(d!) out1)"
                " -> (Tensor(b!), Tensor(d!))",
                "foo_functional(Tensor self, Tensor b, Tensor c) -> (Tensor, Tensor, Tensor b_out, Tensor c_out)",
            ],
        ),
    ],
)
def test_schemas(entry: Entry, expected: list[str]) -> None:
    more = "  dispatch: {CompositeExplicitAutograd: k}\n  device_check: NoCheck\n"
    assert schemas(document(entry, more=more)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "- func: foo.s(Tensor self, *, Tensor(a!) _scratch_x) -> ()\n",
        document(F, more="  dispatch: {CPU: k}\n  manual_cpp_binding: True\n"),
        "- func: foo(Tensor(a) self) -> Tensor(a)\n  dispatch: {CPU: k}\n",
        "- func: foo_(Tensor(a!) self) -> Tensor(a!)\n",
        document(("adaptive_avg_pool3d_backward.grad_input(Tensor x, *, Tensor(a!) grad_input) -> Tensor(a!)", "")),
        document(("polygamma_(Tensor(a!) self, int n) -> Tensor(a!)", "")),
        document(("is_pinned(Tensor self) -> bool", "")),
        document(("_cummax_helper(Tensor self, Tensor(a!) values, int dim) -> ()", "")),
    ],
    ids=["scratch", "manual", "view", "composite", "lone-out", "ungrouped", "functional-list", "mutable-list"],
)
def test_left_alone(text: str) -> None:
    assert generated(text) == ([], [])


def test_core_composites_take_part() -> None:
    text = document(declaring(F, "foo.out"), more="  tags: core\n")
    assert schemas(text) == [OUT]
    assert generated(text, "2.1") == ([], ["ineffective-autogen"])


def test_word_that_contains_out_asks_for_the_out_variant() -> None:
    """`layout` does so too; what is declared is still held against what is made."""
    operators, faults = generated(document(declaring(F, "foo.layout")))
    assert [operator.name.text for operator in operators] == ["foo.out"]
    assert faults == ["autogen-not-made"]


def test_generated_behind_all_entries_family_by_family() -> None:
    other = ("bar_(Tensor(a!) self) -> Tensor(a!)", "bar, bar.out")
    operators, _ = generated(document(declaring(F, "foo.out"), other, ("baz(Tensor self) -> Tensor", "baz.out")))
    assert [operator.name.text for operator in operators] == ["foo.out", "bar.out", "bar", "baz.out"]


def test_other_fields() -> None:
    text = (
        "- func: mine::foo_.x(Tensor(a!) self, SymInt n, *, Generator? g=None) -> Tensor(a!)\n"
        "  variants: function, method\n"
        "  tags: [nondeterministic_seeded, pointwise, core]\n"
        "  use_const_ref_for_mutable_tensors: True\n"
        "  cpp_no_default_args: ['g']\n"
        "  dispatch: {CPU: mine::foo_x_symint, CUDA: mine::foo_x}\n"
        "  autogen: foo.x, foo.x_out\n"
    )
    (out, functional), faults = generated(text)
    assert faults == []
    for operator in (out, functional):
        assert operator.namespace == "mine"
        assert operator.is_generated and operator.is_abstract and operator.const_ref_mutable
        assert operator.is_function and not operator.is_method
        assert not operator.device_check and not operator.device_guard
        assert operator.autogen == () and operator.cpp_no_default_args == frozenset()
        assert operator.name_place.text == "foo_.x"
    assert sorted(out.tags) == ["generated", "nondeterministic_seeded", "out"]
    assert sorted(functional.tags) == ["generated", "nondeterministic_seeded"]
    kernels = [
        (key.name, kernel.namespace, kernel.name, kernel.is_structured)
        for operator in (out, functional)
        for key, kernel in operator.kernels.items()
    ]
    assert kernels == [
        ("CompositeExplicitAutograd", "at::native", "foo_x_out_symint", False),
        ("CompositeExplicitAutograd", "at::native", "foo_symint", False),
    ]


def test_tags_of_older_releases() -> None:
    (out,), _ = generated(document(declaring(F, "foo.out")), "2.1")
    assert sorted(out.tags) == ["generated"]
    (out,), _ = generated(document(declaring(F, "foo.out")), "2.13")
    assert sorted(out.tags) == ["generated", "out", "pt2_compliant_tag"]
