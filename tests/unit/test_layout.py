"""The direction of imports: each stage knows the stages before it and nothing of those behind it."""

import ast
from pathlib import Path

import pytest

import opwright

ROOT = Path(opwright.__file__).parent
MODULES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))

#: What each part may import, besides itself, `values` and `memo`.
ALLOWED = {
    "source": set(),
    "looks": set(),
    "inputs": {"source", "looks"},
    "diagnostics": {"source"},
    "stats": set(),
    "values": set(),
    "memo": set(),
    "syntax": {"source", "diagnostics"},
    "releases": set(),
    "model": {"source", "diagnostics", "syntax", "releases"},
    "cpp": {"syntax", "releases"},
    "signatures": {"syntax", "releases", "model", "cpp"},
    # `output` knows nothing of operators, so that artifacts can fill templates and make files with it.
    "output": {"source", "looks", "inputs", "diagnostics"},
    "options": {"model", "releases"},
    "artifacts": {
        "source", "stats", "syntax", "releases", "model", "cpp", "signatures", "output", "options", "diagnostics",
    },
    "reading": {"source", "diagnostics", "stats", "syntax", "releases", "model"},
    "pipeline": {"inputs", "diagnostics", "stats", "model", "output", "options", "artifacts"},
    "recognize": {"inputs", "releases"},
    "locate": {"source", "inputs", "recognize", "releases"},
    "kit": {"model", "output"},
    "backends": {
        "inputs", "diagnostics", "stats", "syntax", "releases", "model", "artifacts", "output", "options", "reading",
        "locate", "checking",
    },
    "handwritten": {"source", "inputs", "diagnostics", "model", "cpp", "artifacts"},
    "checking": {"source", "diagnostics", "syntax", "releases", "model", "reading", "locate"},
    "lazy": {
        "handwritten", "inputs",
        "source", "diagnostics", "stats", "releases", "signatures", "artifacts", "output", "options", "pipeline",
        "locate", "backends", "report",
    },
    "compare": {"source", "diagnostics", "syntax", "cpp", "output", "locate"},
    "report": {"source", "diagnostics", "releases", "compare"},
    "cli": {
        "source", "inputs", "diagnostics", "stats", "syntax", "releases", "model", "output", "options", "pipeline",
        "reading", "locate", "checking", "compare", "report", "artifacts", "backends", "handwritten", "kit", "lazy",
    },
    "__main__": {"cli"},
    "__init__": set(),
}  # fmt: skip


def part_of(module: str) -> str:
    """The part of the package that a dotted name belongs to."""
    pieces = module.split(".")
    return pieces[1] if len(pieces) > 1 else "__init__"


def imports(path: Path) -> set[str]:
    """The parts that a module imports, in functions and for type checking too."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "opwright":
            found |= {
                part_of(f"{node.module}.{alias.name}") if node.module == "opwright" else part_of(node.module)
                for alias in node.names
            }
        elif isinstance(node, ast.Import):
            found |= {part_of(alias.name) for alias in node.names if alias.name.split(".")[0] == "opwright"}
    return found - {"__init__", "__version__"}


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_imports_point_to_earlier_stages(path: Path) -> None:
    own = path.parts[0].removesuffix(".py")
    assert own in ALLOWED, f"{own} is not in the table of parts"
    assert imports(path) - {own, "values", "memo"} <= ALLOWED[own]


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_only_the_command_line_prints_or_exits(path: Path) -> None:
    if path.parts[0] in ("cli", "__main__.py"):
        return
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("print", "exit", "quit", "input"), f"line {node.lineno}"


def test_one_module_imports_the_yaml_library() -> None:
    importers = [
        path.as_posix()
        for path in MODULES
        if any(
            (isinstance(node, ast.Import) and any(alias.name.split(".")[0] == "yaml" for alias in node.names))
            or (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "yaml")
            for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
        )
    ]
    assert importers == ["syntax/yaml_library.py"]
