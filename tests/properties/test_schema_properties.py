"""Reading schema texts: what is read prints back, spans select what they name, and no text makes the parser fail."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import example, given
from hypothesis import strategies as st

from opwright.diagnostics import Diagnostics
from opwright.model.context import Context
from opwright.model.rules.schema import ALIAS_RULES, KIND_RULES, is_ordinary, schema_faults
from opwright.syntax.parser import SchemaError, SchemaParser, parse_schema
from opwright.syntax.schema import Kind
from tests.releases import SAMPLES

BASES = ("Tensor", "int", "SymInt", "float", "str", "bool", "Scalar", "Device", "__torch__.torch.classes.acme.Pool")
POSTFIXES = ("?", "[]", "[2]", "[10]")
DEFAULTS = (
    "1", "-1", "1e-05", "None", "True", "Mean", "long", "contiguous_format", "[]", "[0,1]", "[0, 1]", "[[1, 2], [3]]",
    '"a, b"', "'a=b'", '"(["', "'])'", '"it\'s"', "'say \"x\", (y'", '"\\", "', "' -> '", "a b",
)  # fmt: skip
LETTERS = st.sampled_from("abcz")

names = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True)
types = st.builds(
    lambda base, post: base + "".join(post), st.sampled_from(BASES), st.lists(st.sampled_from(POSTFIXES), max_size=4)
)


@st.composite
def alias_annotations(draw: st.DrawFn, write: bool | None = None) -> str:
    before = "|".join(draw(st.lists(LETTERS, min_size=1, max_size=2)))
    after = draw(st.sampled_from(("", " -> *", " -> a", " -> b|c")))
    is_write = draw(st.booleans()) if write is None else write
    return f"({before}{'!' if is_write else ''}{after})"


@st.composite
def annotated(draw: st.DrawFn, write: bool | None = None) -> str:
    return "Tensor" + draw(alias_annotations(write)) + draw(st.sampled_from(("", "?", "[]")))


@st.composite
def arguments(draw: st.DrawFn, write: bool | None = None) -> str:
    """An argument; `write` says whether it is annotated as written, None leaves it open."""
    plain = types if write is None else st.nothing() if write else types
    type = draw(annotated(write) | plain)
    default = draw(st.none() | st.sampled_from(DEFAULTS)) if not write else None
    return f"{type} {draw(names)}" + ("" if default is None else f"={default}")


@dataclass(frozen=True)
class Text:
    """A schema text and the parts that it was made of."""

    namespace: str
    name: str
    positional: list[str]
    keyword: list[str]
    out: list[str]
    returns: list[str]

    def __str__(self) -> str:
        star = ["*"] if self.keyword or self.out else []
        listed = ", ".join(self.positional + star + self.keyword + self.out)
        shown = self.returns[0] if len(self.returns) == 1 else f"({', '.join(self.returns)})"
        return f"{self.namespace}{self.name}({listed}) -> {shown}"


@st.composite
def operator_names(draw: st.DrawFn) -> str:
    base = draw(names)
    form = draw(st.sampled_from(("{}", "{}_", "__{}__", "{}_functional", "__iadd__", "_{}")))
    overload = draw(st.sampled_from(("", ".out", ".Scalar_out", ".int")))
    return form.format(base) + overload


schemas = st.builds(
    Text,
    st.sampled_from(("", "aten::", "acme::", "a::b::")),
    operator_names(),
    st.lists(arguments(), max_size=4),
    st.lists(arguments(write=False), max_size=3),
    st.lists(arguments(write=True), max_size=2),
    st.lists(
        st.builds(lambda type, name: type + (f" {name}" if name else ""), types | annotated(), st.just("") | names),
        max_size=3,
    ),
)


@given(schemas)
def test_prints_back(text: Text) -> None:
    schema = parse_schema(str(text))
    assert str(schema) == str(text)
    for printed, parts in (
        (schema.positional, text.positional),
        (schema.keyword, text.keyword),
        (schema.out, text.out),
        (schema.returns, text.returns),
    ):
        assert [str(item) for item in printed] == [item.text for item in printed] == parts
    assert f"{schema.namespace}::" == text.namespace or schema.namespace == text.namespace == ""
    assert schema.name.text == text.name


@given(schemas)
def test_spans(text: Text) -> None:
    whole = str(text)
    schema = parse_schema(whole)
    start, stop = schema.name_span()
    assert whole[start:stop] == text.name
    for index, part in enumerate(text.positional + text.keyword + text.out):
        start, stop = schema.argument_span(index)
        assert whole[start:stop] == part
        argument = schema.arguments[index]
        first, last = schema.argument_span(argument)
        assert whole[first:last] == part
        assert part[slice(*argument.name_span())] == argument.name
        assert part[slice(*argument.default_span())] == (argument.default or "")
        assert part[slice(*argument.type_span())] + " " + argument.name in part
    for index, part in enumerate(text.returns):
        start, stop = schema.return_span(index)
        assert whole[start:stop] == part


@given(schemas, schemas)
def test_equal_parts_are_one_object(first: Text, second: Text) -> None:
    parser = SchemaParser()
    seen: dict[str, object] = {}
    for text in (first, second, first):
        schema = parser.parse(str(text))
        for argument in schema.arguments:
            assert seen.setdefault("argument " + argument.text, argument) is argument
            assert seen.setdefault("type " + argument.type.text, argument.type) is argument.type
            if argument.annotation:
                assert (
                    seen.setdefault("annotation " + argument.annotation.text, argument.annotation)
                    is argument.annotation
                )
        for item in schema.returns:
            assert seen.setdefault("return " + item.text, item) is item
            assert seen.setdefault("type " + item.type.text, item.type) is item.type


@given(schemas)
def test_kind(text: Text) -> None:
    schema = parse_schema(str(text))
    base = text.name.partition(".")[0]
    is_dunder = base.startswith("__") and base.endswith("__") and "_" not in base[2:-2] and len(base) > 4
    if base == "__iadd__" or (base.endswith("_") and not is_dunder):
        assert schema.kind is Kind.INPLACE
    elif text.out:
        assert schema.kind is Kind.OUT
    else:
        assert schema.kind in (Kind.FUNCTIONAL, Kind.MUTABLE)


@given(schemas)
def test_rules_point_into_the_text(text: Text) -> None:
    """Whatever the rules say of a readable schema, they say it of a part of its text."""
    schema = parse_schema(str(text))
    for fault in schema_faults(schema, Context(SAMPLES, Diagnostics())):
        for start, stop in ((fault.start, fault.stop), *((start, stop) for start, stop, _ in fault.related)):
            assert 0 <= start <= stop <= len(str(text)), fault.code


def check_any(text: str) -> None:
    try:
        schema = parse_schema(text)
    except SchemaError as error:
        assert error.faults
        for fault in error.faults:
            assert 0 <= fault.start <= fault.stop <= len(text), fault.code
            assert fault.message
    else:
        assert str(schema) == text


@given(st.text())
@example("f(Tensor x) -> ")
@example("::f() -> ()")
@example("f.() -> ()")
@example("f(int[" + "1" * 5000 + "] x) -> ()")
@example("f(" + "(" * 3000)
@example("f(" + "(" * 3000 + ") -> ()")
@example("f(int" + "?" * 3000 + " x) -> ()")
@example("f(int x=" + "[" * 3000 + ") -> ()")
@example("f(int[²] x) -> ()")
def test_any_text(text: str) -> None:
    check_any(text)


@given(st.text(alphabet="fxTensor int()[]?!*|a=,.:->\"'\\ \t\n2", max_size=60))
def test_any_text_of_the_right_characters(text: str) -> None:
    check_any(text)
    check_any(f"f({text}) -> Tensor")
    check_any(f"f(Tensor self) -> {text}")


@given(schemas, st.data())
def test_damaged_text(text: Text, data: st.DataObject) -> None:
    whole = str(text)
    at = data.draw(st.integers(0, len(whole) - 1))
    width = data.draw(st.integers(0, 3))
    inserted = data.draw(st.text(alphabet="(),[]?*!=.: \n\"'-x", max_size=2))
    check_any(whole[:at] + inserted + whole[at + width :])


WRITING = (
    "f_(Tensor(a!) self, Tensor x) -> Tensor(a!)",
    "f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    "f.o(Tensor self, *, Tensor(a!) x, Tensor(b!) y) -> (Tensor(a!), Tensor(b!))",
    "f_(Tensor x, Tensor(a!) self, *, int n=1) -> Tensor(a!)",
)
EDITS = (
    ("a!", "b!"), ("b!", "a!"), ("a!", "a"), ("(a!)", ""), ("Tensor x", "Tensor(a!) x"), ("Tensor x", "Tensor(a) x"),
    ("Tensor self", "Tensor(b!) self"), ("(a!) out", "(a!)[] out"), (" -> Tensor(a!)", " -> ()"), ("f_", "f"),
    (".out", ".functional"), ("x, Tensor", "x, *, Tensor"), (", *, ", ", "), ("self", "it"),
)  # fmt: skip


@given(st.sampled_from(WRITING), st.lists(st.tuples(st.sampled_from(EDITS), st.integers(0, 2)), max_size=3))
def test_alias_rules_find_nothing_in_ordinary_schemas(text: str, edits: list[tuple[tuple[str, str], int]]) -> None:
    """`is_ordinary` is a shortcut: it must never hide what a rule would find."""
    for (old, new), place in edits:
        at = -1
        for _ in range(place + 1):
            at = text.find(old, at + 1)
        text = text if at < 0 else text[:at] + new + text[at + len(old) :]
    try:
        schema = parse_schema(text)
    except SchemaError:
        return
    if is_ordinary(schema):
        assert not [fault for rule in (*ALIAS_RULES[schema.kind], *KIND_RULES) for fault in rule(schema)]


def test_writing_schemas_are_ordinary() -> None:
    assert all(is_ordinary(parse_schema(text)) for text in WRITING)
