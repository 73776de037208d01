"""Filling a template against a slow reading of the rules, character by character and line by line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import example, given, settings
from hypothesis import strategies as st

from opwright.diagnostics import Diagnostics
from opwright.output.template import Template, fill
from opwright.source import Source

NAMES = ("x", "y", "long_name", "é1")
Value = str | Sequence[str]


def is_name_character(character: str) -> bool:
    return character.isalnum() or character == "_"


def name_at(text: str, offset: int) -> str:
    stop = offset
    while stop < len(text) and is_name_character(text[stop]):
        stop += 1
    name = text[offset:stop]
    return "" if name[:1].isdecimal() else name


def reference_at(text: str, offset: int) -> tuple[str, bool, bool, int] | None:
    """The name, the comma marks and the end of the reference whose `$` is at `offset`."""
    rest = text[offset + 1 :]
    if rest.startswith("{"):
        inner, brace, _ = rest[1:].partition("}")
        bare = inner.removeprefix(",").removesuffix(",")
        if not brace or inner == "," or not bare or name_at(bare, 0) != bare:
            return None
        return bare, inner.startswith(","), inner.endswith(","), offset + 3 + len(inner)
    name = name_at(rest, 0)
    return (name, False, False, offset + 1 + len(name)) if name else None


def block(elements: Sequence[str], indent: str) -> str:
    lines = []
    for element in elements:
        if element:
            lines += element.removesuffix("\n").split("\n")
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(indent + line if line else "" for line in lines)


def slowly_filled(text: str, values: Mapping[str, Value]) -> str:
    result, offset = "", 0
    while offset < len(text):
        reference = reference_at(text, offset) if text[offset] == "$" else None
        if reference is None:
            result += text[offset]
            offset += 1
            continue
        name, before, after, stop = reference
        value = values[name]
        line_start = text.rfind("\n", 0, offset) + 1
        indent = text[line_start:offset]
        if not indent.strip(" \t"):
            result = result[: len(result) - len(indent)]
            result += block([value] if isinstance(value, str) else value, indent)
        elif isinstance(value, str):
            result += value
        elif value:
            result += ", " * before + ", ".join(value) + ", " * after
        offset = stop
    return result


def every(value: Value) -> dict[str, Value]:
    return {name: value for name in NAMES}  # noqa: C420 - or the value would have to be immutable


reference_texts = st.sampled_from(NAMES).flatmap(
    lambda name: st.sampled_from([f"${{{name}}}", f"${{,{name}}}", f"${{{name},}}", f"${{,{name},}}", f"${name} "])
)
template_texts = st.lists(
    st.one_of(
        reference_texts,
        st.sampled_from(["\n", "\n", "\n  ", "\n\t", "  ", " ", "$", "${", "$1", "}", ";", "{ ", ",", "${ x}", "-é "]),
    ),
    max_size=12,
).map("".join)
ordinary = st.lists(st.sampled_from(["a", "b c", "  d", "\n", "\n", "{", "\t"]), max_size=8).map("".join)
odd = st.text(alphabet="ab \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u2028\u2029é$", max_size=8)
texts = st.one_of(ordinary, odd)
all_values = st.fixed_dictionaries({name: st.one_of(texts, st.lists(texts, max_size=5)) for name in NAMES})


@settings(max_examples=400, deadline=None)
@given(template_texts, all_values)
@example("  ${x}", every(["a\n\n\n", "\n\nb\n", "c"]))
@example("\t${x}|", every(["\ta\n\t\tb", "\n", "c"]))
@example("   ${x}", every(["a\n\n\n\n\n\nb"]))
def test_filling_is_what_the_rules_say(text: str, values: dict[str, Value]) -> None:
    faults = Diagnostics()
    assert fill(Template.parse(Source("T.cpp", text)), values, "Out.cpp", faults) == slowly_filled(text, values)
    assert faults.items == []


@given(st.text(alphabet="x{},$ \n1é_", max_size=20))
def test_a_template_loses_no_text(text: str) -> None:
    template = Template.parse(Source("T.cpp", text))
    parts, offset = [], 0
    for literal, one in template.references:
        part = literal + (one.indent or "") + text[one.start : one.stop]
        assert one.stop == offset + len(part)
        parts.append(part)
        offset += len(part)
    assert "".join([*parts, template.end]) == text
