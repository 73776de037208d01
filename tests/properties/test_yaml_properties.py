"""Reading YAML: all readers give the same nodes, and the places of parts of scalars are right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from opwright.diagnostics import Diagnostics
from opwright.locate import SAMPLE
from opwright.releases.release import DATA
from opwright.source import Source
from opwright.syntax.yaml_library import HAS_LIBYAML, read_any
from opwright.syntax.yaml_plain import read_plain
from opwright.syntax.yamltree import Mapping, Node, Scalar, Sequence

needs_libyaml = pytest.mark.skipif(not HAS_LIBYAML, reason="PyYAML was built without libyaml")
SAMPLE_FILES = sorted((SAMPLE / "native").glob("*.yaml"))

texts = st.text(
    alphabet=st.one_of(st.sampled_from("abz 019-:,#'\"\\[]{}&*!|>%@~\n\t=()?."), st.sampled_from("é漢🎈\u00a0\u2028")),
    max_size=30,
)
scalars = st.one_of(texts, st.booleans(), st.none(), st.integers(), st.floats(allow_nan=False), st.just("yes"))
data = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
STYLES = (None, "'", '"', "|", ">")


def outline(node: Node | None) -> object:
    """All that is known of a tree, in values that can be compared."""
    if node is None:
        return None
    if isinstance(node, Scalar):
        return ("scalar", node.kind, node.value, node.plain, node.tag, node.start, node.stop)
    if isinstance(node, Sequence):
        return ("sequence", node.start, node.stop, [outline(item) for item in node.items])
    return ("mapping", node.start, node.stop, [(outline(key), outline(value)) for key, value in node.fields.values()])


def read(text: str, *, pure: bool = False) -> tuple[Node | None, list[str]]:
    faults = Diagnostics()
    source = Source("x.yaml", text)
    root = read_any(source, faults, text, pure=pure)
    for item in faults.items:
        assert item.place is None or 0 <= item.place.start <= item.place.stop <= len(text)
    return root, [item.code for item in faults.items]


def scalars_of(node: Node | None) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Sequence):
        return [scalar for item in node.items for scalar in scalars_of(item)]
    if isinstance(node, Mapping):
        return [scalar for entry in node.fields.values() for part in entry for scalar in scalars_of(part)]
    return []


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Data of any shape, dumped in any style, with lines of any width and any line end."""
    text: str = yaml.dump(
        draw(data),
        Dumper=yaml.SafeDumper,
        default_flow_style=draw(st.sampled_from((True, False, None))),
        default_style=draw(st.sampled_from(STYLES)),
        width=draw(st.sampled_from((10, 40, 1000))),
        indent=draw(st.sampled_from((2, 4))),
        allow_unicode=draw(st.booleans()),
    )
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return text


@needs_libyaml
@given(documents())
def test_both_parsers_agree(text: str) -> None:
    fast, fast_codes = read(text)
    slow, slow_codes = read(text, pure=True)
    assert outline(fast) == outline(slow)
    assert fast_codes == slow_codes


