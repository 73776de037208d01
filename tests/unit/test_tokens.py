"""The tokenizer that the comparisons with torchgen rest on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opwright.cpp.tokens import code_lines, sorted_braces, tokenize, tokenize_with_lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("int  f( ) ; // comment", ["int", "f", "(", ")", ";"]),
        ("a/* x */b", ["a", "b"]),
        ("a /* two\nlines */ b", ["a", "b"]),
        ("a // continued \\\n comment\nb", ["a", "b"]),
        ('"// no comment" x', ['"// no comment"', "x"]),
        ('"/*" y "*/"', ['"/*"', "y", '"*/"']),
        (r'"a\"b//" c', [r'"a\"b//"', "c"]),
        ("'\"' // x", ["'\"'"]),
        (r"'\'' '//'", [r"'\''", "'//'"]),
        ('u8"a" L\'b\' U"c"', ['u8"a"', "L'b'", 'U"c"']),
        ("1'000'000 + 0x1p-3 + .5f + 1e+5", ["1'000'000", "+", "0x1p-3", "+", ".5f", "+", "1e+5"]),
        ("a1'x'", ["a1", "'x'"]),
        ("at::A<B<int>> v", ["at", ":", ":", "A", "<", "B", "<", "int", ">", ">", "v"]),
        ("na\\\nme", ["name"]),
        ('"a\\\nb"', ['"ab"']),
        ('"a\\\\\n\nb"', ['"', "a", "\\", "b", '"']),
        ("std::get<0>(x)", ["std", ":", ":", "get", "<", "0", ">", "(", "x", ")"]),
        ("größe = 1", ["größe", "=", "1"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokenize(text) == expected


@pytest.mark.parametrize(
    "raw",
    ['R"(a // b)"', 'R"(\\\n)"', 'u8R"x(a)" )x"', 'LR"(")"', 'R"(#define A\n#define B)"', 'R"--(/* " */)--"'],
)
def test_raw_string_is_kept(raw: str) -> None:
    assert tokenize(f"f({raw}); // end") == ["f", "(", raw, ")", ";"]


def test_name_that_ends_in_r_does_not_start_a_raw_string() -> None:
    assert tokenize('FOOR"(x" y') == ["FOOR", '"(x"', "y"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#include <ATen/core/x.h>", ["#include <ATen/core/x.h>"]),
        ("  #  include   <a.h>  // why", ["#include <a.h>"]),
        ('#include "a.h"', ['#include "a.h"']),
        ("#define F( x )  x+1", ["#define F( x ) x + 1"]),
        ("#define F (x)", ["#define F ( x )"]),
        ("#define A \\\n  1\nb", ["#define A 1", "b"]),
        ("#if defined(X)  &&Y\n#endif", ["#if defined ( X ) & & Y", "#endif"]),
        ("/* c */ #pragma once", ["#pragma once"]),
        ("a /* x\ny */ #b", ["a", "#", "b"]),
        ("#define A /* x\ny */ 1\nc", ["#define A 1", "c"]),
        ("#\nx", ["#", "x"]),
        (" #\nx", ["#", "x"]),
        ("#error don't\nx = 'a';", ["#error don ' t", "x", "=", "'a'", ";"]),
    ],
)
def test_preprocessor_line_is_one_token(text: str, expected: list[str]) -> None:
    assert tokenize(text) == expected


def test_lines_count_what_was_taken_out() -> None:
    text = "a /* 1\n2 */ b \\\n c\n// \\\n 4\n d"
    assert [(token.text, token.line) for token in tokenize_with_lines(text)] == [
        ("a", 1),
        ("b", 2),
        ("c", 3),
        ("d", 6),
    ]


def test_sorted_braces() -> None:
    left = tokenize('{ m.def("x", {at::Tag::b, at::Tag::a}); }')
    right = tokenize('{ m.def("x", {at::Tag::a, at::Tag::b}); }')
    assert left != right
    assert sorted_braces(left) == sorted_braces(right)
    assert sorted_braces(tokenize("{ a; c, b; }")) == tokenize("{ a; c, b; }")


def test_sorted_braces_keeps_every_token() -> None:
    text = tokenize('f({"a b , c", x}, {}, {y});')
    assert sorted(sorted_braces(text)) == sorted(text)


def test_code_lines() -> None:
    text = '#define A \\\n  1 // x\n\n  // only \\\n  a comment\n\tint f(/* x */); \r\n"//" b'
    assert code_lines(text) == ["#define A \\\n  1 // x", "int f(/* x */); ", '"//" b']


@pytest.mark.parametrize("text", ["/* a\n// b */ c", 'R"(\n  a)"', "a /* b */ c /* d"])
def test_no_code_lines_when_something_goes_on_behind_its_line(text: str) -> None:
    assert code_lines(text) is None


_PIECES = [
    "a",
    "R",
    "u8",
    '"',
    "'",
    "(",
    ")",
    "\\",
    "\n",
    " ",
    "\t",
    "/",
    "*",
    "1",
    ".",
    "<",
    ">",
    "#",
    "é",
    "//",
    "/*",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=30).map("".join))
def test_any_text_has_tokens_and_the_same_with_lines(text: str) -> None:
    found = tokenize(text)
    assert [token.text for token in tokenize_with_lines(text)] == found
    assert tokenize(text + "\n") == found or text.endswith("\\")


@given(st.lists(st.sampled_from(["a", "1", "(", ")", ">", ",", '"x y"', "'c'", ".", "::"]), max_size=30))
def test_no_character_is_lost(pieces: list[str]) -> None:
    assert "".join(tokenize(" ".join(pieces))) == "".join(pieces)


@given(st.lists(st.lists(st.sampled_from(_PIECES), max_size=8).map("".join), max_size=8), st.data())
def test_equal_code_lines_have_equal_tokens(lines: list[str], data: st.DataObject) -> None:
    """Text is laid out anew at random; whatever keeps the lines of code keeps the tokens."""
    added = st.sampled_from(["", " ", "\n", "\t\n ", "//x\n", " // \\\n y\n", "/* */\n", "\\\n"])
    text = "\n".join(lines)
    other = "\n".join(data.draw(added) + line for line in lines)
    if code_lines(text) is not None and code_lines(text) == code_lines(other):
        assert tokenize(text) == tokenize(other)


@given(st.lists(st.sampled_from(_PIECES), max_size=30).map("".join))
def test_code_lines_have_the_tokens_of_the_text(text: str) -> None:
    lines = code_lines(text)
    if lines is not None:
        assert [token for line in lines for token in tokenize(line)] == tokenize(text)
