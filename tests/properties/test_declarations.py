"""What Declarations.yaml is written with: scalars read back as what they were, and look as PyYAML would write them."""

from __future__ import annotations

import math
import string
import sys
from collections.abc import Callable

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from opwright.syntax.yaml_writing import write_number, write_scalar

#: Texts that YAML would take for something else, or that need care.
WORDS = (
    "yes No ON null ~ true 1 -1 0x1F 1_000 1:30 1e5 .5 .inf 2001-01-01 = << - ? : :: --- ... # % @ ` ! & * | > [] {}"
)
SPACED = (
    "",
    " ",
    "a ",
    " a",
    "a: b",
    "a:",
    "a #b",
    "- a",
    "? a",
    "a\nb",
    "a\n",
    "\ta",
    "a\t",
    "{a: b}",
    "'",
    '"',
    "\\",
)
TRAPS = st.sampled_from([*WORDS.split(), *SPACED])
#: Characters of schemas and C++ types, which mostly go unquoted.
CODE = st.text(string.ascii_letters + "0123_ .,;:()[]{}<>&*=|?!+/'\"\\-#", max_size=30)
ASCII = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30)
#: Text whose quoting is to be that of PyYAML.
PRINTED = TRAPS.filter(lambda text: "\n" not in text) | CODE | ASCII
#: Places in the file: on the top level, in a mapping inside a list, deeper, and in a list, with neighbors to upset.
PLACES: tuple[tuple[str, Callable[[object], object]], ...] = (
    ("x: {}\n", lambda value: {"x": value}),
    ("- x: {}\n  y: 1\n", lambda value: [{"x": value, "y": 1}]),
    ("- z:\n  - y: 1\n    x: {}\n  w: 2\n", lambda value: [{"z": [{"y": 1, "x": value}], "w": 2}]),
    ("- z:\n  - {}\n  w: 2\n", lambda value: [{"z": [value], "w": 2}]),
)


@given(st.text(max_size=30) | PRINTED | TRAPS)
@example("at::Tensor & (const at::Tensor &, ::std::optional<int64_t>)")
@example("aten::f(str x='it\\'s') -> ()")
@example("a: b")
@example("\u2028\x85\ufeff")
def test_strings_read_back(text: str) -> None:
    written = write_scalar(text)
    for place, holding in PLACES:
        assert yaml.safe_load(place.replace("{}", written)) == holding(text)


@given(PRINTED)
@example("c10::string_view")
@example('"a \\"b\\""')
def test_strings_look_like_those_of_pyyaml(text: str) -> None:
    assert f"x: {write_scalar(text)}\n" == yaml.safe_dump({"x": text}, width=sys.maxsize)


@given(st.integers() | st.floats(allow_nan=False))
@example(1e-05)
@example(1e20)
@example(-0.0)
@example(math.inf)
def test_numbers(value: int | float) -> None:
    written = write_number(value)
    assert f"x: {written}\n" == yaml.safe_dump({"x": value})
    for place, holding in PLACES:
        # By their printed forms, since 1 == 1.0 and 0.0 == -0.0.
        assert repr(yaml.safe_load(place.replace("{}", written))) == repr(holding(value))
