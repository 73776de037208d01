"""Reading YAML: operator files in a plain style line by line, and all others with the library.

read_yaml(Source("a.yaml", "- x: 1"), faults)  ->  Sequence(items=[Mapping(fields={'x': (Scalar 'x', Scalar '1')})])
"""

from __future__ import annotations

from opwright.diagnostics import Diagnostics
from opwright.source import Source
from opwright.syntax.yaml_plain import read_plain
from opwright.syntax.yamltree import Node


def read_yaml(source: Source, faults: Diagnostics, *, text: str | None = None) -> Node | None:
    """Read the single document of `source`, or of an excerpt of it, a `text` with the same places.

    Returns None when the text is no YAML (reported) or holds no document at all (not reported: an empty file may be
    fine for the caller).
    """
    text = source.text if text is None else text
    root = read_plain(source, text)
    if root is not None:
        return root
    # Its import takes as long as reading a thousand operators.
    from opwright.syntax.yaml_library import read_any

    return read_any(source, faults, text)
