"""PyTorch 2.15, as the difference to 2.14."""

from __future__ import annotations

from opwright.releases.devices import CUDA_FAMILY, changed
from opwright.releases.marks import template
from opwright.releases.v2_5 import XPU_FAMILY
from opwright.releases.v2_14 import RELEASE as PREVIOUS
from opwright.values import replace

DEVICES = changed(PREVIOUS.key_facts.devices, CUDA_FAMILY, api="TORCH_CUDA_CPP_API", class_api="TORCH_CUDA_CPP_API")

LISTS = replace(
    PREVIOUS.lists,
    not_functionalized=PREVIOUS.lists.not_functionalized | {"_cudnn_attention_forward_no_dropout_inplace"},
    kernels_for_cpu=frozenset(
        "count_nonzero_cuda log_sigmoid_backward_cuda log_sigmoid_backward_cuda_out triton_multi_head_attention "
        "NestedTensor_softmax_dropout_cuda masked_fill__quantized_cuda _index_put_impl_quantized_cuda_".split()
    ),
    deterministic_parts=("_philox_",),
)

RELEASE = replace(
    PREVIOUS,
    name="2.15",
    marks=(template("NativeAotStubs.h"),),
    key_facts=replace(
        PREVIOUS.key_facts, devices=changed(DEVICES, XPU_FAMILY, api="TORCH_XPU_API", class_api="TORCH_XPU_API")
    ),
    kernels=replace(PREVIOUS.kernels, merged_exports=True),
    functionalization=replace(PREVIOUS.functionalization, replays_single_outputs=True),
    lists=LISTS,
    native_aot=True,
)
