"""Lists of the files of a run, as build systems want them.

In: files, with the name that each has in a list. Out: the names by family, and texts: the dependency lists of `-o`, and
what `--print-outputs` prints.

    {"general": ["out/Functions.h"], "core": [], ...}  ->  "set(\\ngenerated\\n    \\"out/Functions.h\\"\\n)"

Rules: spec 09 section 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from opwright.output.tree import Output

#: The families that have a dependency list in every run; that of `xpu` comes with its switch.
LISTED = ("general", "cpu_vec", "core", "ops", "cuda")

#: Every family in the order of `--print-outputs`. Umbrella copies are not for compiling, so they stand apart.
FAMILIES = ("general", "core", "ops", "cpu_vec", "cuda", "xpu", "header-only", "aoti", "umbrella")

#: The forms of `--print-outputs`.
FORMS = ("lines", "json", "cmake")

Groups = Mapping[str, Sequence[str]]


def group(files: Iterable[Output], names: Iterable[str]) -> Groups:
    """The names of `files` by family, each family sorted folder by folder."""
    groups: dict[str, list[str]] = {family: [] for family in FAMILIES}
    for file, name in zip(files, names, strict=True):
        groups["umbrella" if file.is_umbrella else file.family].append(name)
    return {family: sorted(group, key=_parts) for family, group in groups.items()}


def _parts(name: str) -> list[str]:
    return name.split("/")


def dependency_lists(target: Path, groups: Groups, families: Iterable[str], *, joined: bool) -> list[tuple[Path, str]]:
    """The dependency lists beside `target`, each with its text: a CMake command that sets a variable to the names.

    File and variable are named after `target`, with the family in front: `ops_generated.cmake` sets `ops_generated`.
    `joined` chooses the form of older releases.
    """
    target = target.resolve()
    text = _joined if joined else _spread
    lists = []
    for family in families:
        prefix = "" if family == "general" else f"{family}_"
        lists.append((target.with_name(prefix + target.name), text(prefix + target.stem, groups[family])))
    return lists


def _spread(variable: str, names: Iterable[str]) -> str:
    return "\n".join(["set(", variable, *[f'    "{name}"' for name in names], ")"])


def _joined(variable: str, names: Iterable[str]) -> str:
    quoted = "\n    ".join([f'"{name}"' for name in sorted(names)])
    return f"set({variable}\n    {quoted})"


def outputs_text(groups: Groups, form: str) -> str:
    """All names in one of `FORMS`: a line for each, a JSON object of families, or a CMake variable for each family."""
    if form == "lines":
        return "".join([f"{name}\n" for name in sorted(chain(*groups.values()), key=_parts)])
    if form == "json":
        from json import dumps

        return dumps(groups, indent=2, ensure_ascii=False) + "\n"
    return "".join([_cmake_set(f"opwright_{family.replace('-', '_')}", names) for family, names in groups.items()])


def _cmake_set(variable: str, names: Iterable[str]) -> str:
    return "".join([f"set({variable}", *[f'\n    "{_cmake_escaped(name)}"' for name in names], ")\n"])


def _cmake_escaped(name: str) -> str:
    # `;` would separate the elements of a list, the others have a meaning inside quotes.
    for special in '\\"$;':
        name = name.replace(special, "\\" + special)
    return name
