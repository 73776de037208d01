"""How diagnostics are shown, format by format."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from jsonschema import Draft202012Validator

from opwright import __version__
from opwright.diagnostics import Diagnostic, Related, Severity
from opwright.report import FORMATS, pages, render
from opwright.report.text import HELP_COLUMNS, LINE_COLUMNS, summary
from opwright.source import Place, Source

BLEND = "- func: blend(Tensor self, Tensr other, *, Scalar weight=1) -> Tensor"


def place(source: Source, word: str, offset: int = 0) -> Place:
    start = source.text.index(word, offset)
    return Place(source, start, start + len(word))


def fault(
    where: Place,
    message: str = "bad",
    help: str | None = None,
    related: tuple[Related, ...] = (),
    severity: Severity = Severity.ERROR,
    code: str = "some-code",
) -> Diagnostic:
    return Diagnostic(code, severity, message, where.source.path, where, help, related)


def blend_fault() -> Diagnostic:
    source = Source("native_functions.yaml", "\n" * 11 + BLEND + "\n")
    return fault(
        place(source, "Tensr"), "'Tensr' is not a type of PyTorch 2.13", "did you mean 'Tensor'?", code="unknown-type"
    )


def missing_file() -> Diagnostic:
    message, hint = "there is no such file", "check the path"
    return Diagnostic("unreadable-file", Severity.ERROR, message, "native/tags.yaml", help=hint)


def twice() -> Diagnostic:
    source = Source("dir/ops.yaml", "- func: f()\n# between\n- func: f()\n")
    again = place(source, "f()", 20)
    note = Related(place(source, "f()"), "first defined here")
    return fault(again, "'f' is defined twice", related=(note,), severity=Severity.WARNING, code="duplicate-operator")


def shown(line: str, word: str) -> tuple[str, str]:
    """The excerpt of a fault at `word`, which is on the first line, without the frame."""
    source = Source("a.yaml", line + "\n")
    return excerpt(place(source, word))


def excerpt(where: Place) -> tuple[str, str]:
    _, text, marks = render([fault(where)], "text").splitlines()
    assert re.match(r" *\d+ \|", text) and re.match(r" +\|", marks)
    assert text.index("|") == marks.index("|")
    return text.partition("|")[2][1:], marks.partition("|")[2][1:]


class TestText:
    def test_the_documented_example(self) -> None:
        assert render([blend_fault()], "text") == (
            "native_functions.yaml:12:28: error[unknown-type]: 'Tensr' is not a type of PyTorch 2.13\n"
            "   12 | - func: blend(Tensor self, Tensr other, *, Scalar weight=1) -> Tensor\n"
            "      |                            ^^^^^ did you mean 'Tensor'?\n"
        )

    def test_without_help(self) -> None:
        assert render([fault(place(Source("a.yaml", "x: y\n"), "y"))], "text") == (
            "a.yaml:1:4: error[some-code]: bad\n    1 | x: y\n      |    ^\n"
        )

    @pytest.mark.parametrize("spare", [0, 1])
    def test_help_stands_below_when_it_does_not_fit(self, spare: int) -> None:
        hint = "h" * (HELP_COLUMNS - len("    1 | ") - len("   ^ ") - 1 + spare)
        lines = render([fault(place(Source("a.yaml", "x: y\n"), "y"), help=hint)], "text").splitlines()
        if spare:
            assert lines[2:] == ["      |    ^", f"   = help: {hint}"]
        else:
            assert lines[2:] == [f"      |    ^ {hint}"]
            assert len(lines[2]) == HELP_COLUMNS - 1

    def test_no_place(self) -> None:
        assert render([missing_file()], "text") == (
            "native/tags.yaml: error[unreadable-file]: there is no such file\n   = help: check the path\n"
        )

    def test_further_lines_of_a_help_stand_as_they_are(self) -> None:
        item = Diagnostic("some-code", Severity.ERROR, "old", "a.h", help="this differs:\n-old\x1b\n+new")
        lines = ["a.h: error[some-code]: old", "   = help: this differs:", "-old\\x1b", "+new"]
        assert render([item], "text").splitlines() == lines

    def test_related_in_the_same_file(self) -> None:
        assert render([twice()], "text") == (
            "dir/ops.yaml:3:9: warning[duplicate-operator]: 'f' is defined twice\n"
            "    3 | - func: f()\n"
            "      |         ^^^\n"
            "  ::: dir/ops.yaml:1:9: first defined here\n"
            "    1 | - func: f()\n"
            "      |         ---\n"
        )

    def test_related_in_another_file(self) -> None:
        note = Related(place(Source("tags.yaml", "- tag: core\n"), "core"), "the tag")
        lines = render([fault(place(Source("a.yaml", "x: y\n"), "y"), related=(note,))], "text").splitlines()
        assert lines[3:] == ["  ::: tags.yaml:1:8: the tag", "    1 | - tag: core", "      |        ----"]

    def test_the_order_is_that_of_the_caller(self) -> None:
        text = render([twice(), missing_file(), blend_fault()], "text")
        assert [line.split(":")[0] for line in text.splitlines() if "[" in line] == [
            "dir/ops.yaml",
            "native/tags.yaml",
            "native_functions.yaml",
        ]

    def test_nothing(self) -> None:
        assert render([], "text") == ""

    def test_line_numbers_of_six_digits(self) -> None:
        source = Source("a.yaml", "\n" * 123455 + "x: y\n")
        assert render([fault(place(source, "y"))], "text").splitlines()[1:] == ["123456 | x: y", "       |    ^"]

    def test_color_only_adds_escape_sequences(self) -> None:
        items = [blend_fault(), twice(), missing_file()]
        colored = render(items, "text", color=True)
        assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == render(items, "text")
        assert "\x1b[1mnative_functions.yaml:12:28\x1b[0m: \x1b[1;31merror[unknown-type]\x1b[0m: 'Tensr'" in colored
        assert "\x1b[1;33mwarning[duplicate-operator]\x1b[0m" in colored


class TestExcerpt:
    def test_tabs_are_expanded(self) -> None:
        assert shown("\ta:\tbad", "bad") == ("    a:  bad", "        ^^^")
        assert shown("a\tb", "\t") == ("a   b", " ^^^")

    def test_wide_characters_take_two_columns(self) -> None:
        assert shown("名前: bad", "bad") == ("名前: bad", "      ^^^")
        assert shown("x: 名前", "名前") == ("x: 名前", "   ^^^^")

    def test_combining_characters_take_none(self) -> None:
        assert shown("e\u0301e\u0301: bad", "bad") == ("e\u0301e\u0301: bad", "    ^^^")

    def test_a_combining_character_is_marked_where_it_is_drawn(self) -> None:
        assert shown("xe\u0301", "\u0301") == ("xe\u0301", " ^")

    def test_control_characters_are_escaped(self) -> None:
        assert shown("a\x1b[2J\x07: bad", "bad") == ("a\\x1b[2J\\x07: bad", "              ^^^")
        assert shown("a\x1bb", "\x1b") == ("a\\x1bb", " ^^^^")

    def test_what_cannot_be_seen_is_escaped(self) -> None:
        assert shown("a\u00a0b\u202ec", "c") == ("a\\xa0b\\u202ec", "            ^")

    def test_zero_width(self) -> None:
        assert excerpt(Place(Source("a.yaml", "abc\n"), 1, 1)) == ("abc", " ^")

    @pytest.mark.parametrize("end", ["", "\n", "\r\n"])
    def test_behind_the_text(self, end: str) -> None:
        source = Source("a.yaml", "abc" + end)
        assert excerpt(Place(source, 3, 3)) == ("abc", "   ^")
        assert excerpt(Place(source, 3, 3 + len(end))) == ("abc", "   ^")
        if end:
            last = len(source.text)
            lines = render([fault(Place(source, last, last))], "text").splitlines()
            assert lines == ["a.yaml:2:1: error[some-code]: bad", "    2 |", "      | ^"]

    def test_empty_file(self) -> None:
        lines = render([fault(Place(Source("a.yaml", ""), 0, 0))], "text").splitlines()
        assert lines == ["a.yaml:1:1: error[some-code]: bad", "    1 |", "      | ^"]

    def test_multiple_lines_are_marked_to_the_end_of_the_first(self) -> None:
        source = Source("a.yaml", "x: [1,\n  2]\n")
        assert excerpt(Place(source, 3, 11)) == ("x: [1,", "   ^^^")

    def test_a_line_at_the_limit_is_whole(self) -> None:
        line = "bad".ljust(LINE_COLUMNS, "x")
        assert shown(line, "bad") == (line, "^^^")

    def test_a_long_line_is_cut_at_its_end(self) -> None:
        line = "bad".ljust(LINE_COLUMNS + 1, "x")
        text, marks = shown(line, "bad")
        assert text == line[: LINE_COLUMNS - 6] + "..."
        assert marks == "^^^"

    @pytest.mark.parametrize("before", [100, 159, 160, 161, 400, 100_000])
    @pytest.mark.parametrize("after", [100, 161, 5_000])
    def test_a_long_line_is_cut_to_a_window(self, before: int, after: int) -> None:
        text, marks = shown("x" * before + "bad" + "y" * after, "bad")
        assert text == f"...{'x' * (text.index('bad') - 3)}bad{text[text.index('bad') + 3 :]}"
        assert marks == " " * text.index("bad") + "^^^"
        assert len(text) <= LINE_COLUMNS
        assert text.count("x") >= 40

    def test_a_long_line_is_cut_at_its_start(self) -> None:
        text, marks = shown("x" * 300 + "bad", "bad")
        assert text == "..." + "x" * (LINE_COLUMNS - 9) + "bad"
        assert marks == " " * (LINE_COLUMNS - 6) + "^^^"

    def test_a_marked_part_that_is_too_long_fills_the_window(self) -> None:
        text, marks = shown("x" * 50 + "b" * 500 + "y" * 50, "b" * 500)
        assert text == "..." + "b" * (LINE_COLUMNS - 6) + "..."
        assert marks == "   " + "^" * (LINE_COLUMNS - 6)

    def test_wide_characters_in_a_long_line(self) -> None:
        text, marks = shown("名" * 200 + "bad" + "前" * 200, "bad")
        head, _, tail = text.partition("bad")
        assert head == "..." + "名" * 20
        assert set(tail) == {"前", "."} and tail.endswith("...")
        assert marks == " " * 43 + "^^^"
        assert 3 + 40 + 3 + 2 * tail.count("前") + 3 <= LINE_COLUMNS

    def test_behind_the_text_of_a_long_line(self) -> None:
        source = Source("a.yaml", "x" * 1000 + "\n")
        text, marks = excerpt(Place(source, 1000, 1000))
        assert text == "..." + "x" * (LINE_COLUMNS - 6)
        assert marks == " " * (LINE_COLUMNS - 3) + "^"

    def test_a_huge_line_takes_no_time(self) -> None:
        source = Source("a.yaml", "x" * 10_000_000)
        for offset in (0, 5_000_000, 10_000_000):
            text, _ = excerpt(Place(source, offset, offset + 10))
            assert len(text) <= LINE_COLUMNS

    def test_messages_are_escaped(self) -> None:
        item = Diagnostic("some-code", Severity.WARNING, "a\nb\x1b[2J", "dir/\x07.yaml", help="c\rd")
        assert render([item], "text") == "dir/\\x07.yaml: warning[some-code]: a\\nb\\x1b[2J\n   = help: c\\rd\n"
        assert render([item], "concise") == "dir/\\x07.yaml: warning[some-code]: a\\nb\\x1b[2J\n"


@pytest.mark.parametrize(
    ("severities", "expected"),
    [
        ("", ""),
        ("e", "1 error in 1 file"),
        ("ee", "2 errors in 2 files"),
        ("eeew", "3 errors and 1 warning in 2 files"),
        ("ww", "2 warnings in 2 files"),
        ("wew", "1 error and 2 warnings in 2 files"),
    ],
)
def test_summary(severities: str, expected: str) -> None:
    kinds = {"e": Severity.ERROR, "w": Severity.WARNING}
    items = [Diagnostic("c", kinds[kind], "m", f"{rank % 2}.yaml") for rank, kind in enumerate(severities)]
    assert summary(items) == expected


def test_concise() -> None:
    assert render([blend_fault(), missing_file(), twice()], "concise") == (
        "native_functions.yaml:12:28: error[unknown-type]: 'Tensr' is not a type of PyTorch 2.13\n"
        "native/tags.yaml: error[unreadable-file]: there is no such file\n"
        "dir/ops.yaml:3:9: warning[duplicate-operator]: 'f' is defined twice\n"
    )


def test_json() -> None:
    first, second, third = json.loads(render([blend_fault(), missing_file(), twice()], "json"))
    assert first == {
        "path": "native_functions.yaml",
        "line": 12,
        "column": 28,
        "end_line": 12,
        "end_column": 33,
        "severity": "error",
        "code": "unknown-type",
        "message": "'Tensr' is not a type of PyTorch 2.13",
        "help": "did you mean 'Tensor'?",
        "related": [],
    }
    assert list(second) == list(first)
    assert [second[key] for key in ("line", "column", "end_line", "end_column")] == [None] * 4
    assert third["help"] is None
    assert third["related"] == [
        {
            "path": "dir/ops.yaml",
            "line": 1,
            "column": 9,
            "end_line": 1,
            "end_column": 12,
            "message": "first defined here",
        }
    ]


def test_json_of_nothing_is_an_empty_array() -> None:
    assert render([], "json") == "[]\n"


def test_json_is_ascii_and_keeps_the_characters() -> None:
    item = Diagnostic("c", Severity.ERROR, "名\x1b\n", "é.yaml")
    text = render([item], "json")
    assert text.isascii() and "\x1b" not in text
    assert json.loads(text)[0]["message"] == "名\x1b\n"


class TestGithub:
    def test_commands(self) -> None:
        assert render([blend_fault(), missing_file(), twice()], "github") == (
            "::error file=native_functions.yaml,line=12,col=28,endLine=12,endColumn=33,title=opwright[unknown-type]"
            "::'Tensr' is not a type of PyTorch 2.13%0Adid you mean 'Tensor'?\n"
            "::error file=native/tags.yaml,title=opwright[unreadable-file]::there is no such file%0Acheck the path\n"
            "::warning file=dir/ops.yaml,line=3,col=9,endLine=3,endColumn=12,title=opwright[duplicate-operator]"
            "::'f' is defined twice\n"
        )

    def test_escaping(self) -> None:
        item = Diagnostic("c", Severity.WARNING, "100%: a,b\r\n\x1b", "C:/a,b%\n.yaml")
        assert render([item], "github") == (
            "::warning file=C%3A/a%2Cb%25%0A.yaml,title=opwright[c]::100%25: a,b%0D%0A\\x1b\n"
        )

    def test_several_lines_have_no_columns(self) -> None:
        text = render([fault(Place(Source("a.yaml", "x: [1,\n  2]\n"), 3, 11))], "github")
        assert text == "::error file=a.yaml,line=1,endLine=2,title=opwright[some-code]::bad\n"


def record(properties: dict[str, object], *optional: str) -> dict[str, object]:
    """The JSON Schema of an object with exactly these properties, all of them required but the `optional` ones."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "required": required, "additionalProperties": False, "properties": properties}


