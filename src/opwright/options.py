"""What a generation run is asked for, as a value."""

from __future__ import annotations

import os

from opwright.values import Value, changed_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright.model.aot_stubs import AotStub
    from opwright.model.aoti import ShimList
    from opwright.model.model import Group
    from opwright.model.selection import Selection
    from opwright.releases.keys import DispatchKey

#: The kinds of files that a run makes unless it is told otherwise, and those that are made only when they are named.
STEPS = ("headers", "sources", "declarations_yaml")
FURTHER_STEPS = ("view_meta_binding",)


class GenOptions(Value):
    """The options of `opwright gen` that decide about the content of files.

    `steps` are the kinds of files to make; `everything` adds the umbrella copies of sharded files; `torchgen_compat`
    reproduces torchgen where its output is wrong. `devices` are the device switches that are on (`mps`, `xpu`, `mtia`),
    `backends` restricts the dispatch keys to these and the composite ones, None does not, and `static_dispatch` are
    those that operators call without the dispatcher. `rocm` chooses HIP headers. `selection` is what to register, None
    for all operators; `registrations` says whether anything is registered, and `all_schemas` whether schemas are
    despite a selection. `shims` are the operators that the AOT-inductor shims offer, None makes no shims;
    `update_shims` writes their headers, with the kernels of `shim_devices` as if their switches were on, and
    `extend_shims` gives them the form for code outside PyTorch. `aot_stubs` are the stubs that structured operators ask
    for kernels that were compiled ahead of time.
    """

    per_operator_headers: bool = False
    steps: frozenset[str] = frozenset(STEPS)
    everything: bool = False
    torchgen_compat: bool = False
    devices: frozenset[str] = frozenset()
    backends: frozenset[DispatchKey] | None = None
    static_dispatch: tuple[DispatchKey, ...] = ()
    rocm: bool = False
    selection: Selection | None = None
    registrations: bool = True
    all_schemas: bool = False
    shims: ShimList | None = None
    update_shims: bool = False
    shim_devices: frozenset[str] = frozenset()
    extend_shims: bool = False
    aot_stubs: tuple[AotStub, ...] = ()

    @property
    def kept_devices(self) -> frozenset[str]:
        """The devices whose kernels count."""
        return self.devices | self.shim_devices

    def is_kept(self, key: DispatchKey) -> bool:
        """Whether the kernels under a dispatch key count."""
        return not key.flag or key.flag in self.kept_devices

    def aot_stub(self, group: Group, key: DispatchKey) -> AotStub | None:
        """The stub that a group asks under a dispatch key, if there is one."""
        return next((stub for stub in self.aot_stubs if stub.group is group and stub.key is key), None)

    def is_on(self, key: DispatchKey) -> bool:
        """Whether files are made for a dispatch key."""
        return self.is_kept(key) and (self.backends is None or key.is_composite or key in self.backends)

    def has_functions(self, key: DispatchKey) -> bool:
        """Whether the kernels of a dispatch key get C++ functions of their own."""
        return self.is_on(key) and (key.has_functions or key in self.static_dispatch)

    @property
    def selects_everything(self) -> bool:
        """Whether all operators are registered."""
        return self.selection is None or self.selection.selects_everything

    def is_selected(self, name: str) -> bool:
        """Whether the operator of this name, `aten::add.Tensor`, is registered."""
        return self.selection is None or self.selection.is_selected(name)

    def described(self) -> dict[str, bool | list[str]]:
        """The options that are not as they are by default, as plain data; `steps` aside, and a selection just named."""
        changed = changed_fields(self, GenOptions())
        return {name: _plain(value) for name, value in changed.items() if name not in ("steps", "shim_devices")}


class StubOptions(Value):
    """The options of `opwright backend` that decide about the content of files.

    `include_folder` is what stands before the names of generated headers in an `#include`, which is in angle brackets
    with `in_angles`. With `lean`, files include only what they use. `deferred` names the function that registers the
    kernels when it is called; without it they are registered when the library is loaded.
    """

    include_folder: str = ""
    in_angles: bool = False
    lean: bool = False
    deferred: str = ""

    def include(self, header: str) -> str:
        """The line that includes a generated header."""
        folder = self.include_folder.replace(os.sep, "/")
        path = f"{folder}/{header}" if folder else header
        return f"#include <{path}>" if self.in_angles else f'#include "{path}"'

    def described(self) -> dict[str, bool | str]:
        """The options that are not as they are by default, as plain data."""
        return changed_fields(self, StubOptions())


class LazyOptions(Value):
    """The options of `opwright lazy` that decide about the content of files: C++ names, mostly, and headers.

    The names are those of torchgen's run_gen_lazy_tensor. An empty header is not included.

    - `backend_name` is part of the name of the function that registers the kernels.
    - `node_base` (from `node_base_hdr`) is the base class of nodes, `lazy_value_class` that of what they compute, and
      with `use_lazy_shape` their constructors take shapes.
    - `tensor_class_hdr` declares the lazy tensors to which `lazy_tensor_ptr` points; `tensor_class` itself appears
      nowhere, as with torchgen. `shape_inference_hdr` declares the shape functions.
    - `get_device_fn` finds the device of arguments. In `backend_namespace`, `get_tensor_or_wrap_number`,
      `try_get_tensor` and `get_tensorlist` find the lazy tensors of arguments, and `create_tensor` makes one; with
      `create_from_first_tensor` it is a method of the first argument that is a tensor.
      `create_aten_from_ltc_tensor` and `tuple_aten_from_ltc_tensors` make results of lazy tensors.
    - `metrics_counter` is the statement that counts calls. With `gen_forced_fallback_code` kernels ask first whether
      the operator has to run eagerly.
    - `build_in_tree` writes the include of the kernels' header for a build inside PyTorch, and `per_operator_headers`
      includes single headers in registrations.
    """

    backend_name: str = "TorchScript"
    node_base: str = "Node"
    node_base_hdr: str = ""
    shape_inference_hdr: str = "torch/csrc/lazy/core/shape_inference.h"
    tensor_class: str = "torch::lazy::LazyTensor"
    tensor_class_hdr: str = "torch/csrc/lazy/core/tensor.h"
    build_in_tree: bool = False
    per_operator_headers: bool = False
    gen_forced_fallback_code: bool = False
    use_lazy_shape: bool = True
    backend_namespace: str = "torch::lazy"
    get_tensorlist: str = "GetTensorList"
    get_tensor_or_wrap_number: str = "GetLtcTensorOrCreateForWrappedNumber"
    try_get_tensor: str = "TryGetLtcTensor"
    metrics_counter: str = 'TORCH_LAZY_FN_COUNTER("lazy::")'
    create_tensor: str = "LazyTensor::Create"
    create_from_first_tensor: bool = False
    create_aten_from_ltc_tensor: str = "torch::lazy::CreateAtenFromLtcTensor"
    tuple_aten_from_ltc_tensors: str = "torch::lazy::TupleAtenFromLtcTensors"
    lazy_value_class: str = "torch::lazy::Value"
    lazy_tensor_ptr: str = "LazyTensorPtr"
    get_device_fn: str = "torch::lazy::GetBackendDevice"

    def described(self) -> dict[str, bool | str]:
        """The options that are not as they are by default, as plain data."""
        return changed_fields(self, LazyOptions())


def _plain(value: object) -> bool | list[str]:
    """A switch as it is, a collection as sorted names, anything else as being there."""
    if isinstance(value, (frozenset, tuple)):
        return sorted(map(str, value))
    return bool(value)
