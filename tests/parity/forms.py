"""Digests of generated files that are equal when the files say the same.

In: the name and the content of a file. Out: a few hexadecimal digits.

    file_digest("f.h", b"int  f( ) ; // comment") == file_digest("f.h", b"int f();")

Files are compared as `opwright.compare.differences` does: C++ by tokens, `Declarations.yaml` as data, and
`RegistrationDeclarations.h` by lines. What was seen before, be it a file, a line or an entry, costs next to nothing:
files of one release and of its neighbors have most of their text in common.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache

from opwright.compare.differences import DECLARATIONS_YAML, REGISTRATION_DECLARATIONS, data_lines
from opwright.cpp.tokens import code_lines, sorted_braces, tokenize
from opwright.diagnostics import Diagnostics
from opwright.source import Source
from opwright.syntax.yaml_library import constructed
from opwright.syntax.yaml_reading import read_yaml
from opwright.syntax.yamltree import Mapping, Node, Scalar

#: Five bytes tell all files of all releases apart, and a changed file from its old self all the more.
DIGITS = 10
SEPARATOR = "\0"
_ENTRY = re.compile(r"^(?=- )", re.MULTILINE)

_digests: dict[tuple[str, bytes, bool], str] = {}


def file_digest(name: str, content: bytes, *, braces_as_sets: bool = False) -> str:
    """The digest of a file; with `braces_as_sets`, the order of the items in innermost braces does not count."""
    kind = name if name in (DECLARATIONS_YAML, REGISTRATION_DECLARATIONS) else ""
    key = kind, hashlib.sha256(content).digest(), braces_as_sets
    if key not in _digests:
        form = SEPARATOR.join(_form(kind, content.decode("utf-8", "surrogateescape"), braces_as_sets))
        _digests[key] = hashlib.sha256(form.encode("utf-8", "surrogateescape")).hexdigest()[:DIGITS]
    return _digests[key]


def _form(kind: str, text: str, braces_as_sets: bool) -> list[str]:
    """The pieces of a text that count."""
    if kind == DECLARATIONS_YAML:
        return [_entry_form(entry) for entry in _ENTRY.split(text)]
    if kind == REGISTRATION_DECLARATIONS:
        return [line.text for line in data_lines(text)]
    return sorted_braces(tokenize(text)) if braces_as_sets else token_form(text)


class _Tokens(dict[str, str]):
    """The tokens of lines of code, each made when it is asked for first."""

    def __missing__(self, line: str) -> str:
        self[line] = SEPARATOR.join(tokenize(line))
        return self[line]


_tokens = _Tokens()


def token_form(text: str) -> list[str]:
    """The tokens of a C++ text; those of a line in one piece, where lines can be looked at one by one."""
    lines = code_lines(text)
    return tokenize(text) if lines is None else list(filter(None, map(_tokens.__getitem__, lines)))


@cache
def _entry_form(entry: str) -> str:
    """What an entry of a list in YAML says."""
    faults = Diagnostics()
    root = read_yaml(Source(DECLARATIONS_YAML, entry), faults)
    assert not faults.items, f"not YAML: {entry}"
    return repr(_plain(root) if root is not None else None)


def _plain(node: Node) -> object:
    """A YAML value as lists and pairs; the type of a scalar and the order of keys count."""
    if isinstance(node, Scalar):
        return node.kind, constructed(node)
    if isinstance(node, Mapping):
        return [(key, _plain(value)) for key, (_, value) in node.fields.items()]
    return [_plain(item) for item in node.items]
