"""PyTorch 2.7, as the difference to 2.6."""

from __future__ import annotations

from opwright.releases.keys import after
from opwright.releases.marks import template_text
from opwright.releases.v2_6 import RELEASE as PREVIOUS
from opwright.values import replace

SHIMS = replace(
    PREVIOUS.shims,
    resolves_tensors=True,
    optional_returns=(*PREVIOUS.shims.optional_returns, "_scaled_dot_product_fused_attention_overrideable"),
)

RELEASE = replace(
    PREVIOUS,
    name="2.7",
    marks=(template_text("RegisterDispatchKey.cpp", "dispatch_helpers", is_strict=True),),
    key_facts=replace(PREVIOUS.key_facts, supported=after(PREVIOUS.key_facts.supported, "SparseXPU", "SparseCsrXPU")),
    scalar_types=(*PREVIOUS.scalar_types, "Float8_e8m0fnu"),
    spelling=replace(PREVIOUS.spelling, qualified_declarations=True),
    kernels=replace(PREVIOUS.kernels, block_per_group=True),
    functionalization=replace(PREVIOUS.functionalization, meta_switch=True),
    refuses_const_ref_out=True,
    shims=SHIMS,
)
