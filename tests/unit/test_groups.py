"""Structured groups and view groups of small inputs.

Lines are written as in the specification: `G` and `V` stand for a group, `F` for an operator that is in none.
"""

from __future__ import annotations

import pytest

from opwright.diagnostics import Diagnostics
from opwright.model.catalog import read_catalog
from opwright.model.context import Context
from opwright.model.model import Group, Model, ViewGroup
from opwright.reading import derive
from opwright.releases import find_release
from opwright.source import Source
from opwright.syntax.yaml_reading import read_yaml

TAGS = frozenset({"view_copy", "inplace_view", "nondeterministic_seeded"})
KERNEL = "  dispatch: {CPU: k}\n"
F = "- func: foo(Tensor self) -> Tensor\n"
I = "- func: foo_(Tensor(a!) self) -> Tensor(a!)\n"  # noqa: E741 - as in the specification
O = "- func: foo.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"  # noqa: E741
V = "- func: foo(Tensor(a) self) -> Tensor(a)\n"
VI = "- func: foo_(Tensor(a!) self) -> Tensor(a!)\n  tags: inplace_view\n"
VC = (
    "- func: foo_copy(Tensor self) -> Tensor\n  tags: view_copy\n"
    "  dispatch: {CompositeExplicitAutogradNonFunctional: foo_copy}\n"
)
SCATTER = (
    "- func: foo_inverse(Tensor(a) self, Tensor src) -> Tensor(a)\n  dispatch: {CPU: k}\n"
    "- func: foo_scatter(Tensor self, Tensor src) -> Tensor\n  tags: view_copy\n"
    "  dispatch: {CompositeExplicitAutogradNonFunctional: k}\n"
)


def read(text: str, release: str = "2.13") -> Model:
    """The model of a native functions file that has no faults."""
    found = find_release(release)
    assert found is not None
    context = Context(found, Diagnostics(), TAGS)
    source = Source("example.yaml", text)
    model = derive(read_catalog(read_yaml(source, context.faults), source, context), context)
    assert [(item.code, item.message) for item in context.faults.in_order()] == []
    return model


def group_lines(model: Model) -> list[str]:
    lines = []
    for item in model.groups:
        if isinstance(item, Group):
            named = {"functional": item.functional, "inplace": item.inplace, "mutable": item.mutable, "out": item.out}
            lines.append("G " + " ".join(f"{kind}={member.name}" for kind, member in named.items() if member))
        else:
            lines.append(f"F {item.name}")
    return lines


def view_lines(model: Model) -> list[str]:
    lines = []
    for item in model.views:
        if isinstance(item, ViewGroup):
            named = {"view": item.view, "view_copy": item.view_copy, "view_inplace": item.view_inplace}
            lines.append("V " + " ".join(f"{kind}={member.name}" for kind, member in named.items() if member))
        else:
            lines.append(f"F {item.name}")
    return lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (F, ["F foo"]),
        (F + I, ["F foo", "F foo_"]),
        (F + O, ["G functional=foo out=foo.out"]),
        (O + I + F, ["G functional=foo inplace=foo_ out=foo.out"]),
        (F + KERNEL + "  autogen: foo.out\n", ["G functional=foo out=foo.out"]),
        (I + KERNEL + "  autogen: foo, foo.out\n", ["G functional=foo inplace=foo_ out=foo.out"]),
        (
            "- func: foo(Tensor self, Tensor(a!) x) -> Tensor\n" + KERNEL + "  autogen: foo.out, foo_functional\n",
            ["G functional=foo_functional mutable=foo out=foo.out"],
        ),
        (
            "- func: foo(Tensor self, Tensor(a!) x) -> Tensor\n" + KERNEL + "  autogen: foo.out, foo_functional\n"
            "- func: foo_(Tensor(a!) self, Tensor(b!) x) -> Tensor(a!)\n" + KERNEL,
            ["G functional=foo_functional inplace=foo_ mutable=foo out=foo.out"],
        ),
        (F.replace("self", "other") + F.replace("foo", "foo.a") + O, ["F foo", "G functional=foo.a out=foo.out"]),
        ("- func: bar(Tensor x) -> Tensor\n" + F + "- func: baz(Tensor x) -> Tensor\n" + O,
         ["F bar", "G functional=foo out=foo.out", "F baz"]),
    ],
)  # fmt: skip
def test_groups(text: str, lines: list[str]) -> None:
    assert group_lines(read(text)) == lines


