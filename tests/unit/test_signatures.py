"""Calling conventions: the signature group of an operator, and its signature for the dispatcher."""

from __future__ import annotations

import pytest

from opwright.releases import named_release
from opwright.releases.release import Release
from opwright.signatures.facts import Facts, FactTable
from tests.releases import SAMPLES
from tests.written import entry, model_of

V2_0 = named_release("2.0")
V2_1 = named_release("2.1")

OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
FOUR = (
    "::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, "
    "::std::optional<bool> pin_memory"
)
FORMAT = "::std::optional<at::MemoryFormat> memory_format"


def facts_of(text: str, name: str = "", release: Release = SAMPLES) -> Facts:
    """The facts of the operator with that name, or of the only one."""
    table = FactTable(model_of(text, release).operators, release)
    return next(facts for facts in table.items if not name or facts.operator.name.text == name)


def group(facts: Facts) -> list[str]:
    """The public signatures as declarations."""
    base = facts.operator.name.base
    return [f"{one.returns} {base}{one.suffix}({one.declarations})" for one in facts.public]


def test_plain() -> None:
    facts = facts_of(entry("soak(Tensor self, Scalar depth=1, *, int? turns=None) -> Tensor"))
    assert group(facts) == [
        "at::Tensor soak(const at::Tensor & self, const at::Scalar & depth=1, "
        "::std::optional<int64_t> turns=::std::nullopt)"
    ]
    assert list(facts.calls) == ["self, depth, turns"]


def test_factory_with_memory_format() -> None:
    func = f"canvas(SymInt[] size, *, {OPTIONS}, MemoryFormat? memory_format=None) -> Tensor"
    facts = facts_of(entry(func, "dispatch:", "  CompositeExplicitAutograd: canvas"))
    assert group(facts) == [
        f"at::Tensor canvas(at::IntArrayRef size, at::TensorOptions options={{}}, {FORMAT}=::std::nullopt)",
        f"at::Tensor canvas(at::IntArrayRef size, {FOUR}, {FORMAT})",
        f"at::Tensor canvas_symint(c10::SymIntArrayRef size, at::TensorOptions options={{}}, {FORMAT}=::std::nullopt)",
        f"at::Tensor canvas_symint(c10::SymIntArrayRef size, {FOUR}, {FORMAT})",
    ]
    packed = (
        "c10::optTypeMetaToScalarType(options.dtype_opt()), options.layout_opt(), options.device_opt(), "
        "options.pinned_memory_opt(), c10::impl::check_tensor_options_and_extract_memory_format(options, memory_format)"
    )
    own = "dtype, layout, device, pin_memory, memory_format"
    assert list(facts.calls) == [
        f"c10::fromIntArrayRefSlow(size), {packed}",
        f"c10::fromIntArrayRefSlow(size), {own}",
        f"size, {packed}",
        f"size, {own}",
    ]
    assert facts.dispatcher.definitions == f"c10::SymIntArrayRef size, {FOUR}, {FORMAT}"
    assert facts.dispatcher.names == f"size, {own}"


def test_out_first_or_last() -> None:
    returns = "(Tensor(a!) a, Tensor(b!) b)"
    out = f"pool.o(Tensor self, int[2] size, int? k=None, *, Tensor(a!) a, Tensor(b!) b) -> {returns}"
    text = entry("pool(Tensor self, int[2] size, int? k=None) -> (Tensor a, Tensor b)")
    facts = facts_of(text + entry(out, "dispatch:", "  CPU: pool_out"), "pool.o")
    result = "::std::tuple<at::Tensor &,at::Tensor &>"
    own, outs = "const at::Tensor & self, at::IntArrayRef size", "at::Tensor & a, at::Tensor & b"
    assert group(facts) == [
        f"{result} pool_out({outs}, {own}, ::std::optional<int64_t> k=::std::nullopt)",
        f"{result} pool_outf({own}, ::std::optional<int64_t> k, {outs})",
    ]
    assert list(facts.calls) == ["self, size, k, a, b"] * 2
    assert facts.dispatcher.definitions == f"{own}, ::std::optional<int64_t> k, {outs}"
    assert facts.dispatcher.types == (
        "const at::Tensor &, at::IntArrayRef, ::std::optional<int64_t>, at::Tensor &, at::Tensor &"
    )


def test_symint_comes_before_out() -> None:
    text = entry("peel(Tensor self, SymInt n) -> Tensor", "dispatch:", "  CPU: peel", "autogen: peel.out")
    assert [one.suffix for one in facts_of(text, "peel.out").public] == ["_out", "_outf", "_symint_out", "_symint_outf"]
    assert [one.plain_suffix for one in facts_of(text, "peel.out").public] == ["_out", "_outf", "_out", "_outf"]
    assert [one.suffix for one in facts_of(text, "peel").public] == ["", "_symint"]
    inplace = facts_of(entry("peel_(Tensor(a!) self, SymInt n) -> Tensor(a!)"))
    assert group(inplace)[1] == "at::Tensor & peel__symint(at::Tensor & self, c10::SymInt n)"


@pytest.mark.parametrize(
    ("dtype", "rest", "default"),
    [
        ("ScalarType? dtype=None", "bool? pin_memory=None", "={}"),
        ("ScalarType? dtype=long", "bool? pin_memory=None", "=at::kLong"),
        ("ScalarType? dtype=None", "bool? pin_memory=False", ""),
        ("ScalarType dtype", "bool pin_memory=False", ""),
    ],
)
def test_default_of_the_options(dtype: str, rest: str, default: str) -> None:
    none = "" if dtype == "ScalarType dtype" else "=None"
    mark = "?" if none else ""
    func = f"ramp(Scalar end, *, {dtype}, Layout{mark} layout{none}, Device{mark} device{none}, {rest}) -> Tensor"
    facts = facts_of(entry(func, "dispatch:", "  CompositeExplicitAutograd: ramp"))
    assert facts.public[0].declarations == f"const at::Scalar & end, at::TensorOptions options{default}"


