"""PyTorch 2.15, as the difference to 2.14."""

from __future__ import annotations

from opwright.releases.v2_14 import RELEASE as PREVIOUS
from opwright.values import replace

RELEASE = replace(
    PREVIOUS,
    name="2.15",
    functionalization=replace(PREVIOUS.functionalization, replays_single_outputs=True),
    lists=replace(
        PREVIOUS.lists,
        not_functionalized=PREVIOUS.lists.not_functionalized | {"_cudnn_attention_forward_no_dropout_inplace"},
        deterministic_parts=("_philox_",),
    ),
    native_aot=True,
)
