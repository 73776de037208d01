"""PyTorch 2.0: the oldest release known, and so the one that is written out in full."""

from __future__ import annotations

from opwright.releases.devices import FIRST_DEVICES
from opwright.releases.keys import COMPOSITE_EXPLICIT, COMPOSITE_EXPLICIT_NON_FUNCTIONAL, KeyFacts
from opwright.releases.release import (
    FunctionalizationFacts,
    KernelFacts,
    LazyFacts,
    OperatorLists,
    Release,
    ShimFacts,
    Spelling,
)

KEYS = KeyFacts(
    singles=tuple(
        "Undefined FPGA ORT Vulkan Metal MKLDNN OpenGL OpenCL IDEEP CustomRNGKeyId MkldnnCPU Sparse SparseCsrCPU "
        "SparseCsrCUDA Python FuncTorchDynamicLayerBackMode ZeroTensor BackendSelect Named AutogradOther "
        "AutogradFunctionality AutogradNestedTensor Tracer Autocast Batched VmapMode FuncTorchDynamicLayerFrontMode "
        "Functionalize TESTING_ONLY_GenericWrapper TESTING_ONLY_GenericMode ADInplaceOrView Autograd "
        "CompositeImplicitAutograd CompositeImplicitAutogradNestedTensor CompositeExplicitAutograd "
        "CompositeExplicitAutogradNonFunctional".split()
    ),
    prefixes=("", "Quantized", "Sparse", "NestedTensor", "Autograd"),
    backends=tuple("CPU CUDA HIP XLA MPS IPU XPU HPU VE Lazy Meta PrivateUse1 PrivateUse2 PrivateUse3".split()),
    supported=(
        "CPU", "SparseCPU", "SparseCsrCPU", "MkldnnCPU", "CUDA", "MPS", "SparseCUDA", "SparseCsrCUDA", "QuantizedCPU",
        "QuantizedCUDA", "CompositeImplicitAutograd", "CompositeImplicitAutogradNestedTensor",
        "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional", "NestedTensorCPU", "NestedTensorCUDA",
        "Meta", "SparseMeta", "QuantizedMeta", "NestedTensorMeta", "ZeroTensor",
    ),
    structured=("CPU", "CUDA", "MPS"),
    with_functions=(
        "CPU", "CUDA", "CompositeImplicitAutograd", "CompositeImplicitAutogradNestedTensor",
        "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional", "Meta", "MPS",
    ),
    flags={"MPS": "mps"},
    devices=FIRST_DEVICES,
    shim_flags=frozenset(),
)  # fmt: skip

LISTS = OperatorLists(
    lone_out=frozenset({"adaptive_avg_pool3d_backward.grad_input", "_slow_conv2d_backward.grad_input"}),
    mutable_without_out=frozenset({"_cummax_helper", "_cummin_helper"}),
    functional_without_out=frozenset(
        "_assert_async _dimI _dimV _has_same_storage_numel _linalg_check_errors _local_scalar_dense "
        "_nested_tensor_from_mask_left_aligned _nnz _use_cudnn_ctc_loss _use_cudnn_ctc_loss.Tensor "
        "_validate_compressed_sparse_indices allclose dense_dim equal is_coalesced is_pinned is_same_size is_set_to "
        "q_per_channel_axis q_scale q_zero_point qscheme record_stream sparse_dim _nested_tensor_offsets "
        "_chunk_grad_outputs_efficient_attention _fused_sdp_choice".split()
    ),
    ungrouped_inplace=frozenset({"polygamma_"}),
    not_functionalized=frozenset(
        "adaptive_avg_pool3d_backward.grad_input _slow_conv2d_backward.grad_input _cummax_helper _cummin_helper "
        "polygamma_ record_stream resize_".split()
    ),
    functionalized_by_hand=frozenset({"lift", "lift_fresh", "resize_"}),
    dtype_of_out=frozenset(),
    batched_despite_returns=frozenset(),
    resizing=frozenset({"resize_"}),
    inplace_view_exempt=frozenset({"resize_"}),
    inplace_view_exempt_bases=frozenset(),
    generated_despite_view=frozenset(),
    kernels_for_cpu=frozenset(),
    deterministic_parts=(),
    keyword_arguments=frozenset(),
    unused_autogen=frozenset(
        "prelu.out scaled_dot_product_attention.out _scaled_dot_product_attention.out upsample_linear1d.vec_out "
        "upsample_bilinear2d.vec_out _upsample_bilinear2d_aa.vec_out upsample_trilinear3d.vec_out "
        "upsample_bicubic2d.vec_out _upsample_bicubic2d_aa.vec_out upsample_nearest1d.vec_out "
        "_upsample_nearest_exact1d.vec_out upsample_nearest2d.vec_out _upsample_nearest_exact2d.vec_out "
        "upsample_nearest3d.vec_out _upsample_nearest_exact3d.vec_out".split()
    ),
)