def array(items: object, least: int = 0) -> dict[str, object]:
    return {"type": "array", "minItems": least, "items": items}


TEXT = {"type": "string", "minLength": 1}
POSITIVE = {"type": "integer", "minimum": 1}
MESSAGE = record({"text": TEXT, "markdown": TEXT}, "markdown")
REGION = record(dict.fromkeys(("startLine", "startColumn", "endLine", "endColumn"), POSITIVE))
ARTIFACT = record({"uri": {"type": "string", "pattern": r"^[A-Za-z0-9._~/:%+@-]+$"}})
LOCATION = record(
    {"message": MESSAGE, "physicalLocation": record({"artifactLocation": ARTIFACT, "region": REGION}, "region")},
    "message",
)
RULE = record({"id": TEXT, "shortDescription": MESSAGE, "fullDescription": MESSAGE, "help": MESSAGE})
RESULT = record(
    {
        "ruleId": TEXT,
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": {"enum": ["none", "note", "warning", "error"]},
        "message": MESSAGE,
        "locations": array(LOCATION, 1),
        "relatedLocations": array(LOCATION, 1),
        "partialFingerprints": {"type": "object", "additionalProperties": TEXT},
    },
    "relatedLocations",
)
RUN = record(
    {
        "tool": record({"driver": record({"name": TEXT, "version": TEXT, "rules": array(RULE)})}),
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "results": array(RESULT),
    }
)
#: The part of the SARIF 2.1.0 schema that Opwright's logs use.
SARIF = record({"$schema": TEXT, "version": {"const": "2.1.0"}, "runs": array(RUN, 1)})


