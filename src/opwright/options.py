"""What a generation run is asked for, as a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opwright.releases.devices import SHIM_SWITCHES
from opwright.values import Value, field_names

if TYPE_CHECKING:
    from opwright.model.aoti import ShimList
    from opwright.model.selection import Selection
    from opwright.releases.release import DispatchKey

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
    `update_shims` writes their headers, and `extend_shims` gives them the form for code outside PyTorch.
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
    extend_shims: bool = False

    def is_on(self, key: DispatchKey) -> bool:
        """Whether files are made for a dispatch key."""
        if key.flag and key.flag not in kept_devices(self.devices, self.update_shims):
            return False
        return self.backends is None or key.is_composite or key in self.backends

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
        default = GenOptions()
        changed = [name for name in field_names(GenOptions) if getattr(self, name) != getattr(default, name)]
        return {name: _plain(getattr(self, name)) for name in changed if name != "steps"}


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
        path = f"{self.include_folder}/{header}" if self.include_folder else header
        return f"#include <{path}>" if self.in_angles else f'#include "{path}"'

    def described(self) -> dict[str, bool | str]:
        """The options that are not as they are by default, as plain data."""
        default = StubOptions()
        return {
            name: getattr(self, name)
            for name in field_names(StubOptions)
            if getattr(self, name) != getattr(default, name)
        }


def kept_devices(devices: frozenset[str], update_shims: bool) -> frozenset[str]:
    """The devices whose kernels count: those whose switches are on, and with `update_shims` all that have shims."""
    return devices | SHIM_SWITCHES if update_shims else devices


def _plain(value: object) -> bool | list[str]:
    """A switch as it is, a collection as sorted names, anything else as being there."""
    if isinstance(value, (frozenset, tuple)):
        return sorted(map(str, value))
    return bool(value)
