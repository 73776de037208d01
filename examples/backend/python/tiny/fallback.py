"""Which operators run on the CPU for want of a kernel, how often, and which may.

torch.tiny.fallback.reset()
model(batch)
torch.tiny.fallback.counts()  ->  {"aten::gelu.out": 2, "aten::_log_softmax.out": 1}
"""

from __future__ import annotations

from collections.abc import Iterable

import torch


def counts() -> dict[str, int]:
    """How often each operator has run on the CPU, most often first."""
    return dict(sorted(torch.ops.tiny.fallback_counts().items(), key=lambda item: -item[1]))


def reset() -> None:
    """Start counting anew."""
    torch.ops.tiny.fallback_reset()


def allow(names: Iterable[str] | None) -> None:
    """Let only these operators run on the CPU; None lets all do so, as it is from the start.

    A name is that of an overload (`aten::add.out`), or of an operator with all its overloads (`aten::add`). Others
    raise NotImplementedError.
    """
    torch.ops.tiny.fallback_allow(None if names is None else list(names))


def deny(names: Iterable[str]) -> None:
    """Let these operators not run on the CPU, even if they are allowed; this replaces what was denied before."""
    torch.ops.tiny.fallback_deny(list(names))
