"""Templates: what counts as a reference, what replaces it, and what is said when there is no value."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from opwright.diagnostics import Diagnostics
from opwright.output.template import Template, TemplateFolder, bound, fill
from opwright.source import Source


def filled(text: str, **values: str | Sequence[str]) -> str:
    faults = Diagnostics()
    result = fill(Template.parse(Source("T.cpp", text)), values, "Out.cpp", faults)
    assert result is not None
    assert faults.items == []
    return result


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("go $name!", "go N!"),
        ("go ${name}!", "go N!"),
        ("go ${,name}!", "go N!"),
        ("go ${name,}!", "go N!"),
        ("go ${,name,}!", "go N!"),
        ("$$name", "$N"),
        ("x$$name$", "x$N$"),
        ("x $_a1b-2", "x U-2"),
        ("x $größe", "x G"),
        ("x${name}${name}", "xNN"),
    ],
)
def test_a_reference_is_replaced(text: str, expected: str) -> None:
    assert filled(text, name="N", _a1b="U", größe="G") == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "$",
        "cost $1",
        "$ name",
        "${1}",
        "${ name}",
        "${name }",
        "${name",
        "${}",
        "${,}",
        "${,,name}",
        "$-name",
        "a\n\n",
    ],
)
def test_any_other_dollar_is_literal(text: str) -> None:
    assert filled(text, name="N") == text


def test_the_longest_name_counts() -> None:
    assert filled("a $body_2", body="no", body_2="yes") == "a yes"
    assert filled("a ${body}_2", body="no", body_2="yes") == "a no_2"


def test_values_are_not_searched_for_references() -> None:
    assert filled("a $x $y", x="$y", y="${x}") == "a $y ${x}"
    assert filled("$x", x=["$y", "${x}"]) == "$y\n${x}"


def test_a_block_list_becomes_indented_lines() -> None:
    elements = ["int a;", "if (b) {\n  c();\n}", "", "d();\n\ne();"]
    expected = "{\n    int a;\n    if (b) {\n      c();\n    }\n    d();\n\n    e();\n}\n"
    assert filled("{\n    ${body}\n}\n", body=elements) == expected


def test_a_block_text_is_a_list_of_one() -> None:
    text = "first\nsecond\n\n"
    assert filled("$x", x=text) == "first\nsecond"
    assert filled("  $x;", x=text) == "  first\n  second;"


def test_an_inline_text_is_unchanged() -> None:
    assert filled("k $x|", x="first \nsecond\n\n") == "k first \nsecond\n\n|"


@pytest.mark.parametrize(
    ("reference", "some", "one", "none"),
    [
        ("$x", "f(p, q)", "f(p)", "f()"),
        ("${x}", "f(p, q)", "f(p)", "f()"),
        ("${,x}", "f(, p, q)", "f(, p)", "f()"),
        ("${x,}", "f(p, q, )", "f(p, )", "f()"),
        ("${,x,}", "f(, p, q, )", "f(, p, )", "f()"),
    ],
)
def test_an_inline_list_is_joined_with_commas(reference: str, some: str, one: str, none: str) -> None:
    text = f"f({reference})"
    assert filled(text, x=["p", "q"]) == some
    assert filled(text, x=("p", "q")) == some
    assert filled(text, x=["p"]) == one
    assert filled(text, x=[]) == none


def test_block_position_ignores_the_comma_marks() -> None:
    assert filled("\t${,x,}", x=["p", "q"]) == "\tp\n\tq"


def test_what_follows_a_block_on_its_line_stays_there() -> None:
    assert filled("  ${x};\nend", x=["p", "q"]) == "  p\n  q;\nend"


def test_only_the_first_reference_of_a_line_is_a_block() -> None:
    assert filled("  $a $b", a="1", b=["2", "3"]) == "  1 2, 3"
    assert filled("$a$b", a=["1", "2"], b=["3", "4"]) == "1\n23, 4"


def test_an_empty_block_takes_its_indentation_with_it() -> None:
    assert filled("a\n    $x\nb", x=[]) == "a\n\nb"
    assert filled("a\n    $x\nb", x=["", ""]) == "a\n\nb"
    assert filled("a\n    $x\nb", x=["", "\n", "\n"]) == "a\n\nb"


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        (["a\n", "b\n"], "  a\n  b"),
        (["a\n\n", "b"], "  a\n\n  b"),
        (["a\n\n\n\n", "\n", "b"], "  a\n\n\n\n\n  b"),
        (["\n", "a"], "\n  a"),
        (["\n\na"], "\n\n  a"),
        (["  a", "    b"], "    a\n      b"),
        (["a \t", "b\rc", " ", "d\u2028e"], "  a \t\n  b\rc\n   \n  d\u2028e"),
    ],
)
def test_the_lines_of_a_block(elements: list[str], expected: str) -> None:
    assert filled("  $x|", x=elements) == expected + "|"
    assert filled("$x|", x=elements) == expected.removeprefix("  ").replace("\n  ", "\n") + "|"


def test_line_ends_of_a_template_become_newlines() -> None:
    assert filled("a\r\n  $x\r\nb\r  $x\rc", x=["p", "q"]) == "a\n  p\n  q\nb\n  p\n  q\nc"


def test_a_template_knows_its_references() -> None:
    template = Template.parse(Source("T.h", "a ${,b}\n  $c $b$"))
    shown = [
        (literal, r.name, r.indent, r.comma_before, r.comma_after, r.start, r.stop)
        for literal, r in template.references
    ]
    assert shown == [
        ("a ", "b", None, True, False, 2, 7),
        ("\n", "c", "  ", False, False, 10, 12),
        (" ", "b", None, False, False, 13, 15),
    ]
    assert template.end == "$"


def test_values_can_be_put_in_place_ahead() -> None:
    faults = Diagnostics()
    template = bound(Template.parse(Source("T.h", "  $x\n$y $x $z;\n")), {"x": ["1", "2"], "w": "0"})
    assert [(literal, one.name) for literal, one in template.references] == [("  1\n  2\n", "y"), (" 1, 2 ", "z")]
    assert template.end == ";\n"
    assert fill(template, {"y": "3", "z": "4"}, "Out.h", faults) == "  1\n  2\n3 1, 2 4;\n"
    assert fill(template, {"y": "3"}, "Out.h", faults) is None
    assert [(item.code, item.place.start) for item in faults.items if item.place] == [("template-variable", 11)]


def test_values_that_are_not_used_do_not_matter() -> None:
    assert filled("a $x", x="1", y="2") == "a 1"


def test_each_reference_without_a_value_is_reported_at_its_place() -> None:
    faults = Diagnostics()
    template = Template.parse(Source("templates/RegisterSchema.cpp", "//\r\n  ${,foo}\n$bar x $foo\n"))
    assert fill(template, {"fob": "1", "bar": "2"}, "RegisterSchema.cpp", faults) is None
    found = [(item.code, item.path, item.place and item.place.begin, item.message) for item in faults.items]
    message = "RegisterSchema.cpp gives no value for 'foo'"
    path = "templates/RegisterSchema.cpp"
    assert found == [("template-variable", path, (2, 3), message), ("template-variable", path, (3, 8), message)]
    assert [item.place and item.place.text for item in faults.items] == ["${,foo}", "$foo"]
    assert {item.help for item in faults.items} == {"did you mean 'fob'?"}


def test_a_template_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    file = tmp_path / "sub" / "A.h"
    file.write_text("int $x;\n", encoding="utf-8")
    folder, faults = TemplateFolder(tmp_path), Diagnostics()
    template = folder.get("sub/A.h", faults)
    assert template is not None
    assert template.source.path == file.as_posix()
    file.unlink()
    assert folder.get("sub/A.h", faults) is template
    assert faults.items == []


def test_a_missing_template_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "RegisterSchema.cpp").write_text("", encoding="utf-8")
    (tmp_path / "Other.h").write_text("", encoding="utf-8")
    folder, faults = TemplateFolder(tmp_path), Diagnostics()
    assert folder.get("RegisterShema.cpp", faults) is None
    assert folder.get("RegisterShema.cpp", faults) is None
    (item,) = faults.items
    assert item.code == "template-missing"
    assert item.path == (tmp_path / "RegisterShema.cpp").as_posix()
    assert item.message == "the template 'RegisterShema.cpp' cannot be used: there is no such file"
    assert item.help == "did you mean 'RegisterSchema.cpp'?"


def test_the_hint_for_a_missing_template_keeps_its_folder(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "Functions.h").write_text("", encoding="utf-8")
    faults = Diagnostics()
    assert TemplateFolder(tmp_path).get("sub/Function.h", faults) is None
    assert faults.items[0].help == "did you mean 'sub/Functions.h'?"


def test_an_unreadable_template_is_reported(tmp_path: Path) -> None:
    (tmp_path / "A.h").write_bytes(b"\xff\xfe")
    (tmp_path / "B.h").mkdir()
    folder, faults = TemplateFolder(tmp_path), Diagnostics()
    assert folder.get("A.h", faults) is None
    assert folder.get("B.h", faults) is None
    assert [item.code for item in faults.items] == ["template-missing"] * 2
    assert "not UTF-8" in faults.items[0].message
    assert "directory" in faults.items[1].message
    assert [item.help for item in faults.items] == ["did you mean 'B.h'?", "did you mean 'A.h'?"]


def test_a_missing_folder_of_templates_is_named(tmp_path: Path) -> None:
    faults = Diagnostics()
    assert TemplateFolder(tmp_path / "none").get("sub/A.h", faults) is None
    assert faults.items[0].help == f"'{(tmp_path / 'none').as_posix()}' is not a folder"
