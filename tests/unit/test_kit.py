"""The runtime kit: names, files, and that the example is what the kit writes."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import pytest

from opwright.kit import EXAMPLE, PROJECT, NameFault, check_name, in_the_way, name_from, starter
from opwright.output.tree import WriteError, stale, write_files

EXAMPLES = Path(__file__).parents[2] / "examples" / "backend"
GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "backend.md"
#: What the example has changed of the files it was started with.
CHANGED = {"CMakeLists.txt", "README.md", "tiny.yaml"}


@pytest.mark.parametrize("name", ["tiny", "mydev", "a", "my_own_device", "npu"])
def test_names(name: str) -> None:
    check_name(name)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "it takes small letters"),
        ("Tiny", "it takes small letters"),
        ("dev2", "it takes small letters"),
        ("my-dev", "it takes small letters"),
        ("_dev", "it takes small letters"),
        ("dev_", "it takes small letters"),
        ("my__dev", "it takes small letters"),
        ("größe", "it takes small letters"),
        ("dev\n", "it takes small letters"),
        ("cuda", "it has a meaning for PyTorch"),
        ("torch", "it has a meaning for PyTorch"),
        ("class", "it is a word of C++ or Python"),
        ("lambda", "it is a word of C++ or Python"),
        ("random", "it is a module of Python's library"),
    ],
)
def test_names_that_cannot_be(name: str, reason: str) -> None:
    with pytest.raises(NameFault, match=re.escape(f"'{name}' cannot be the name of a device: {reason}")):
        starter(name)


def test_names_of_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert name_from(Path("some/where/My-Dev/")) == "my_dev"
    (tmp_path / "tiny").mkdir()
    monkeypatch.chdir(tmp_path / "tiny")
    assert name_from(Path()) == "tiny"


def test_the_name_is_everywhere() -> None:
    files = {file.path: file.text for file in starter("some_device")}
    assert {"some_device.yaml", "python/some_device/device.py", "csrc/driver.cpp", "pyproject.toml"} < files.keys()
    assert not any(EXAMPLE in path + text for path, text in files.items())
    assert "namespace some_device {" in files["csrc/guard.cpp"]
    assert "TORCH_LIBRARY_FRAGMENT(some_device, m)" in files["csrc/fallback.cpp"]
    for path, text in files.items():
        if path.endswith(".py"):
            ast.parse(text, path)
    assert '[project.entry-points."torch.backends"]\nsome_device = "some_device:_autoload"\n' in files["pyproject.toml"]


def test_all_sources_are_built() -> None:
    for folder in (PROJECT, EXAMPLES):
        listed = (folder / "CMakeLists.txt").read_text(encoding="utf-8")
        built = re.findall(r"^  (csrc/\w+\.cpp)$", listed, re.MULTILINE)
        assert sorted(built) == sorted(f"csrc/{path.name}" for path in folder.glob("csrc/*.cpp"))


def test_the_example_is_what_the_kit_writes() -> None:
    files = starter("tiny")
    assert {file.path for file in files} > CHANGED
    same = [(EXAMPLES / file.path, file.text) for file in files if file.path not in CHANGED]
    if os.environ.get("OPWRIGHT_UPDATE_GOLDEN"):
        write_files(same, dry_run=False)
    assert stale(same, any_line_ends=True) == []


def test_the_kernel_of_the_guide_is_in_the_example() -> None:
    """So what the guide shows is compiled and run."""
    guide = GUIDE.read_text(encoding="utf-8")
    (item,) = re.findall(r"^```yaml\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    (code,) = re.findall(r"^```cpp\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    assert item in (EXAMPLES / "tiny.yaml").read_text(encoding="utf-8")
    assert code.replace(EXAMPLE, "tiny") == (EXAMPLES / "csrc" / "sigmoid.cpp").read_text(encoding="utf-8")


def test_files_in_the_way(tmp_path: Path) -> None:
    files = starter("tiny")
    assert in_the_way(tmp_path / "new", files) == []
    first, second = files[:2]
    (tmp_path / first.path).write_text(first.text, encoding="utf-8", newline="\r\n")
    (tmp_path / second.path).write_text(second.text + "mine\n", encoding="utf-8")
    assert in_the_way(tmp_path, files) == [second.path]
    (tmp_path / second.path).unlink()
    (tmp_path / second.path).mkdir()
    with pytest.raises(WriteError, match="this is a directory, not a file"):
        in_the_way(tmp_path, files)
