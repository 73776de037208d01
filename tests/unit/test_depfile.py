"""Depfiles, and whether build tools read the names that were meant."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import opwright
from opwright.output.depfile import depfile, loaded_modules
from opwright.output.tree import WriteError

#: Names of files that are hard to write in a Makefile.
HARD = ["plain.h", "a b.h", "c#d.h", "e$f.h", "$$(g).h", "ü+~@=%,.h"]


def test_form() -> None:
    path, text = depfile(Path("build/ops.stamp.d"), [Path("a b.yaml"), Path("c#$.h"), Path("a b.yaml")])
    assert path == Path("build/ops.stamp.d")
    assert text == "build/ops.stamp: \\\n  a\\ b.yaml \\\n  c\\#$$.h\n"
    assert depfile(Path("x.d"), [])[1] == "x:\n"


def test_a_line_end_in_a_name_is_refused() -> None:
    for target, name in (("x\ny.d", "a"), ("x.d", "a\nb"), ("x.d", "a\rb")):
        with pytest.raises(WriteError, match="which has a line end in it"):
            depfile(Path(target), [Path(name)])


@pytest.mark.parametrize("tool", ["make", "ninja"])
def test_build_tools_read_it(tool: str, tmp_path: Path) -> None:
    """The tool runs again when any of the files has changed, and only then."""
    if shutil.which(tool) is None:
        pytest.skip(f"there is no {tool}")
    for name in HARD:
        (tmp_path / name).touch()
    path, text = depfile(Path("out x.d"), [Path(name) for name in HARD])
    (tmp_path / path).write_text(text, encoding="utf-8")
    command = "echo made; touch 'out x'"
    (tmp_path / "Makefile").write_text(f"out\\ x:\n\t{command}\ninclude out\\ x.d\n", encoding="utf-8")
    rule = f"rule gen\n  command = {command}\n  depfile = out x.d\nbuild out$ x: gen\n"
    (tmp_path / "build.ninja").write_text(rule, encoding="utf-8")

    def is_made() -> bool:
        done = subprocess.run([tool, "out x"], cwd=tmp_path, stdout=subprocess.PIPE, text=True, check=True)
        return "\nmade\n" in done.stdout

    assert [is_made(), is_made()] == [True, False]
    for name in HARD:
        time.sleep(0.02)  # file systems tell times apart that are some milliseconds apart
        os.utime(tmp_path / name)
        assert [is_made(), is_made()] == [True, False], name


def test_loaded_modules_are_the_files_of_this_process() -> None:
    root = Path(opwright.__file__).parent
    found = loaded_modules("opwright")
    assert found == sorted(found)
    assert {root / "__init__.py", root / "output" / "depfile.py", root / "output" / "tree.py"} <= {*found}
    assert all(path.is_relative_to(root) for path in found)
    assert loaded_modules("opw") == []


def test_a_module_inside_an_archive_is_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, file in (("zipped.a", str(tmp_path / "x.zip" / "a.py")), ("zipped.b", None)):
        module = type(sys)(name)
        module.__file__ = file
        monkeypatch.setitem(sys.modules, name, module)
    assert loaded_modules("zipped") == []
