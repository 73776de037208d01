"""PyTorch 2.11, as the difference to 2.10."""

from __future__ import annotations

from opwright.releases.devices import CUDA_FAMILY, changed
from opwright.releases.marks import tag
from opwright.releases.v2_10 import RELEASE as PREVIOUS
from opwright.values import replace

CUDA = PREVIOUS.key_facts.devices["CUDA"]

DEVICES = changed(PREVIOUS.key_facts.devices, CUDA_FAMILY, hip_headers=("c10/hip/HIPGuard.h", *CUDA.hip_headers[1:]))

LISTS = replace(
    PREVIOUS.lists,
    functional_without_out=PREVIOUS.lists.functional_without_out
    | {"_use_miopen_ctc_loss", "_use_miopen_ctc_loss.Tensor"},
    batched_despite_returns=PREVIOUS.lists.batched_despite_returns | {"_scaled_dot_product_flash_attention_quantized"},
)

RELEASE = replace(
    PREVIOUS,
    name="2.11",
    marks=(tag("out_variant"),),
    key_facts=replace(PREVIOUS.key_facts, devices=changed(DEVICES, ["CUDA"], hip_guard=CUDA.guard)),
    lists=LISTS,
)