class TestSarif:
    @pytest.mark.parametrize("items", [[], [blend_fault(), missing_file(), twice(), blend_fault()]])
    def test_schema(self, items: list[Diagnostic]) -> None:
        log = json.loads(render(items, "sarif"))
        assert list(Draft202012Validator(SARIF).iter_errors(log)) == []

    def test_schema_refuses(self) -> None:
        log = json.loads(render([blend_fault()], "sarif"))
        log["runs"][0]["results"][0]["level"] = "fatal"
        assert len(list(Draft202012Validator(SARIF).iter_errors(log))) == 1

    def test_results(self) -> None:
        log = json.loads(render([blend_fault(), missing_file(), twice(), blend_fault()], "sarif"))
        (run,) = log["runs"]
        driver = run["tool"]["driver"]
        assert (driver["name"], driver["version"]) == ("Opwright", __version__)
        assert run["columnKind"] == "unicodeCodePoints"
        assert [rule["id"] for rule in driver["rules"]] == ["unknown-type", "unreadable-file", "duplicate-operator"]
        assert [result["ruleIndex"] for result in run["results"]] == [0, 1, 2, 0]
        assert [result["level"] for result in run["results"]] == ["error", "error", "warning", "error"]
        first, second, third, _ = run["results"]
        assert first["message"]["text"] == "'Tensr' is not a type of PyTorch 2.13\ndid you mean 'Tensor'?"
        assert first["locations"] == [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "native_functions.yaml"},
                    "region": {"startLine": 12, "startColumn": 28, "endLine": 12, "endColumn": 33},
                }
            }
        ]
        assert second["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": "native/tags.yaml"}}}]
        (related,) = third["relatedLocations"]
        assert related["message"] == {"text": "first defined here"}
        assert related["physicalLocation"]["region"]["startLine"] == 1

    def test_version_of_the_installed_package(self) -> None:
        assert json.loads(render([], "sarif"))["runs"][0]["tool"]["driver"]["version"] == __version__

    def test_rules_are_explained_by_their_pages(self) -> None:
        items = [missing_file(), Diagnostic("no-such-page", Severity.ERROR, "m", "a.yaml")]
        known, unknown = json.loads(render(items, "sarif"))["runs"][0]["tool"]["driver"]["rules"]
        assert known["shortDescription"]["text"] == "A file that the run needs cannot be used as text."
        assert known["help"]["markdown"] == pages.page("unreadable-file")
        assert unknown["shortDescription"]["text"] == "no such page"

    @pytest.mark.parametrize(
        ("path", "uri"),
        [
            ("./a/../b/c d#.yaml", "b/c%20d%23.yaml"),
            ("../名.yaml", "../%E5%90%8D.yaml"),
            ("a:b.yaml", "a%3Ab.yaml"),
            ("/abs/a.yaml", "file:///abs/a.yaml"),
            ("C:/abs/a b.yaml", "file:///C:/abs/a%20b.yaml"),
            ("\udcff.yaml", "%FF.yaml"),
        ],
    )
    def test_uri(self, path: str, uri: str) -> None:
        log = json.loads(render([Diagnostic("c", Severity.ERROR, "m", path)], "sarif"))
        location = log["runs"][0]["results"][0]["locations"][0]
        assert location["physicalLocation"]["artifactLocation"]["uri"] == uri

    def test_fingerprints_survive_a_move_and_tell_faults_apart(self) -> None:
        def fingerprint(text: str, message: str = "m", path: str = "a.yaml") -> str:
            source = Source(path, text)
            log = json.loads(render([fault(place(source, "bad"), message)], "sarif"))
            (value,) = log["runs"][0]["results"][0]["partialFingerprints"].values()
            return str(value)

        base = fingerprint("x: bad\n")
        assert fingerprint("# above\n\nx: bad\r\n") == base
        assert fingerprint("y: bad\n") != base
        assert fingerprint("x: bad\n", message="n") != base
        assert fingerprint("x: bad\n", path="b.yaml") != base


