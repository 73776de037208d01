"""What is read of Python modules without running them: which value a name has, and where."""

from __future__ import annotations

import ast
import warnings

import pytest

from opwright.diagnostics import Diagnostics
from opwright.source import Source
from opwright.syntax.pymodule import PythonModule, read_python


def module(text: str) -> PythonModule:
    faults = Diagnostics()
    read = read_python(Source("m.py", text), faults, code="bad")
    assert read is not None and faults.items == []
    return read


def texts(text: str) -> dict[str, tuple[str, str]]:
    """What is underlined for the name and for the value of each name."""
    names = module(text).scope.names
    return {name: (bound.name_place.text, bound.place.text) for name, bound in names.items()}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_places(end: str) -> None:
    lines = [
        "# ä 𝄞",
        "é, x = 1, 2; y = 'ö𝄞'; z = y",
        "def f(",
        "  a): pass",
        "async  def g(): pass",
        "class C(B):",
        "  p = 1",
    ]
    assert texts(end.join(lines)) == {
        "é": ("é, x = 1, 2", "é, x = 1, 2"),
        "x": ("é, x = 1, 2", "é, x = 1, 2"),
        "y": ("y", "'ö𝄞'"),
        "z": ("z", "y"),
        "f": ("f", "f"),
        "g": ("g", "g"),
        "C": ("C", "C"),
    }


def test_a_place_ends_with_its_first_line() -> None:
    assert texts("a = [\n 1,\n]\nif a:\n  b = 1\n") == {"a": ("a", "["), "b": ("if a:", "if a:")}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import a, b.c, d as e\nfrom f import g as h", ["a", "b", "e", "h"]),
        ("for i, (j, *k) in x: l = 1\nelse: m = 2", ["i", "j", "k", "l", "m"]),
        ("with open(x) as f, g as (h, i): pass", ["f", "h", "i"]),
        ("match x:\n case [1, *a] | {'k': a}: pass\n case b: c = 1", ["a", "b", "c"]),
        ("if (a := f()): pass", ["a"]),
        ("x[0] = y.z = 1\nx.y: int = 1", []),
        ("if x:\n def f(y):\n  z = 1\n class C:\n  w = 1", ["f", "C"]),
        ("a: int\nb: int = 1", ["b"]),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert sorted(module(text).scope.own_names()) == sorted(names)


def test_the_last_value_counts() -> None:
    found = module("a = 1\nb = 2\na = 3\n").scope.find("a")
    assert found is not None and isinstance(found.value, ast.Constant) and found.value.value == 3


def test_an_import_of_everything_leaves_nothing_known() -> None:
    scope = module("a = 1\nfrom x import *\nb = 2\n").scope
    values = {name: bound.value is not None for name in "abc" if (bound := scope.find(name))}
    assert values == {"a": False, "b": True, "c": False}
    assert scope.own_names() == ["b"]


@pytest.mark.parametrize(
    ("text", "position", "rest"),
    [
        ("a = 1\nb = = 2\n", (2, 5), "= 2"),
        ("a = 'ü' 'x\n", (1, 9), "'x"),
        ("def f(:\n", (1, 7), ":"),
        ("a = (\n", (1, 5), "("),
        ("if x:\n", (1, 6), ""),
        ("a = 1\r\nb = 0777\r\n", (2, 5), "0777"),
    ],
)
def test_no_python(text: str, position: tuple[int, int], rest: str) -> None:
    faults = Diagnostics()
    assert read_python(Source("m.py", text), faults, code="bad") is None
    (fault,) = faults.items
    assert fault.code == "bad" and fault.place is not None
    assert (fault.place.begin, fault.place.text) == (position, rest)


@pytest.mark.parametrize("text", ["a = " + "-" * 100_000 + "1", "a = " + "(" * 300 + ")" * 300, "a" + ".b" * 100_000])
def test_deep_nesting(text: str) -> None:
    faults = Diagnostics()
    read_python(Source("m.py", text), faults, code="bad")
    assert [fault.code for fault in faults.items] in ([], ["bad"])


def test_no_warnings_of_python() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        module("a = '\\d'\nb = 1 is 1\n")
