"""Damaged operator files: whatever is done to them, the check ends in diagnostics that point into the text."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from opwright.checking import check_files
from opwright.diagnostics import Diagnostics
from opwright.locate import SAMPLE, Located, choose_release, find_packaged
from opwright.report import FORMATS, render

#: What is put in: characters that mean something to YAML, to the schema language or to C++, and some unexpected ones.
ODD = (
    " ", "\t", "\n", "\r", "\n\n", "  ", "- ", ": ", " #", ",", ", ", "'", '"', "\\", "(", ")", "[", "]", "{", "}",
    "*", "&a ", "*a", "<<", "!", "!x ", "|", ">", "%", "@", "`", "?", "=", "->", ") -> ", "::", ".", "_", "__", "0",
    "9" * 30, "~", "é", "🎈", "\u2028", "\ufeff", "\x07", "_out", "None", "func", "- func: ", "dispatch:",
    "  autogen: x\n", "???", "[]", "(a!)", "Tensor",
)  # fmt: skip
SECONDS = 20


def mutated(text: str, seed: int) -> str:
    """The text after a few random edits; the same for the same seed."""
    random_source = random.Random(seed)
    for _ in range(random_source.choice((1, 1, 1, 2, 3, 8))):
        text = edited(text, random_source)
    return text


def edited(text: str, random_source: random.Random) -> str:
    if random_source.random() < 0.3:
        lines = text.splitlines(keepends=True)
        first, second = (random_source.randrange(len(lines)) for _ in range(2))
        edit = random_source.randrange(4)
        if edit == 0:
            del lines[first]
        elif edit == 1:
            lines.insert(second, lines[first])
        elif edit == 2:
            lines[first], lines[second] = lines[second], lines[first]
        else:
            lines[first] = lines[first].lstrip()
        return "".join(lines)
    at = random_source.randrange(len(text) - 2)
    edit = random_source.randrange(4)
    if edit == 0:
        return text[:at] + text[at + random_source.choice((1, 1, 5)) :]
    if edit == 1:
        return text[: at + 3] + text[at:]
    if edit == 2:
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return text[:at] + random_source.choice(ODD) + text[at:]


def check_text(text: str, folder: Path, source: Path) -> None:
    """Check a native functions file with this text, beside the tags of `source`."""
    path = folder / "ops.yaml"
    path.write_text(text, encoding="utf-8", newline="")
    release, origin, _ = choose_release(source, None)
    faults = Diagnostics()
    started = time.perf_counter()
    check_files([str(path)], "native", Located(source, "", release, origin), faults)
    shown = [render(faults.in_order(), form) for form in FORMATS]
    assert time.perf_counter() - started < SECONDS
    assert all(shown) or not faults.items
    for item in faults.items:
        assert item.message and "\n" not in item.message
        for place in (item.place, *(related.place for related in item.related)):
            if place is not None:
                assert 0 <= place.start <= place.stop <= len(place.source.text), item


@pytest.mark.parametrize("seed", range(60))
def test_sample(seed: int, tmp_path: Path) -> None:
    text = (SAMPLE / "native" / "native_functions.yaml").read_text(encoding="utf-8")
    check_text(mutated(text, seed), tmp_path, SAMPLE)


@pytest.mark.parametrize("seed", range(6))
def test_installed_torch(seed: int, tmp_path: Path) -> None:
    source = find_packaged()
    if source is None:
        pytest.skip("no torch is installed")
    text = (source / "native" / "native_functions.yaml").read_text(encoding="utf-8")
    check_text(mutated(text, seed), tmp_path, source)


@pytest.mark.parametrize("seed", range(10))
def test_cut_off(seed: int, tmp_path: Path) -> None:
    """A file that ends in the middle, as after a full disk."""
    text = (SAMPLE / "native" / "native_functions.yaml").read_text(encoding="utf-8")
    check_text(text[: random.Random(seed).randrange(1, len(text))], tmp_path, SAMPLE)
