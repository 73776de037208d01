"""PyTorch 2.5, as the difference to 2.4."""

from __future__ import annotations

from opwright.releases.devices import ANY_GUARD, Device, changed, factory
from opwright.releases.keys import after
from opwright.releases.marks import tag
from opwright.releases.v2_4 import RELEASE as PREVIOUS
from opwright.values import replace

XPU_FAMILY = ("XPU", "QuantizedXPU", "SparseXPU", "SparseCsrXPU", "NestedTensorXPU", "AutogradXPU")

KEYS = replace(
    PREVIOUS.key_facts,
    supported=after(PREVIOUS.key_facts.supported, "MPS", "XPU"),
    structured=(*PREVIOUS.key_facts.structured, "XPU"),
    devices={
        **changed(PREVIOUS.key_facts.devices, XPU_FAMILY, checks=True),
        "XPU": Device(*factory("xpu"), empty_header="ATen/xpu/EmptyTensor.h", checks=True, guard=ANY_GUARD),
    },
)

LAZY = replace(
    PREVIOUS.lazy,
    node_headers=(
        "ATen/core/Formatting.h", "c10/core/ScalarType.h", "torch/csrc/lazy/core/hash.h", "torch/csrc/lazy/core/ir.h",
        "torch/csrc/lazy/core/shape.h", "optional", "vector",
    ),
)  # fmt: skip

RELEASE = replace(
    PREVIOUS,
    name="2.5",
    marks=(tag("flexible_layout"),),
    base_types=(*PREVIOUS.base_types, "SymBool", "GraphModule"),
    schema_only=PREVIOUS.schema_only | {"SymBool", "GraphModule"},
    key_facts=KEYS,
    spelling=replace(PREVIOUS.spelling, contiguous_format="c10::MemoryFormat::Contiguous", silenced_helpers=True),
    kernels=replace(PREVIOUS.kernels, includes_kernels=True, structured_bindings=True),
    functionalization=replace(PREVIOUS.functionalization, xla_updates="direct"),
    lazy=LAZY,
    lists=replace(
        PREVIOUS.lists,
        unused_autogen=PREVIOUS.lists.unused_autogen | {"avg_pool1d.out", "adaptive_avg_pool1d.out"},
        batched_despite_returns=frozenset(
            {"_scaled_dot_product_flash_attention", "_scaled_dot_product_cudnn_attention"}
        ),
    ),
    shims=replace(
        PREVIOUS.shims,
        optional_returns=(*PREVIOUS.shims.optional_returns, "_scaled_dot_product_cudnn_attention"),
    ),
)
