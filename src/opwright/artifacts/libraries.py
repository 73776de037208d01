"""Blocks that register kernels with the dispatcher, one for each namespace of operators.

In: lines, each with the namespace of its operator. Out: blocks.

    aten, "m.impl(...);"  ->  TORCH_LIBRARY_IMPL(aten, CPU, m) { m.impl(...); }
"""

from __future__ import annotations

from collections.abc import Iterable

ATEN = "aten"


def lines_by_namespace(lines: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Lines that come with their namespaces, by namespace in order of first appearance."""
    found: dict[str, list[str]] = {}
    for namespace, line in lines:
        found.setdefault(namespace, []).append(line)
    return found


def library_block(namespace: str, key: str, lines: Iterable[str], end: str) -> str:
    """The block that registers kernels under a key for the operators of one namespace; older releases end it `};`."""
    body = "\n".join(lines)
    return f"TORCH_LIBRARY_IMPL({namespace}, {key}, m) {{\n{body}\n{end}\n"


def beside_aten(lines: Iterable[tuple[str, str]], key: str, end: str) -> tuple[list[str], list[str]]:
    """The lines for `aten`, whose block stands in a template, and the blocks for all other namespaces."""
    found = lines_by_namespace(lines)
    aten = found.pop(ATEN, [])
    return aten, [library_block(namespace, key, own, end) for namespace, own in found.items()]
