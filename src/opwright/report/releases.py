"""The releases that Opwright knows, as a table.

In: nothing but the data of the releases. Out: the table as aligned text, as Markdown, and as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from opwright.releases import NAMES, named_release
from opwright.releases.operators import native_functions_yaml
from opwright.releases.release import Release
from opwright.report.tables import table

FORMS = ("text", "markdown", "json")
HEAD = ("release", "operators", "device switches", "registrations", "metadata of views", "shims", "told by")

_FIRST, _UNMARKED = "the lack of all marks of later ones", "version.txt of a checkout"


def releases_table(form: str) -> str:
    """The table in one of `FORMS`."""
    rows = [row(named_release(name)) for name in NAMES]
    if form == "json":
        return json.dumps([dict(zip(HEAD, cells, strict=True)) for cells in rows], indent=2) + "\n"
    return _markdown(rows) if form == "markdown" else table(HEAD, rows, "left") + "\n"


def row(release: Release) -> tuple[str, ...]:
    """The cells of one release."""
    count = native_functions_yaml(release.name).count("- func:")
    switches = sorted(set(release.key_facts.flags.values()))
    shims = [key.lower for key in release.keys.values() if key.device.has_shim] + ["aten"] * release.shims.has_aten
    return (
        release.name,
        str(count),
        " ".join(f"--{switch}" for switch in switches),
        "a block for each group" if release.kernels.block_per_group else "one file for each key",
        _views(release),
        ", ".join(shims) or "none",
        "; ".join(map(str, release.marks)) or (_FIRST if release.name == NAMES[0] else _UNMARKED),
    )


def _views(release: Release) -> str:
    facts = release.functionalization
    if not facts.view_classes:
        return "lambdas"
    return "classes that own their tensors" if facts.owning_views else "classes"


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    lines = [HEAD, ["---"] * len(HEAD), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
