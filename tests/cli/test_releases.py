"""The verb `releases` as a user calls it."""

from __future__ import annotations

import json
import subprocess
import sys

from opwright.releases import NAMES
from tests.parity.fetch import CHECKOUT
from tests.program import environment

PAGE = CHECKOUT / "docs" / "reference" / "releases.md"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "opwright", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment(), check=True)


def test_text() -> None:
    lines = run("releases").stdout.splitlines()
    assert lines[0].split()[:2] == ["release", "operators"]
    assert [line.split()[0] for line in lines[1:]] == list(NAMES)
    assert lines[-2] == (
        "2.14     2585       --mps --mtia --xpu  a block for each group  classes that own their tensors  "
        "cpu, cuda, mps, xpu, aten  TensorBody.h no longer has is_variable()"
    )


def test_json() -> None:
    rows = json.loads(run("releases", "--format", "json").stdout)
    assert [row["release"] for row in rows] == list(NAMES)
    assert rows[0] == {
        "release": "2.0",
        "operators": "2498",
        "device switches": "--mps",
        "registrations": "one file for each key",
        "metadata of views": "lambdas",
        "shims": "none",
        "told by": "the lack of all marks of later ones",
    }


def test_the_page_has_the_table() -> None:
    """Replace the table in the page by what this prints: opwright releases --format markdown"""
    assert run("releases", "--format", "markdown").stdout in PAGE.read_text(encoding="utf-8")
