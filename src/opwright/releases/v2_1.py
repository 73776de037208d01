"""PyTorch 2.1, as the difference to 2.0."""

from __future__ import annotations

from opwright.releases import v2_0
from opwright.releases.keys import key_names, key_table
from opwright.values import replace

BASE_TYPES = (*v2_0.BASE_TYPES, "DeviceIndex")
KEY_SINGLES = (
    v2_0.KEY_SINGLES + " FuncTorchGradWrapper FuncTorchBatched FuncTorchVmapMode FuncTorchBatchedDecomposition"
)
BACKENDS = v2_0.BACKENDS.replace("XLA ", "XLA MTIA ")

LISTS = replace(
    v2_0.LISTS,
    functional_without_out=v2_0.LISTS.functional_without_out - {"_nested_tensor_offsets"}
    | {"_assert_async.msg", "sym_constrain_range", "sym_constrain_range_for_size", "_nested_tensor_storage_offsets"},
    not_functionalized=v2_0.LISTS.not_functionalized | {"resize_as_", "_fill_mem_eff_dropout_mask_"},
    resizing=frozenset({"resize_", "resize_as_"}),
    inplace_view_exempt=frozenset({"resize_", "resize_as_"}),
    unused_autogen=v2_0.LISTS.unused_autogen - {"_scaled_dot_product_attention.out"},
)

LAZY = replace(v2_0.LAZY, tests_keyword_values=True)

V2_1 = replace(
    v2_0.V2_0,
    name="2.1",
    base_types=BASE_TYPES,
    keys=key_table(
        key_names(KEY_SINGLES, v2_0.KEY_PREFIXES, BACKENDS),
        v2_0.SUPPORTED,
        v2_0.STRUCTURED,
        v2_0.WITH_FUNCTIONS,
        v2_0.FLAGS,
    ),
    scalar_types=(*v2_0.V2_0.scalar_types, "Float8_e5m2", "Float8_e4m3fn"),
    lazy=LAZY,
    lists=LISTS,
    symint_returns=False,
    dropout_arguments=True,
    copies_lists_back=True,
    declares_deferred=True,
    cpp_types={**v2_0.V2_0.cpp_types, "DeviceIndex": "at::DeviceIndex"},
    unordered_files=frozenset(),
)