@pytest.mark.parametrize(
    "keyword",
    [
        "Layout? layout=None, ScalarType? dtype=None, Device? device=None, bool? pin_memory=None",
        "ScalarType? dtype=None, Layout? layout=None, bool flag=True, Device? device=None, bool? pin_memory=None",
        "ScalarType? dtype=None, Layout? layout=None, Device? device=None",
        "ScalarType? dtype=None, Layout? layout=None, Device? device=None, int? pin_memory=None",
    ],
)
def test_what_is_no_group_of_options(keyword: str) -> None:
    facts = facts_of(entry(f"like(Tensor self, *, {keyword}) -> Tensor"))
    assert len(facts.public) == 1
    assert "TensorOptions" not in facts.public[0].declarations


def test_arguments_without_default() -> None:
    lines = ("cpp_no_default_args: ['dim']",)
    facts = facts_of(entry("smear(Tensor self, int[1] dim=0, bool keep=False) -> Tensor", *lines))
    assert facts.public[0].declarations == "const at::Tensor & self, at::IntArrayRef dim, bool keep=false"


def test_method_leaves_self_out() -> None:
    func = "gate(Tensor condition, Tensor self, Tensor other) -> Tensor"
    facts = facts_of(entry(func, "variants: function, method"))
    assert [binding.name for binding in facts.public[0].without_self()] == ["condition", "other"]
    table = FactTable([facts.operator], SAMPLES)
    assert table.method_call(table.items[0], 0) == "condition, const_cast<Tensor&>(*this), other"


def test_generated_variants_of_a_mutable_operator() -> None:
    func = (
        "stats(Tensor self, Tensor? w, Tensor(a!) acc, Generator? generator=None, str mode='sum') -> (Tensor, Tensor)"
    )
    lines = ("tags: nondeterministic_seeded", "dispatch:", "  CPU: stats", "autogen: stats.out, stats_functional")
    text = entry(func, *lines)
    head = "const at::Tensor & self, const ::std::optional<at::Tensor> & w, "
    tail = '::std::optional<at::Generator> generator=::std::nullopt, c10::string_view mode="sum"'
    pair = "::std::tuple<at::Tensor,at::Tensor>"
    assert group(facts_of(text, "stats")) == [f"{pair} stats({head}at::Tensor & acc, {tail})"]
    assert group(facts_of(text, "stats.out"))[0] == (
        "::std::tuple<at::Tensor &,at::Tensor &> "
        f"stats_out(at::Tensor & out0, at::Tensor & out1, {head}at::Tensor & acc, {tail})"
    )
    assert group(facts_of(text, "stats_functional")) == [
        f"::std::tuple<at::Tensor,at::Tensor,at::Tensor> stats_functional({head}const at::Tensor & acc, {tail})"
    ]


def test_flags_of_the_operator() -> None:
    lines = ("use_const_ref_for_mutable_tensors: True",)
    changed = facts_of(entry("grow_(Tensor(a!) self, Tensor(b!) size) -> Tensor(a!)", *lines))
    assert group(changed) == ["const at::Tensor & grow_(const at::Tensor & self, const at::Tensor & size)"]
    text = entry("glue(Tensor[] tensors) -> Tensor", "structured_delegate: glue.out")
    text += entry(
        "glue.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)",
        "structured: True",
        "dispatch:",
        "  CPU: glue_out",
    )
    assert facts_of(text, "glue").dispatcher.types == "const at::ITensorListRef &"
    assert facts_of(text, "glue.out").dispatcher.types == "const at::ITensorListRef &, at::Tensor &"


def test_symbolic_returns_by_release() -> None:
    """They follow the signature in the oldest release and are always symbolic later."""
    text = entry("width(Tensor self) -> SymInt", "variants: function")
    assert group(facts_of(text, release=V2_0)) == [
        "int64_t width(const at::Tensor & self)",
        "c10::SymInt width_symint(const at::Tensor & self)",
    ]
    for release in (V2_1, SAMPLES):
        assert group(facts_of(text, release=release)) == ["c10::SymInt width(const at::Tensor & self)"]
    taking = entry("width(Tensor self, SymInt most) -> SymInt")
    assert [one.returns for one in facts_of(taking, release=V2_1).public] == ["c10::SymInt", "c10::SymInt"]
    assert [one.returns for one in facts_of(taking, release=V2_0).public] == ["int64_t", "c10::SymInt"]


def test_no_parameters_and_no_results() -> None:
    facts = facts_of(entry("flush() -> ()"))
    assert group(facts) == ["void flush()"]
    dispatcher = facts.dispatcher
    assert (dispatcher.returns, dispatcher.types, dispatcher.definitions, dispatcher.names) == ("void", "", "", "")
    assert list(facts.calls) == [""]


def test_equal_parameters_are_one_object() -> None:
    text = entry("one(Tensor self, int dim=0) -> Tensor") + entry("two(Tensor self, int dim=0) -> Tensor")
    first, second = FactTable(model_of(text).operators, SAMPLES).items
    assert [a is b for a, b in zip(first.public[0].bindings, second.public[0].bindings, strict=True)] == [True, True]
