"""What is written for small files of operators, piece by piece, is what the kept copies say.

Each `cases/CASE.yaml` shows one feature; `cases/CASE.expected` is what is made of it with templates that hold nothing
but their variables. Comments at the head of a case may say

    # release: 2.1
    # devices: xpu mps
    # static dispatch: CPU CUDA
    # torchgen-compat
    # files: NativeFunctions.h RegisterCPUEverything.cpp
    # helpers
    # aot: native_aot

The files to show are those of `SHOWN` when it names none, shards as their umbrella copies. The helper functions of
structured kernels, which are the same for all operators, are shown where the head says `helpers`. What a folder beside
the case declares as `NAME/aot.py` is compiled ahead of time where the head says `aot`. To write the kept
copies anew, set OPWRIGHT_UPDATE_GOLDEN=1, and then read what has changed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from opwright import pipeline, reading
from opwright.diagnostics import Diagnostics
from opwright.locate import SAMPLE
from opwright.options import GenOptions
from opwright.output.template import Template, TemplateFolder
from opwright.output.tree import OutputFile
from opwright.releases import find_release
from opwright.report import render
from tests.releases import SAMPLES

HERE = Path(__file__).parent
CASES = sorted(path.stem for path in (HERE / "cases").glob("*.yaml"))
#: The files to show unless the head of a case names others, each with the operators of the whole case.
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
HELPERS = re.compile(r"^C10_DIAGNOSTIC_PUSH.*?^C10_DIAGNOSTIC_POP\(\)$", re.MULTILINE | re.DOTALL)


class Head:
    """What the comments at the head of a case say."""

    def __init__(self, case: Path) -> None:
        lines = case.read_text(encoding="utf-8").splitlines()
        self.lines = [line.removeprefix("# ") for line in lines if line.startswith("#")]

    def says(self, word: str) -> bool:
        return word in self.lines

    def listed(self, name: str) -> list[str]:
        """The words behind `name:`, on all lines that have it."""
        values = [line.removeprefix(f"{name}: ") for line in self.lines if line.startswith(f"{name}: ")]
        return " ".join(values).split()


def made(case: Path, head: Head) -> list[OutputFile]:
    """The files for one case, in the aggregated mode."""
    named = head.listed("release")
    release = find_release(named[0]) if named else SAMPLES
    assert release is not None
    faults, devices = Diagnostics(), frozenset(head.listed("devices"))
    model = reading.read_model(case, SAMPLE / "native" / "tags.yaml", release, faults, devices)
    modules = [path for name in head.listed("aot") for path in sorted(case.with_name(name).glob("*/aot.py"))]
    options = GenOptions(
        everything=True,
        torchgen_compat=head.says("torchgen-compat"),
        devices=devices,
        static_dispatch=tuple(release.keys[name] for name in head.listed("static dispatch")),
        aot_stubs=reading.read_aot_stubs(modules, model, devices, faults) if model else (),
    )
    files = list(pipeline.generate(model, options, HERE / "templates", faults)) if model else []
    assert not faults.items, render(faults.in_order(), "text")
    return files


def shown(files: list[OutputFile], head: Head) -> str:
    """The files that are worth a look, under headings and without empty lines."""
    texts = {file.path: file.text for file in files}
    parts = []
    for path in head.listed("files") or SHOWN:
        text = texts[path] if head.says("helpers") else HELPERS.sub("", texts[path])
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        parts.append("\n".join([f"== {path} ==", *lines, ""]))
    return "\n".join(parts)


@pytest.mark.parametrize("case", CASES)
def test_case(case: str) -> None:
    expected = HERE / "cases" / f"{case}.expected"
    source = HERE / "cases" / f"{case}.yaml"
    actual = shown(made(source, Head(source)), Head(source))
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
    return {one.name for _, one in template.references}
