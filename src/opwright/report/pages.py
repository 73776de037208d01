"""The pages of the diagnostic codes.

In: a code. Out: the Markdown page that explains it, from the reference manual.

    page("yaml-syntax")  ->  "# yaml-syntax\\n\\nThe file is not ..."
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_CODE = re.compile(r"[a-z0-9-]+")
#: A table of contents of the manual may lie among the pages.
_NOT_CODES = frozenset({"index"})


def page(code: str) -> str | None:
    """The page of `code`, or None when there is none.

    Only names that are listed are opened, so a `code` that is a path or a name that the system reserves is harmless.
    """
    if code not in codes():
        return None
    return (_folder() / f"{code}.md").read_text(encoding="utf-8")


@cache
def codes() -> tuple[str, ...]:
    """All codes that have a page, sorted. The folder is read once in a run."""
    folder = _folder()
    names = (path.stem for path in folder.glob("*.md")) if folder.is_dir() else ()
    return tuple(sorted(name for name in names if _CODE.fullmatch(name) and name not in _NOT_CODES))


def summary(markdown: str) -> str:
    """The first paragraph of a page below its heading, as one line."""
    paragraphs = (paragraph for paragraph in markdown.split("\n\n") if not paragraph.lstrip().startswith("#"))
    return " ".join(next(paragraphs, "").split())


def _folder() -> Path:
    """Where the pages lie: next to this module in an installed package, in the manual in a checkout."""
    here = Path(__file__).resolve().parent
    installed = here / "pages"
    return installed if installed.is_dir() else here.parents[2] / "docs" / "reference" / "diagnostics"
