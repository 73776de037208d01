"""C++ literals: strings, and default values by type, release and calling convention."""

from __future__ import annotations

import pytest

from opwright.cpp.literals import c_string, default_value
from opwright.releases import named_release
from opwright.syntax.types import TypeTable

V2_1 = named_release("2.1")
V2_13 = named_release("2.13")

TABLE = TypeTable()


def default(text: str, type: str, *, symint: bool = False) -> str:
    return default_value(text, TABLE.read(type, 0)[0], symint, V2_13.spelling)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", '""'),
        ("f(Tensor self) -> ()", '"f(Tensor self) -> ()"'),
        ("str x='a'", "\"str x='a'\""),
        ('str x="a"', '"str x=\\"a\\""'),
        ("it\\'s", '"it\\\\\'s"'),
        ("\a\b\f\n\v\t", '"\\a\\b\\f\\n\\v\\t"'),
        ("größer \u2028 \U0001f600", '"größer \u2028 \U0001f600"'),
    ],
)
def test_strings(text: str, expected: str) -> None:
    assert c_string(text) == expected


@pytest.mark.parametrize(
    ("text", "type", "expected"),
    [
        # Rule 1: an absent tensor.
        ("None", "Tensor?", "{}"),
        # Rule 2: strings.
        ("'sum'", "str", '"sum"'),
        ("''", "str", '""'),
        ("'a \"b\"'", "str", '"a \\"b\\""'),
        (r"'it\'s'", "str", '"it\'s"'),
        (r"'a\\n\t'", "str", r'"a\\n\t"'),
        ('"x"', "str", '"x"'),
        ("'x'", "str?", '"x"'),
        # Rule 3: optionals.
        ("None", "int?", "::std::nullopt"),
        ("None", "int[]?", "::std::nullopt"),
        ("None", "str?", "::std::nullopt"),
        ("None", "Scalar?", "::std::nullopt"),
        ("None", "Tensor[]?", "::std::nullopt"),
        ("None", "Generator?", "::std::nullopt"),
        ("1", "int?", "1"),
        ("True", "bool?", "true"),
        ("long", "ScalarType?", "at::kLong"),
        # Rule 4: lists.
        ("[]", "int[]", "{}"),
        ("[1, 2]", "int[2]", "{1, 2}"),
        ("[0,1]", "int[2]?", "{0,1}"),
        ("1", "int[2]", "1"),
        ("[True,False]", "bool[2]", "{True,False}"),
        ("0", "SymInt[1]?", "0"),
        # Rule 5: words, and everything else as it is.
        ("True", "bool", "true"),
        ("False", "bool", "false"),
        ("Mean", "int", "at::Reduction::Mean"),
        ("contiguous_format", "MemoryFormat", "c10::MemoryFormat::Contiguous"),
        ("contiguous_format", "MemoryFormat?", "c10::MemoryFormat::Contiguous"),
        ("strided", "Layout", "strided"),
        ("long", "ScalarType", "at::kLong"),
        ("-1", "int", "-1"),
        ("1.5", "float", "1.5"),
        ("1e-05", "Scalar", "1e-05"),
    ],
)
def test_defaults(text: str, type: str, expected: str) -> None:
    assert default(text, type) == expected


@pytest.mark.parametrize(
    ("text", "type", "expected"),
    [
        ("0", "SymInt[1]", "c10::SymInt(0)"),
        ("12", "SymInt[2]?", "c10::SymInt(12)"),
        ("-1", "SymInt[1]", "-1"),
        ("[0, 1]", "SymInt[2]", "{0, 1}"),
        ("None", "SymInt[]?", "::std::nullopt"),
        ("3", "SymInt", "3"),
        ("3", "SymInt?", "3"),
        ("3", "int[1]", "3"),
    ],
)
def test_symbolic_defaults(text: str, type: str, expected: str) -> None:
    assert default(text, type, symint=True) == expected


def test_older_spelling() -> None:
    table = {("None", "int?"): "c10::nullopt", ("contiguous_format", "MemoryFormat"): "MemoryFormat::Contiguous"}
    for (text, type), expected in table.items():
        assert default_value(text, TABLE.read(type, 0)[0], False, V2_1.spelling) == expected