class TestPages:
    def test_codes(self) -> None:
        assert {"yaml-syntax", "unreadable-file", "template-missing", "template-variable"} <= set(pages.codes())
        assert list(pages.codes()) == sorted(pages.codes())
        assert "index" not in pages.codes()

    def test_every_page_starts_with_its_code_and_a_summary(self) -> None:
        for code in pages.codes():
            page = pages.page(code)
            assert page is not None and page.startswith(f"# {code}\n\n"), code
            assert pages.summary(page).endswith("."), code

    @pytest.mark.parametrize(
        "code", ["", "no-such-page", "../diagnostics/yaml-syntax", "yaml-syntax.md", "YAML-SYNTAX"]
    )
    def test_no_page(self, code: str) -> None:
        assert pages.page(code) is None


def test_formats() -> None:
    assert FORMATS == ("text", "concise", "json", "sarif", "github")
    with pytest.raises(KeyError):
        render([], "xml")


@pytest.mark.parametrize("color", [False, True])
def test_text_needs_no_library(color: bool) -> None:
    code = (
        "import sys; from opwright.report import render; from opwright.diagnostics import *;"
        f"render([Diagnostic('c', Severity.ERROR, 'm', 'p')], 'text', color={color});"
        "print([name for name in ('rich', 'json', 'hashlib') if name in sys.modules])"
    )
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ)
    assert ran.stdout == "[]\n"
