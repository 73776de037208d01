"""PyTorch 2.6, as the difference to 2.5."""

from __future__ import annotations

from opwright.releases.devices import CUDA_FAMILY, changed
from opwright.releases.keys import after
from opwright.releases.marks import tag
from opwright.releases.v2_5 import RELEASE as PREVIOUS
from opwright.releases.v2_5 import XPU_FAMILY
from opwright.values import replace

DEVICES = changed(PREVIOUS.key_facts.devices, CUDA_FAMILY, lazy_init="lazyInitDevice(c10::DeviceType::CUDA)")
DEVICES = changed(DEVICES, XPU_FAMILY, family="xpu", family_flag="xpu")

KEYS = replace(
    PREVIOUS.key_facts,
    supported=after(after(PREVIOUS.key_facts.supported, "XPU", "SparseXPU"), "NestedTensorCUDA", "NestedTensorXPU"),
    with_functions=(*PREVIOUS.key_facts.with_functions, "XPU"),
    flags={**PREVIOUS.key_facts.flags, "XPU": "xpu"},
    devices=changed(DEVICES, ["XPU"], sets_guard=True, class_api="TORCH_XPU_API", has_shim=True),
)

SPELLING = replace(
    PREVIOUS.spelling, is_same="std::is_same_v<T, {}>", library_end="}", constexpr_members=True, stub_end=""
)

LISTS = replace(
    PREVIOUS.lists,
    functional_without_out=PREVIOUS.lists.functional_without_out | {"_assert_tensor_metadata"},
    keyword_arguments=frozenset(
        {("_has_compatible_shallow_copy_type", "from"), ("random_.from", "from"), ("uniform_", "from")}
    ),
    unused_autogen=PREVIOUS.lists.unused_autogen
    - {"avg_pool1d.out", "adaptive_avg_pool1d.out", "upsample_bilinear2d.vec_out", "upsample_nearest2d.vec_out"},
)

RELEASE = replace(
    PREVIOUS,
    name="2.6",
    marks=(tag("maybe_aliasing_or_mutating"),),
    base_types=tuple(name for name in PREVIOUS.base_types if name != "ConstQuantizerPtr"),
    schema_only=PREVIOUS.schema_only - {"ConstQuantizerPtr"},
    key_facts=KEYS,
    spelling=SPELLING,
    lazy=replace(
        PREVIOUS.lazy,
        meta_options="tensor.scalar_type(), tensor.layout(), c10::Device(c10::kMeta), std::nullopt",
    ),
    lists=LISTS,
    mutable_is_base=True,
    core_is_generated=True,
    refuses_python_keywords=True,
    shims=replace(PREVIOUS.shims, has_extensions=True),
)
