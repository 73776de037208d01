"""What the C++ of a dispatch key's kernels needs: headers, guards, and how outputs are made.

In: the name of a key. Out: its `Device`; a key without a row has none of these.

Rules: spec 08 sections 6.1 and 9.
"""

from __future__ import annotations

from collections.abc import Iterable

from opwright.values import Value, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Device(Value):
    """The device behind a dispatch key.

    `empty` and `empty_strided` are the functions that make outputs, and `options` what they are given; without them, no
    output can be made under the key. `empty_header` declares them; without it, the functions of the operators do.
    `headers` are those of the device itself; `hip_empty_header` and `hip_headers` take their place for ROCm. `checks`
    says that tensors must be on one device, which the wrapper switches to; `lazy_init` is the call of the context that
    initializes the device before a factory runs. `guard` is the type of the guard that a structured kernel holds, which
    `sets_guard` says it sets, and `hip_guard` takes its place for ROCm. `api` is the export macro of kernels, and
    `class_api` that of kernel classes. `has_shim` says that compiled models call its kernels through C functions.
    """

    empty: str = ""
    empty_strided: str = ""
    options: str = "options"
    empty_header: str = ""
    hip_empty_header: str = ""
    headers: tuple[str, ...] = ()
    hip_headers: tuple[str, ...] = ()
    checks: bool = False
    lazy_init: str = ""
    guard: str = ""
    hip_guard: str = ""
    sets_guard: bool = False
    api: str = "TORCH_API"
    class_api: str = "TORCH_API"
    has_shim: bool = False
    #: The list that the files of the key belong to, and the switch without which they stay in the general one.
    family: str = "general"
    family_flag: str = ""
    #: How many files the registrations are spread over.
    shards: int = 1
    #: Whether the registrations have the functions that make and check outputs.
    has_helpers: bool = True


class FromMeta(Value):
    """How structured operators get kernels under a key without writing any: by their meta functions.

    The classes of these kernels are called after `suffix`. With `calls_out` they compute by calling the out variant,
    which has no such kernel then; without, only the shape is computed. With `has_stubs`, other in-place operators get
    kernels too, which return their argument.
    """

    suffix: str
    calls_out: bool = False
    has_stubs: bool = False


#: The keys under which structured operators get kernels by their meta functions.
FROM_META = {
    "Meta": FromMeta("meta", has_stubs=True),
    "CompositeExplicitAutogradNonFunctional": FromMeta("default_backend", calls_out=True),
}

#: A key without a device, and one that no operator has a kernel for.
NO_DEVICE = Device()

ANY_GUARD = "c10::OptionalDeviceGuard"

#: The device of a backend outside PyTorch, and what it is with structured kernels, whose outputs the backend's own
#: kernels for `empty` and `empty_strided` make.
OUTSIDE = Device(api="", class_api="")
OUTSIDE_STRUCTURED = Device("at::empty", "at::empty_strided", guard=ANY_GUARD, sets_guard=True, api="", class_api="")


def factory(key: str) -> tuple[str, str]:
    """The functions that make tensors of a device by its key."""
    return f"at::detail::empty_{key}", f"at::detail::empty_strided_{key}"


CUDA_LIKE = Device(
    headers=(
        "c10/cuda/CUDAGuard.h",
        "ATen/cuda/ATenCUDAGeneral.h",
        "ATen/cuda/CUDADevice.h",
        "ATen/cuda/CUDAContext.h",
    ),
    hip_headers=(
        "ATen/hip/impl/HIPGuardImplMasqueradingAsCUDA.h",
        "ATen/hip/ATenHIPGeneral.h",
        "ATen/hip/HIPDevice.h",
        "ATen/hip/HIPContext.h",
    ),
    checks=True,
    lazy_init="lazyInitCUDA()",
    family="cuda",
)
#: The keys of devices that are CUDA's, besides its own and those whose kernels make outputs.
CUDA_FAMILY = ("CUDA", "QuantizedCUDA", "SparseCUDA", "SparseCsrCUDA", "NestedTensorCUDA", "AutogradCUDA")

#: The devices of the oldest release known.
FIRST_DEVICES: dict[str, Device] = {
    "CPU": Device(*factory("cpu"), empty_header="ATen/EmptyTensor.h", shards=4),
    "MPS": Device(*factory("mps"), empty_header="ATen/mps/EmptyTensor.h", guard=ANY_GUARD, sets_guard=True),
    "Meta": Device(
        *factory("meta"),
        options="options.device(at::kMeta)",
        empty_header="ATen/EmptyTensor.h",
    ),
    "CompositeExplicitAutogradNonFunctional": Device(
        "at::empty", "at::empty_strided", guard=ANY_GUARD, sets_guard=True
    ),
    "CompositeImplicitAutogradNestedTensor": Device(has_helpers=False),
    "QuantizedCPU": Device("at::empty", "at::empty_strided"),
    **dict.fromkeys(CUDA_FAMILY, CUDA_LIKE),
    "CUDA": replace(
        CUDA_LIKE,
        empty="at::detail::empty_cuda",
        empty_strided="at::detail::empty_strided_cuda",
        empty_header="ATen/cuda/EmptyTensor.h",
        hip_empty_header="ATen/hip/EmptyTensor.h",
        guard="c10::cuda::OptionalCUDAGuard",
        hip_guard="c10::hip::OptionalHIPGuardMasqueradingAsCUDA",
        sets_guard=True,
    ),
    "QuantizedCUDA": replace(CUDA_LIKE, empty="at::empty", empty_strided="at::empty_strided"),
}


def changed(devices: dict[str, Device], names: Iterable[str], **changes: Any) -> dict[str, Device]:
    """The table of devices with other contents of some fields for the keys `names`, of which some may be new."""
    return {**devices, **{name: replace(devices.get(name, NO_DEVICE), **changes) for name in names}}
