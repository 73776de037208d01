"""What is written for small files of operators, piece by piece, is what the kept copies say.

Each `cases/CASE.yaml` shows one feature; `cases/CASE.expected` is what is made of it with templates that hold nothing
but their variables. Comments at the head of a case may say `release: X.Y` or `torchgen-compat`. To write the kept
copies anew, set OPWRIGHT_UPDATE_GOLDEN=1, and then read what has changed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from opwright import pipeline
from opwright.diagnostics import Diagnostics
from opwright.locate import SAMPLE
from opwright.options import GenOptions
from opwright.output.template import Reference, Template, TemplateFolder
from opwright.output.tree import OutputFile
from opwright.releases import NEWEST, find_release
from opwright.report import render

HERE = Path(__file__).parent
CASES = sorted(path.stem for path in (HERE / "cases").glob("*.yaml"))
#: The files to show, each with the operators of the whole case.
SHOWN = (
    "Operators.h",
    "MethodOperators.h",
    "OperatorsEverything.cpp",
    "Functions.h",
    "core/TensorBody.h",
    "RedispatchFunctions.h",
    "RegisterSchema.cpp",
    "RegistrationDeclarations.h",
    "core/ATenOpList.cpp",
    "core/aten_interned_strings.h",
    "Declarations.yaml",
)


def made(case: Path) -> list[OutputFile]:
    """The files for one case, in the aggregated mode."""
    head = "".join(line for line in case.read_text(encoding="utf-8").splitlines(keepends=True) if line.startswith("#"))
    named = re.search(r"^# release: (\S+)$", head, re.MULTILINE)
    release = find_release(named.group(1)) if named else NEWEST
    assert release is not None
    options = GenOptions(everything=True, torchgen_compat="# torchgen-compat\n" in head)
    faults = Diagnostics()
    model = pipeline.read_model(case, SAMPLE / "native" / "tags.yaml", release, faults)
    files = pipeline.generate(model, options, HERE / "templates", faults) if model else []
    assert not faults.items, render(faults.in_order(), "text")
    return files


def shown(files: list[OutputFile]) -> str:
    """The files that are worth a look, under headings and without empty lines."""
    texts = {file.path: file.text for file in files}
    parts = []
    for path in SHOWN:
        lines = [line.rstrip() for line in texts[path].splitlines() if line.strip()]
        parts.append("\n".join([f"== {path} ==", *lines, ""]))
    return "\n".join(parts)


@pytest.mark.parametrize("case", CASES)
def test_case(case: str) -> None:
    expected = HERE / "cases" / f"{case}.expected"
    actual = shown(made(HERE / "cases" / f"{case}.yaml"))
    if os.environ.get("OPWRIGHT_UPDATE_GOLDEN") == "1":
        expected.write_text(actual, encoding="utf-8", newline="\n")
    assert actual == expected.read_text(encoding="utf-8")


def test_every_kept_copy_has_a_case() -> None:
    assert sorted(path.stem for path in (HERE / "cases").glob("*.expected")) == CASES


def test_templates_hold_every_variable() -> None:
    """The templates of the sample use no variable that those here leave out."""
    faults = Diagnostics()
    here, sample = TemplateFolder(HERE / "templates"), TemplateFolder(SAMPLE / "templates")
    for path in sorted((SAMPLE / "templates").iterdir()):
        mine, theirs = here.get(path.name, faults), sample.get(path.name, faults)
        assert mine is not None, path.name
        assert theirs is not None, path.name
        assert variables(theirs) - {"generated_comment"} == variables(mine), path.name


def variables(template: Template) -> set[str]:
    return {segment.name for segment in template.segments if isinstance(segment, Reference)}
