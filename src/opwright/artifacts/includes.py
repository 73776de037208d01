"""The lines that include what is generated for a root name in the per-operator mode, and what a device needs.

In: a root name, or a device. Out: one `#include`, or a list of them.

    ops_include("add")  ->  #include <ATen/ops/add_ops.h>
"""

from __future__ import annotations

from opwright.releases.devices import Device
from opwright.releases.keys import DispatchKey


def function_include(root: str) -> str:
    """The public functions."""
    return f"#include <ATen/ops/{root}.h>"


def ops_include(root: str) -> str:
    """The operator structs."""
    return f"#include <ATen/ops/{root}_ops.h>"


def native_include(root: str) -> str:
    """The kernels."""
    return f"#include <ATen/ops/{root}_native.h>"


def kernel_and_ops_includes(root: str) -> str:
    """The kernels and the operator structs, in two lines."""
    return f"#include <ATen/ops/{root}_native.h>\n#include <ATen/ops/{root}_ops.h>"


def meta_include(root: str) -> str:
    """The meta classes."""
    return f"#include <ATen/ops/{root}_meta.h>"


def dispatch_include(root: str, key: DispatchKey) -> str:
    """The functions of a dispatch key."""
    return f"#include <ATen/ops/{root}_{key.lower}_dispatch.h>"


def device_includes(device: Device, *, rocm: bool) -> list[str]:
    """The headers of a device itself."""
    return [f"#include <{header}>" for header in (device.hip_headers if rocm else device.headers)]
