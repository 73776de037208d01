"""The tokenizer that the comparisons with the reference rest on."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.parity import tokens
from tests.parity.tokens import compare_trees, first_difference, sorted_braces, tokenize, tokenize_with_lines


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
        ("#error don't\nx = 'a';", ["#error don ' t", "x", "=", "'a'", ";"]),
    ],
)
def test_preprocessor_line_is_one_token(text: str, expected: list[str]) -> None:
    assert tokenize(text) == expected


def test_order_of_includes_and_line_ends_count() -> None:
    assert first_difference("#define A b\nc", "#define A\nb c") is not None
    assert first_difference("#include <a>\n#include <b>", "#include <b>\n#include <a>") is not None


def test_same_but_for_layout() -> None:
    left = "// one\nstd::vector<std::pair<int,int> > f(int a);\n\n#include <x.h>\n"
    right = "std::vector<std::pair<int, int>>\nf(\n  int a /* two */);\r\n  #include <x.h>"
    assert first_difference(left, right) is None


def test_difference_names_tokens_and_lines() -> None:
    text = first_difference("a // x\nb\n/* y\n */\nc d", "a b\nc e", context=2)
    assert text is not None
    assert "token 4 differs" in text
    assert "expected line 5: b c >>>d<<<" in text
    assert "actual   line 2: b c >>>e<<<" in text


def test_difference_at_the_end() -> None:
    text = first_difference("a b", "a")
    assert text is not None
    assert ">>>b<<<" in text
    assert ">>>end of file<<<" in text


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


def test_registration_declarations_comment_is_data() -> None:
    left = 'T f(); // {"schema": "a"}\n// only a comment\n\n'
    assert tokens.line_difference(left, '  T f(); // {"schema": "a"}') is None
    found = tokens.line_difference(left, 'T f(); // {"schema": "b"}')
    assert found is not None
    assert '"b"' in found


def test_yaml_is_compared_as_data() -> None:
    assert tokens.yaml_difference("- a: 1\n  b: [x]\n", "- {a: 1, b: ['x']}") is None
    assert tokens.yaml_difference("- a: 1\n- 2", "- a: true\n- 2") == "$[0].a: expected 1, actual True"
    assert tokens.yaml_difference("- 1\n- 2", "- 1") == "$ length: expected 2, actual 1"
    assert "keys" in str(tokens.yaml_difference("{a: 1, b: 2}", "{b: 2, a: 1}"))


def test_compare_trees(tmp_path: Path) -> None:
    expected, actual = tmp_path / "expected", tmp_path / "actual"
    for folder in (expected, actual):
        (folder / "core").mkdir(parents=True)
        (folder / "same.h").write_text("a b // " + folder.name)
        (folder / "core" / "other.h").write_text(folder.name)
    (expected / "gone.h").write_text("a")
    found = compare_trees(expected, actual, ["same.h", "core/other.h", "gone.h"])
    assert list(found) == ["core/other.h", "gone.h"]
    assert found["gone.h"] == "is missing"
    assert "2 file(s) differ" in tokens.summary(found)


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
    assert first_difference(text, text + "\n") is None or text.endswith("\\")


@given(st.lists(st.sampled_from(["a", "1", "(", ")", ">", ",", '"x y"', "'c'", ".", "::"]), max_size=30))
def test_no_character_is_lost(pieces: list[str]) -> None:
    assert "".join(tokenize(" ".join(pieces))) == "".join(pieces)
