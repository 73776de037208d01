"""PyTorch 2.14, as the difference to 2.13."""

from __future__ import annotations

from opwright.releases.devices import changed
from opwright.releases.marks import gone_text
from opwright.releases.v2_13 import RELEASE as PREVIOUS
from opwright.values import replace

XPU_KEYS = ("XPU", "SparseXPU", "SparseCsrXPU", "NestedTensorXPU")

KEYS = replace(
    PREVIOUS.key_facts,
    flags={**PREVIOUS.key_facts.flags, **dict.fromkeys(XPU_KEYS, "xpu")},
    devices=changed(PREVIOUS.key_facts.devices, ["XPU"], class_api="TORCH_API"),
)

RELEASE = replace(
    PREVIOUS,
    name="2.14",
    marks=(gone_text("TensorBody.h", "is_variable()"),),
    key_facts=KEYS,
    functionalization=replace(PREVIOUS.functionalization, owning_views=True),
)
