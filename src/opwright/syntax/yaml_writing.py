"""Scalars as YAML, in block context, as PyYAML writes them.

write_scalar("Tensor self")  ->  Tensor self
write_scalar("{}")  ->  '{}'
"""

from __future__ import annotations

import re
from functools import lru_cache

from opwright.syntax.yamltree import resolve

#: Text that needs no quotes, apart from what the two tests in `write_scalar` look for.
_UNQUOTED = re.compile(r"(?:[A-Za-z_]|::)[\w .,;:()\[\]{}<>&*=|?!+/'\"\\-]*(?<![ :])", re.ASCII)

#: Text that needs quotes and no escapes.
_QUOTED = re.compile(r"""(?:[{"\[][ -~]*)?""")

_NUMBERS = {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}


def write_scalar(text: str) -> str:
    """A string as a YAML scalar that reads back as that string: quoted only when it must be."""
    if _UNQUOTED.fullmatch(text) and ": " not in text and ("(" in text or resolve(text) == "str"):
        return text
    if _QUOTED.fullmatch(text):
        return "'" + text.replace("'", "''") + "'"
    return _dumped(text)


def write_number(value: int | float) -> str:
    """A number as a YAML scalar."""
    text = repr(value)
    if "e" in text and "." not in text:  # YAML 1.1 wants a point
        return text.replace("e", ".0e")
    return _NUMBERS.get(text, text)


@lru_cache(maxsize=4096)  # the same few texts come again and again
def _dumped(text: str) -> str:
    from opwright.syntax.yaml_library import dumped

    return dumped(text)
