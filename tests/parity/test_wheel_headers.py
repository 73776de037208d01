"""The generated headers are those that the official build of PyTorch has put into its wheel."""

from __future__ import annotations

import re
from pathlib import Path

from tests.parity.checks import check_files, installed_or_skip, run_opwright
from tests.parity.reference import packaged_source
from tests.program import outputs

#: What packaging puts around every installed header.
GUARD = re.compile(
    r"\A#if !defined\(TORCH_STABLE_ONLY\)[^\n]*\n(?P<header>.*)\n#else\n#error [^\n]*\n#endif[^\n]*\s*\Z", re.DOTALL
)
#: Headers that are compiled into the libraries and not installed.
NOT_INSTALLED = {"FunctionalInverses.h", "ViewMetaClasses.h"}
#: Headers in the folder of the generated ones that are written by hand.
BY_HAND = {"from_blob.h", "tensor.h"}


def unguarded(header: Path) -> str:
    """The text of an installed header without what packaging adds."""
    text = header.read_text(encoding="utf-8")
    found = GUARD.match(text)
    return found["header"] if found else text


def test_headers_of_the_wheel(tmp_path: Path) -> None:
    root = installed_or_skip()
    include = root / "torch" / "include"
    own = run_opwright(packaged_source(root), tmp_path / "own", ["--per-operator-headers"])
    headers = {name: include / "ATen" / name for name in outputs(own) if name.endswith((".h", ".inc"))}
    headers["core/enum_tag.h"] = include / "torch" / "headeronly" / "core" / "enum_tag.h"
    installed = tmp_path / "installed"
    for name, header in headers.items():
        if name not in NOT_INSTALLED and not name.startswith("aoti/"):
            (installed / name).parent.mkdir(parents=True, exist_ok=True)
            (installed / name).write_text(unguarded(header), encoding="utf-8")
    names = sorted(outputs(installed))
    check_files(installed, own, names)
    made = {name.removeprefix("ops/") for name in names if name.startswith("ops/")}
    assert made == {path.name for path in (include / "ATen" / "ops").glob("*.h")} - BY_HAND
    assert len(names) > 7000
