"""What is reported of a small native functions file or tags file.

In: YAML text. Out: for each diagnostic its code and the text that it underlines, in the order in which they are shown.
"""

from __future__ import annotations

from pathlib import Path

from opwright.diagnostics import Diagnostics
from opwright.locate import SAMPLE
from opwright.model.catalog import read_catalog
from opwright.model.context import Context
from opwright.model.tags import read_tags_file
from opwright.reading import derive, read_tags
from opwright.releases import find_release
from opwright.source import Source
from opwright.syntax.yaml_reading import read_yaml

Faults = list[tuple[str, str]]


def native_faults(text: str, release: str = "2.13", *, flags: tuple[str, ...] = (), tags: bool = True) -> Faults:
    """The faults of a native functions file; `tags` says whether those of the sample are defined."""
    found = find_release(release)
    assert found is not None
    context = Context(found, Diagnostics(), flags=frozenset(flags))
    if tags:
        context.defined_tags = read_tags(Path(SAMPLE) / "native" / "tags.yaml", context)
    source = Source("example.yaml", text)
    root = read_yaml(source, context.faults)
    if root is not None:
        derive(read_catalog(root, source, context), context)
    return underlined(context.faults)


def tags_faults(text: str) -> Faults:
    """The faults of a tags file."""
    release = find_release("2.13")
    assert release is not None
    context = Context(release, Diagnostics())
    source = Source("tags.yaml", text)
    root = read_yaml(source, context.faults)
    if root is not None:
        read_tags_file(root, source, context)
    return underlined(context.faults)


def underlined(faults: Diagnostics) -> Faults:
    """Code and underlined text of each diagnostic."""
    return [(item.code, item.place.text if item.place else "") for item in faults.in_order()]
