"""PyTorch 2.13, as the difference to 2.1, the release known before it."""

from __future__ import annotations

from pathlib import Path

from opwright.releases import v2_0, v2_1
from opwright.releases.keys import key_names, key_table
from opwright.releases.release import Spelling
from opwright.values import replace

BASE_TYPES = (
    *(name for name in v2_1.BASE_TYPES if name not in ("Dimname", "ConstQuantizerPtr")),
    "SymBool",
    "GraphModule",
)
KEY_SINGLES = (
    v2_1.KEY_SINGLES.replace("ORT", "MAIA")
    + " SparseCsr NestedTensor Dense PythonTLSSnapshot PreDispatch PythonDispatcher Conjugate Negative AutocastCPU "
    "AutocastCUDA AutocastXPU BatchedNestedTensor"
)
KEY_PREFIXES = ("", "Quantized", "Sparse", "SparseCsr", "NestedTensor", "Autograd")
SUPPORTED = (
    "CPU", "SparseCPU", "SparseCsrCPU", "MkldnnCPU", "CUDA", "MPS", "XPU", "SparseXPU", "SparseCsrXPU", "SparseCUDA",
    "SparseCsrCUDA", "SparseMPS", "SparseCsrMPS", "QuantizedCPU", "QuantizedCUDA", "CompositeImplicitAutograd",
    "CompositeImplicitAutogradNestedTensor", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional",
    "NestedTensorCPU", "NestedTensorCUDA", "NestedTensorXPU", "NestedTensorHPU", "Meta", "SparseMeta",
    "SparseCsrMeta", "QuantizedMeta", "NestedTensorMeta", "ZeroTensor", "MTIA",
)  # fmt: skip
STRUCTURED = (*v2_0.STRUCTURED, "XPU", "MTIA")
WITH_FUNCTIONS = (*v2_0.WITH_FUNCTIONS, "SparseMPS", "SparseCsrMPS", "XPU", "MTIA")
FLAGS = {"MPS": "mps", "SparseMPS": "mps", "SparseCsrMPS": "mps", "XPU": "xpu", "MTIA": "mtia"}

LISTS = replace(
    v2_1.LISTS,
    functional_without_out=v2_1.LISTS.functional_without_out
    | {
        "_assert_tensor_metadata", "_cslt_sparse_mm_search", "_assert_scalar", "_use_miopen_ctc_loss",
        "_use_miopen_ctc_loss.Tensor", "_print", "_sink_tokens", "_nested_get_ragged_idx",
    },
    not_functionalized=v2_1.LISTS.not_functionalized | {"_flash_attention_forward_no_dropout_inplace"},
    functionalized_by_hand=frozenset({"lift", "lift_fresh", "resize_", "set_.source_Tensor"}),
    dtype_of_out=frozenset({"cumsum.out", "cumprod.out"}),
    batched_despite_returns=frozenset(
        {
            "_scaled_dot_product_flash_attention", "_scaled_dot_product_cudnn_attention",
            "_scaled_dot_product_flash_attention_quantized",
        }
    ),
    inplace_view_exempt_bases=frozenset({"set_"}),
    generated_despite_view=frozenset({"set_"}),
    keyword_arguments=frozenset(
        {("_has_compatible_shallow_copy_type", "from"), ("random_.from", "from"), ("uniform_", "from")}
    ),
    unused_autogen=v2_1.LISTS.unused_autogen - {"upsample_bilinear2d.vec_out", "upsample_nearest2d.vec_out"}
    | {"_upsample_lanczos2d_aa.vec_out"},
)  # fmt: skip

SPELLING = Spelling(
    optional="::std::optional",
    make_optional="::std::make_optional",
    nullopt="::std::nullopt",
    contiguous_format="c10::MemoryFormat::Contiguous",
    opt_type_meta="c10::optTypeMetaToScalarType",
    guard_int="guard_int(__FILE__, __LINE__)",
    is_same="std::is_same_v<T, {}>",
    common_device="std::optional<Device> common_device = std::nullopt",
    library_end="}",
    silenced_helpers=True,
    constexpr_members=True,
    pooled_tags=True,
    qualified_declarations=True,
)

LAZY = replace(
    v2_1.LAZY,
    node_headers=(
        "ATen/core/Formatting.h", "c10/core/ScalarType.h", "torch/csrc/lazy/core/hash.h", "torch/csrc/lazy/core/ir.h",
        "torch/csrc/lazy/core/shape.h", "optional", "vector",
    ),
    node_text="std::move(ss).str()",
    meta_options="tensor.scalar_type(), tensor.layout(), c10::Device(c10::kMeta), std::nullopt",
    holds_generators=True,
)  # fmt: skip

V2_13 = replace(
    v2_1.V2_1,
    name="2.13",
    base_types=BASE_TYPES,
    keys=key_table(key_names(KEY_SINGLES, KEY_PREFIXES, v2_1.BACKENDS), SUPPORTED, STRUCTURED, WITH_FUNCTIONS, FLAGS),
    supported=SUPPORTED,
    scalar_types=(*v2_1.V2_1.scalar_types, "Float8_e5m2fnuz", "Float8_e4m3fnuz", "Float8_e8m0fnu"),
    spelling=SPELLING,
    lazy=LAZY,
    lists=LISTS,
    implied_tags=frozenset({"pt2_compliant_tag", "out", "inplace"}),
    inherited_tags=frozenset({"nondeterministic_seeded", "view_copy", "pt2_compliant_tag"}),
    tags_generated_out=True,
    mutable_is_base=True,
    core_is_generated=True,
    has_scatter_views=True,
    returns_optional_tensor=True,
    refuses_python_keywords=True,
    refuses_const_ref_out=True,
    cpp_types={"DeviceIndex": "at::DeviceIndex", "SymBool": "c10::SymBool"},
    header_only_tags=True,
    joined_lists=False,
    has_kernel_files=True,
    shim_list=Path(__file__).parent / "data" / "aoti_2_13.yaml",
)
