"""Every diagnostic code has a page, and the example of each page prints what the page says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import opwright
from opwright.report import pages
from opwright.syntax.yaml_library import HAS_LIBYAML
from tests.diagnostics.update_pages import PAGES, WITHOUT_EXAMPLE, read_example, run, run_example

SOURCE = Path(opwright.__file__).parent
CODES = tuple(sorted(path.stem for path in PAGES.glob("*.md") if path.stem != "index"))
HEADINGS = ["## Example", "## Why", "## What to do"]
_CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")


def read(code: str) -> str:
    return (PAGES / f"{code}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", CODES)
def test_form(code: str) -> None:
    lines = read(code).splitlines()
    assert lines[0] == f"# {code}"
    assert lines[1] == "" and lines[2].endswith(".") and lines[3] == "", "one sentence says what it is"
    assert [line for line in lines if line.startswith("## ")] == HEADINGS
    assert code in WITHOUT_EXAMPLE or read_example(read(code)) is not None


@pytest.mark.parametrize("code", [code for code in CODES if code not in WITHOUT_EXAMPLE])
def test_example(code: str) -> None:
    """Run `python -m tests.diagnostics.update_pages` when the wording of a message changes."""
    if code == "yaml-syntax" and not HAS_LIBYAML:
        pytest.skip("the page has the wording of libyaml, which PyYAML was built without")
    example = read_example(read(code))
    assert example is not None
    status, output = run_example(example)
    assert output == example.output
    assert f"[{code}]" in output
    assert status == (1 if ": error[" in output else 0)


@pytest.mark.parametrize("code", CODES)
def test_explain_code(code: str) -> None:
    assert run(["explain-code", code]) == (0, read(code))


def test_explain_unknown_code(capsys: pytest.CaptureFixture[str]) -> None:
    from opwright.cli.main import main

    assert main(["explain-code", "unknown-tpye"]) == 2
    assert "did you mean 'unknown-type'?" in capsys.readouterr().err


def test_list_of_codes() -> None:
    status, output = run(["explain-code"])
    assert status == 0
    assert [line.partition(":")[0] for line in output.splitlines()] == list(CODES) == list(pages.codes())


def test_every_code_has_a_page() -> None:
    used = set().union(*(codes_of(path) for path in SOURCE.rglob("*.py")))
    assert "unknown-type" in used and "variants-type" in used and "same-kind-twice" in used
    assert sorted(used - set(CODES)) == [], "codes without a page"
    written = set().union(*(strings_of(path) for path in SOURCE.rglob("*.py")))
    assert sorted(set(CODES) - written) == [], "pages of codes that nothing reports"


def codes_of(path: Path) -> set[str]:
    """The codes that a module reports: what it gives for a parameter called `code`, assigns to `code`, or yields."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {text for node in ast.walk(tree) for text in constants(code_of(node)) if _CODE.fullmatch(text)}


def strings_of(path: Path) -> set[str]:
    """All strings of a module."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def code_of(node: ast.AST) -> list[ast.expr]:
    """The expressions that give a code in one node of a module."""
    if isinstance(node, ast.Call):
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
        at = CODE_PARAMETERS.get(name)
        given = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
        return given + ([node.args[at]] if at is not None and at < len(node.args) else [])
    if isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
        return node.value.elts[:1]
    if isinstance(node, ast.Assign) and any(isinstance(it, ast.Name) and it.id == "code" for it in node.targets):
        return [node.value]
    if isinstance(node, ast.Dict) and is_code_table(node):
        return node.values  # a table of codes
    if isinstance(node, ast.arguments):
        defaults = zip(reversed(node.args), reversed(node.defaults), strict=False)
        return [default for argument, default in defaults if argument.arg == "code"]
    return []


def is_code_table(node: ast.Dict) -> bool:
    """Whether a dictionary gives a code for each of its keys, as `{"symint": "backend-symint-type"}` does."""
    texts = list(constants(node.values))
    return len(texts) == len(node.values) and all(_CODE.fullmatch(text) for text in texts)


def constants(expressions: list[ast.expr]) -> Iterator[str]:
    """The strings that the expressions can be."""
    for expression in expressions:
        if isinstance(expression, ast.IfExp):
            yield from constants([expression.body, expression.orelse])
        elif isinstance(expression, ast.Constant) and isinstance(expression.value, str):
            yield expression.value


def code_parameters() -> Iterator[tuple[str, int]]:
    """Functions and classes of the package with a parameter called `code`, and where it stands in a call."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                targets = [it.target for it in node.body if isinstance(it, ast.AnnAssign)]
                fields = [target.id for target in targets if isinstance(target, ast.Name)]
                for method in node.body:
                    if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                        fields = [argument.arg for argument in method.args.args[1:]]
                if "code" in fields:
                    yield node.name, fields.index("code")
            elif isinstance(node, ast.FunctionDef):
                names = [argument.arg for argument in node.args.args if argument.arg != "self"]
                if "code" in names:
                    yield node.name, names.index("code")


CODE_PARAMETERS = dict(code_parameters())