def test_members_come_functional_out_inplace_mutable() -> None:
    (item,) = read(O + I + F).groups
    assert isinstance(item, Group)
    assert [member.name.text for member in item.members()] == ["foo", "foo.out", "foo_"]


def test_structured() -> None:
    (item,) = read(F + "  structured_delegate: foo.out\n" + O + KERNEL + "  structured: True\n").groups
    assert isinstance(item, Group) and item.is_structured
    assert item.functional.is_structured_member and not item.functional.kernels and item.functional.is_abstract
    assert [kernel.is_structured for kernel in item.out.kernels.values()] == [True]
    (item,) = read(F + O).groups
    assert isinstance(item, Group) and not item.is_structured


def test_signature_that_a_default_decides() -> None:
    """`bernoulli.p` belongs to `bernoulli_.float`, although only one of the two has a default."""
    text = (
        "- func: bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor\n"
        "  tags: nondeterministic_seeded\n"
        "- func: bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)\n"
        "  tags: nondeterministic_seeded\n  dispatch: {CPU: k}\n  autogen: bernoulli.float_out\n"
    )
    assert group_lines(read(text)) == ["G functional=bernoulli.p inplace=bernoulli_.float out=bernoulli.float_out"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (V, ["V view=foo"]),
        (V + KERNEL + VC, ["V view=foo view_copy=foo_copy"]),
        (VC + V + KERNEL, ["V view=foo view_copy=foo_copy"]),
        (V + KERNEL + VI + KERNEL + VC, ["V view=foo view_copy=foo_copy view_inplace=foo_"]),
        (V + VI, ["V view=foo view_inplace=foo_"]),
        (F + VI, ["F foo", "F foo_"]),
        (V + KERNEL + VC + "  autogen: foo_copy.out\n", ["V view=foo view_copy=foo_copy", "F foo_copy.out"]),
        (SCATTER, ["V view=foo_inverse view_copy=foo_scatter"]),
        (SCATTER.replace("foo_scatter", "foo_inverse_copy"), ["V view=foo_inverse view_copy=foo_inverse_copy"]),
        (F + I, ["F foo", "F foo_"]),
    ],
)
def test_views(text: str, lines: list[str]) -> None:
    assert view_lines(read(text)) == lines


def test_view_members_come_view_inplace_copy() -> None:
    (item,) = read(VC + VI + KERNEL + V + KERNEL).views
    assert isinstance(item, ViewGroup) and not item.is_composite
    assert [member.name.text for member in item.members()] == ["foo", "foo_", "foo_copy"]
    (item,) = read(V).views
    assert isinstance(item, ViewGroup) and item.is_composite


def test_kernel_table_in_order_of_first_appearance() -> None:
    text = (
        "- func: foo(Tensor self) -> Tensor\n  dispatch: {'CUDA, CPU': foo, Meta: meta}\n  autogen: foo.out\n"
        "- func: bar(Tensor self) -> Tensor\n"
        "- func: baz(Tensor self) -> Tensor\n  dispatch: {CPU: mine::baz, XPU: baz}\n"
    )
    table = read(text).kernels
    assert {key.name: [f"{op.name} {kernel.namespace}::{kernel.name}" for op, kernel in row.items()]
            for key, row in table.items()} == {
        "CUDA": ["foo at::native::foo"],
        "CPU": ["foo at::native::foo", "baz mine::native::baz"],
        "Meta": ["foo at::native::meta"],
        "CompositeImplicitAutograd": ["bar at::native::bar"],
        "CompositeExplicitAutograd": ["foo.out at::native::foo_out"],
    }  # fmt: skip
    assert [key.name for key in table] == [
        "CUDA", "CPU", "Meta", "CompositeImplicitAutograd", "CompositeExplicitAutograd",
    ]  # fmt: skip
