"""Namespace blocks.

In: a namespace and the texts that go into it. Out: the texts in one block for each of its levels.

    block("at::native", ["int a;"])  ->  namespace at { namespace native { int a; } }
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache


@cache
def opening(namespace: str) -> str:
    """The lines that open a namespace."""
    return "".join([f"namespace {level} {{\n" for level in namespace.split("::")])


@cache
def closing(namespace: str) -> str:
    """The lines that close a namespace."""
    return "".join([f"}} // namespace {level}\n" for level in reversed(namespace.split("::"))])


def block(namespace: str, texts: Iterable[str]) -> str:
    """The texts inside a namespace; of texts that are the same, the first."""
    return opening(namespace) + "\n".join(dict.fromkeys(texts)) + "\n" + closing(namespace)