@needs_libyaml
@pytest.mark.parametrize("path", SAMPLE_FILES, ids=lambda path: path.name)
def test_both_parsers_agree_on_the_sample(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    fast, slow = read(text)[0], read(text, pure=True)[0]
    assert fast is not None
    assert outline(fast) == outline(slow)


#: What lines of operator files are made of, and what could make YAML see something else in them.
keys = st.sampled_from(
    ("func", "CPU, CUDA", "CPU ", "aten::neg", "a.b/c", "yes", "12", "<<", "a#b", "a b:", "'q'", "?", "- a")
)
values = st.sampled_from(
    """¦f(Tensor x) -> Tensor¦a::b¦yes¦12:30¦0x10¦a: b¦a:¦a #b¦a#b¦# c¦#c¦a ¦~¦-¦- a¦a, b¦a]¦...¦---
    ¦'q'¦''¦'it''s'¦'q' # c¦'q'x¦'a # b'¦'a¦"q"¦"\\x41"¦"q": a¦|¦|-¦| # c¦>¦&a b¦*a¦!!str a¦%a¦@a¦a\tb¦é¦\x07
    ¦[]¦[a, b]¦[a,'b c', "d"]¦[a, ]¦[a: b]¦[[a]]¦[a] # c¦[a]b¦[a¦{}¦{a: b}¦{a: b, a: c}¦{a}¦{'a': b, c: 'd'}¦{a:b}
    """.replace("\n    ", "").split("¦")
)
lines = st.builds(
    lambda column, dash, key, value, end: " " * column + dash + key + value + end,
    st.integers(0, 6),
    st.sampled_from(("", "", "", "- ", "- ", "-   ", "-", "- - ")),
    st.one_of(
        st.just(""),
        keys.map(lambda key: f"{key}:"),
        keys.map(lambda key: f"{key}: "),
        keys.map(lambda key: f"{key}:  "),
    ),
    values,
    st.sampled_from(("", "", "", " ", "  # c", "\r")),
)
blank_lines = st.sampled_from(("", "", "  ", "# c", "    # c: d", "---", "...", "\t"))


@st.composite
def files(draw: st.DrawFn) -> str:
    """Lines like those of operator files, most in columns that fit to each other."""
    text = "\n".join(draw(st.lists(st.one_of(lines, lines, lines, blank_lines), max_size=12)))
    return text + draw(st.sampled_from(("", "\n", "\n\n")))


@st.composite
def edited_files(draw: st.DrawFn) -> str:
    """A piece of an operator file with something in it that was not there."""
    text = draw(st.sampled_from(SAMPLE_FILES)).read_text(encoding="utf-8")
    entries = text.split("\n- ")
    first = draw(st.integers(0, len(entries) - 1))
    text = "\n- ".join(["", *entries[first : first + 4]])
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(texts) + text[at + draw(st.integers(0, 3)) :]
    return text


@given(st.one_of(files(), edited_files(), documents()))
@settings(max_examples=400)
@example("a:\n- b\nc: d\n")
@example("a: |\n  b\n\n   c\n\n\nd:")
@example("a: |\n  b\n \nd:")
def test_what_is_read_line_by_line(text: str) -> None:
    """What the reader of the plain style takes, it reads like the library."""
    root = read_plain(Source("x.yaml", text), text)
    if root is not None:
        expected, codes = read(text)
        assert outline(root) == outline(expected)
        assert codes == []


@pytest.mark.parametrize("path", [*SAMPLE_FILES, *sorted(DATA.glob("*.yaml"))], ids=lambda path: path.name)
def test_operator_files_are_in_the_plain_style(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert outline(read_plain(Source("x.yaml", text), text)) == outline(read(text)[0])


@given(st.dictionaries(texts, scalars, max_size=4), st.sampled_from(STYLES), st.booleans())
def test_values(value: dict[str, Any], style: str | None, pure: bool) -> None:
    """The tree has the values that the YAML library gives."""
    text = yaml.safe_dump(value, default_style=style, allow_unicode=True)
    root, codes = read(text, pure=pure)
    loaded = yaml.load(text, Loader=yaml.BaseLoader)
    if not codes:
        assert isinstance(root, Mapping)
        assert {key.value: item.value for key, item in root.fields.values() if isinstance(item, Scalar)} == loaded


@given(texts.filter(bool), st.sampled_from(STYLES), st.sampled_from((8, 20, 1000)), st.booleans(), st.booleans())
@example("it's", "'", 1000, False, False)
@example('say "x"', '"', 1000, False, False)
@example("'", "'", 1000, False, False)
@example("\\", '"', 1000, False, False)
@example("a bc", "'", 3, False, False)
@example("a b\nc", "|", 1000, True, True)
@example("a b c d e\n\nf", ">", 3, False, True)
def test_parts_of_scalars(value: str, style: str | None, width: int, crlf: bool, pure: bool) -> None:
    """Each character that is written as itself is found where it stands, and the places never go backwards."""
    text = yaml.safe_dump([value], default_style=style, width=width, allow_unicode=True)
    if crlf:
        text = text.replace("\n", "\r\n")
    root = read(text, pure=pure)[0]
    assert isinstance(root, Sequence)
    (scalar,) = root.items
    assert isinstance(scalar, Scalar)
    check_parts(scalar, text)


def check_parts(scalar: Scalar, text: str) -> None:
    before = scalar.start
    for at, char in enumerate(scalar.value):
        place = scalar.part(at, at + 1)
        assert before <= place.start <= place.stop <= scalar.stop
        before = place.start
        if char.isalnum():
            assert place.text == char or place.text[:1] == "\\"
        elif char not in " \n":
            assert place.text[:1] in (char, "\\"), (char, place.text)
    whole = scalar.part(0, len(scalar.value))
    assert scalar.start <= whole.start <= whole.stop <= scalar.stop


@needs_libyaml
@given(documents(), st.booleans())
def test_parts_everywhere(text: str, pure: bool) -> None:
    for scalar in scalars_of(read(text, pure=pure)[0]):
        if scalar.stop > scalar.start:
            check_parts(scalar, text)


@pytest.mark.parametrize(
    "text",
    [
        "- f(Tensor x) -> Tensr",
        "- 'f(str x=''a'') -> Tensr'",
        '- "f(str x=\\"a\\") -> Tensr"',
        '- "f(str x=\\x61, \\u00e9) -> Tensr"',
        "- f(Tensor x)\n  -> Tensr",
        "- 'f(Tensor x)\n\n   -> Tensr'",
        '- "f(Tensor x)\\\n   -> Tensr"',
        "- >-\n  f(Tensor x)\n  -> Tensr",
        "- >\n   f(Tensor x)\n     int y\n   -> Tensr\n",
        "- |-\n  f(Tensor x) -> Tensr",
        "- |2-\n    f(Tensor x) -> Tensr",
        "- >- # a remark\n  f(Tensor x)\r\n  -> Tensr",
        "- !!str f(Tensor x) -> Tensr",
        "- &anchor 'f(Tensor x) -> Tensr'",
        "- !!str &anchor >-\n  f(Tensor x)\n  -> Tensr",
        "- &anchor f(Tensor x) -> Tensr",
        "- ! # a remark\n  f(Tensor x) -> Tensr",
    ],
)
@pytest.mark.parametrize("pure", [False, True])
def test_place_of_a_word(text: str, pure: bool) -> None:
    root = read(text, pure=pure)[0]
    assert isinstance(root, Sequence) and isinstance(root.items[0], Scalar)
    scalar = root.items[0]
    at = scalar.value.index("Tensr")
    place = scalar.part(at, at + len("Tensr"))
    assert place.text == "Tensr"
    assert place.start == text.index("Tensr")
    head = scalar.value.index("f(")
    assert scalar.part(head, head + 2).text == "f("


@given(st.text(max_size=60))
@example("\ufeff- a")
@example("- \x07")
@example("a: \x85b")
@example("%YAML 9.9\n--- a")
@example("- ? - a\n")
def test_any_text(text: str) -> None:
    """Both parsers take or refuse a text; neither fails, and what is refused is reported."""
    for pure in (False, True):
        root, _codes = read(text, pure=pure)
        assert root is None or isinstance(root, (Scalar, Sequence, Mapping))


@given(st.text(alphabet="ab-:?[]{},&*!|>'\"%#\n ~", max_size=40))
def test_any_text_of_the_right_characters(text: str) -> None:
    for pure in (False, True):
        root, _ = read(text, pure=pure)
        for scalar in scalars_of(root):
            place = scalar.part(0, len(scalar.value))
            assert 0 <= place.start <= place.stop <= len(text)
