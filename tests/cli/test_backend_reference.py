"""The examples of the reference of backend YAML are accepted, and declare what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opwright.cpp.tokens import tokenize
from opwright.model.backend import FIELD_NAMES
from opwright.model.listed import FIELDS
from tests.parity.checks import installed_or_skip
from tests.parity.reference import packaged_source
from tests.parity.test_backend import opwright

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "backend-yaml.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(yaml|cpp)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
#: Each example with the declarations that follow it.
EXAMPLES = [
    (text, BLOCKS[at + 1][1] if at + 1 < len(BLOCKS) and BLOCKS[at + 1][0] == "cpp" else "")
    for at, (kind, text) in enumerate(BLOCKS)
    if kind == "yaml"
]


@pytest.mark.parametrize(("backend", "declarations"), EXAMPLES)
def test_example(backend: str, declarations: str, tmp_path: Path) -> None:
    done = opwright(tmp_path, packaged_source(installed_or_skip()), backend)
    assert (done.returncode, done.stderr.count("[")) == (0, 0), done.stderr
    header = (tmp_path / "out" / "PrivateUse1NativeFunctions.h").read_text(encoding="utf-8")
    tokens, said = " ".join(tokenize(header)), " ".join(tokenize(declarations))
    assert all(part in tokens for part in re.findall(r"struct .*? } ;|static .*? ;", said))
    structured = re.compile(r"struct (structured_\w+) :")
    assert "struct " not in said or structured.findall(said) == structured.findall(tokens)


def test_every_example_with_declarations_is_found() -> None:
    assert len(EXAMPLES) == 5
    assert sum(bool(said) for _, said in EXAMPLES) == 4


def test_all_keys_and_fields_are_described() -> None:
    assert all(f"`{name}`" in PAGE for name in (*FIELD_NAMES, *FIELDS))
