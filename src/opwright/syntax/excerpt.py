"""Excerpts: the entries of an operators file that somebody needs, without the work of reading the others.

In: the text of a file, and which operators are wanted. Out: a text of the same length, in which all other entries are
blank, so that places in it are places in the file.

    excerpt("- func: a() -> ()\\n- func: b() -> ()\\n", lambda name: name == "b", "XLA")
        ->  "                  \\n- func: b() -> ()\\n"
"""

from __future__ import annotations

import re
from collections.abc import Callable

#: What entries start with in every release's file.
_ENTRY = re.compile(r"^- func: *(?:\w+::)*([\w.]+)\(", re.MULTILINE)
_ITEM = re.compile(r"^-", re.MULTILINE)


def excerpt(text: str, is_wanted: Callable[[str], bool], *keys: str) -> str | None:
    """The wanted entries, by the names of their operators, and those that mention one of the dispatch `keys`.

    None for a file in which entries look otherwise than in PyTorch's own, so that they cannot be told apart unread.
    """
    heads = list(_ENTRY.finditer(text))
    if not heads or len(heads) != len(_ITEM.findall(text)):
        return None
    mentioned = re.compile(rf"^ [^#\n]*\b(?:{'|'.join(map(re.escape, keys))})\b", re.MULTILINE) if keys else None
    ends = [*(head.start() for head in heads[1:]), len(text)]
    pieces = [_blank(text[: heads[0].start()])]
    for head, end in zip(heads, ends, strict=True):
        entry = text[head.start() : end]
        is_kept = is_wanted(head.group(1)) or (mentioned is not None and mentioned.search(entry))
        pieces.append(entry if is_kept else _blank(entry))
    return "".join(pieces)


def _blank(text: str) -> str:
    """White space of the same length, which ends as the text does."""
    return " " * (len(text) - 1) + "\n" if text.endswith("\n") else " " * len(text)
