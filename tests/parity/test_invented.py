"""Opwright's files are those of the installed torchgen for invented operators, whatever their arguments are."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from opwright.diagnostics import Diagnostics
from opwright.locate import SAMPLE
from opwright.reading import read_model
from tests.parity.checks import check_all, installed_or_skip
from tests.parity.reference import packaged_source
from tests.properties.families import families
from tests.releases import SAMPLES

OPTIONS = [
    (),
    ("--per-operator-headers",),
    ("--mps", "--xpu", "--mtia"),
    ("--generate", "headers"),
    ("--static-dispatch-backend", "CPU"),
]
#: An operator with a kernel for the CPU, so that it can be dispatched to.
SURE = "- func: sure(Tensor self) -> Tensor\n  dispatch: {CPU: sure}\n"


def accepted(drawn: list[str], folder: Path) -> str:
    """Of operators of many files with names of their own, those that a file can have."""
    native, tags = folder / "probe.yaml", SAMPLE / "native" / "tags.yaml"
    text = SURE
    for number, family in enumerate(drawn):
        more = text + family.replace("soak", f"soak{number}").replace("peel", f"peel{number}")
        native.write_text(more, encoding="utf-8")
        faults = Diagnostics()
        read_model(native, tags, SAMPLES, faults)
        if not faults.has_errors:
            text = more
    return text


@settings(max_examples=15, deadline=None, derandomize=True, database=None, phases=[Phase.generate])
@given(st.lists(families, min_size=10, max_size=20), st.sampled_from(OPTIONS))
def test_families(drawn: list[str], options: tuple[str, ...]) -> None:
    root = installed_or_skip()
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        source = folder / "source"
        (source / "native").mkdir(parents=True)
        shutil.copytree(packaged_source(root) / "templates", source / "templates")
        shutil.copyfile(SAMPLE / "native" / "tags.yaml", source / "native" / "tags.yaml")
        operators = accepted(drawn, folder)
        (source / "native" / "native_functions.yaml").write_text(operators, encoding="utf-8")
        check_all(root, source, folder / "out", options, own_options=["--torchgen-compat"])
