"""PyTorch between 2.0 and 2.1, as the difference to 2.0: checkouts of that time have no release's rules."""

from __future__ import annotations

from opwright.releases.v2_0 import RELEASE as PREVIOUS
from opwright.values import replace

RELEASE = replace(
    PREVIOUS,
    name="2.1.0a0",
    marks=(),
    lists=replace(
        PREVIOUS.lists,
        not_functionalized=PREVIOUS.lists.not_functionalized | {"resize_as_", "_fill_mem_eff_dropout_mask_"},
    ),
    functionalization=replace(PREVIOUS.functionalization, xla_updates="each"),
)
