"""PyTorch 2.1, as the difference to 2.1.0a0."""

from __future__ import annotations

from opwright.releases.keys import after
from opwright.releases.marks import template_text
from opwright.releases.v2_1_0a0 import RELEASE as PREVIOUS
from opwright.values import replace

KEYS = replace(
    PREVIOUS.key_facts,
    singles=(
        *PREVIOUS.key_facts.singles,
        "FuncTorchGradWrapper", "FuncTorchBatched", "FuncTorchVmapMode", "FuncTorchBatchedDecomposition",
    ),
    backends=after(PREVIOUS.key_facts.backends, "XLA", "MTIA"),
)  # fmt: skip

LISTS = replace(
    PREVIOUS.lists,
    functional_without_out=PREVIOUS.lists.functional_without_out - {"_nested_tensor_offsets"}
    | {"_assert_async.msg", "sym_constrain_range", "sym_constrain_range_for_size", "_nested_tensor_storage_offsets"},
    resizing=frozenset({"resize_", "resize_as_"}),
    inplace_view_exempt=frozenset({"resize_", "resize_as_"}),
    unused_autogen=PREVIOUS.lists.unused_autogen - {"_scaled_dot_product_attention.out"},
)

RELEASE = replace(
    PREVIOUS,
    name="2.1",
    marks=(template_text("RegisterFunctionalization.cpp", "MemoryOverlap.h"),),
    base_types=(*PREVIOUS.base_types, "DeviceIndex"),
    key_facts=KEYS,
    scalar_types=(*PREVIOUS.scalar_types, "Float8_e5m2", "Float8_e4m3fn"),
    kernels=replace(PREVIOUS.kernels, owned_outputs=False),
    functionalization=replace(PREVIOUS.functionalization, composites="none"),
    lazy=replace(PREVIOUS.lazy, tests_keyword_values=True),
    lists=LISTS,
    symint_returns=False,
    dropout_arguments=True,
    copies_lists_back=True,
    declares_deferred=True,
    cpp_types={**PREVIOUS.cpp_types, "DeviceIndex": "at::DeviceIndex"},
    unordered_files=frozenset(),
)