SPELLING = Spelling(
    optional="c10::optional",
    make_optional="c10::make_optional",
    nullopt="c10::nullopt",
    contiguous_format="MemoryFormat::Contiguous",
    opt_type_meta="optTypeMetaToScalarType",
    guard_int="expect_int()",
    is_same="std::is_same<T, {}>::value",
    common_device="c10::optional<Device> common_device = nullopt",
    library_end="};",
    silenced_helpers=False,
    constexpr_members=False,
    stub_end=";",
    pooled_tags=False,
    qualified_declarations=False,
)

KERNELS = KernelFacts(
    block_per_group=False,
    owned_outputs=True,
    named_outputs=True,
    includes_kernels=False,
    merged_exports=False,
    structured_bindings=False,
)

FUNCTIONALIZATION = FunctionalizationFacts(
    view_classes=False,
    view_facts=(),
    tells_symbolic_inputs=False,
    inverse_modes=False,
    composites="all",
    xla_updates="",
    meta_switch=False,
    plain_call_end=";",
    owning_views=False,
    replays_single_outputs=False,
)

LAZY = LazyFacts(
    node_headers=(
        "ATen/core/Formatting.h", "c10/core/ScalarType.h", "c10/util/Optional.h", "torch/csrc/lazy/core/hash.h",
        "torch/csrc/lazy/core/ir.h", "torch/csrc/lazy/core/shape.h", "vector",
    ),
    node_text="ss.str()",
    meta_options="c10::make_optional(tensor.scalar_type()), c10::make_optional(tensor.layout()), "
    "c10::make_optional(c10::Device(c10::kMeta)), c10::nullopt",
    holds_generators=False,
    tests_keyword_values=False,
)  # fmt: skip

# Those of the first release that has shims.
SHIMS = ShimFacts(
    listed=None,
    headers=(
        "torch/csrc/inductor/aoti_torch/tensor_converter.h",
        "torch/csrc/inductor/aoti_torch/utils.h",
        "{}",
    ),
    fallbacks=(COMPOSITE_EXPLICIT, COMPOSITE_EXPLICIT_NON_FUNCTIONAL),
    optional_returns=("_scaled_dot_product_flash_attention",),
    formless=frozenset({"Generator"}),
    string="c10::string_view",
    calls_delegates=False,
    inplace_results=True,
    resolves_tensors=False,
    doubled_semicolons=True,
    passes_defaults=False,
    guards_declarations=False,
    heeds_whitelist=True,
    has_aten=False,
    compares_headers=False,
    has_extensions=False,
)

RELEASE = Release(
    name="2.0",
    marks=(),
    base_types=tuple(
        "Generator ScalarType Tensor int Dimname DimVector float str bool Layout Device Scalar MemoryFormat QScheme "
        "Storage Stream SymInt ConstQuantizerPtr".split()
    ),
    key_facts=KEYS,
    key_aliases={"CatchAll": "Undefined"},
    scalar_types=tuple(
        "Byte Char Short Int Long Half Float Double ComplexHalf ComplexFloat ComplexDouble Bool BFloat16".split()
    ),
    spelling=SPELLING,
    kernels=KERNELS,
    functionalization=FUNCTIONALIZATION,
    lazy=LAZY,
    lists=LISTS,
    implied_tags=frozenset(),
    inherited_tags=frozenset({"nondeterministic_seeded", "view_copy"}),
    tags_generated_out=False,
    mutable_is_base=False,
    core_is_generated=False,
    has_scatter_views=False,
    symint_returns=True,
    returns_optional_tensor=False,
    dropout_arguments=False,
    copies_lists_back=False,
    declares_deferred=False,
    refuses_python_keywords=False,
    refuses_const_ref_out=False,
    schema_only=frozenset({"ConstQuantizerPtr"}),
    cpp_types={"Dimname": "at::Dimname"},
    header_only_tags=False,
    joined_lists=True,
    shims=SHIMS,
    native_aot=False,
    unordered_files=frozenset({"RegisterSchema.cpp"}),
)
