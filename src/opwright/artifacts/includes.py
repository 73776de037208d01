"""The lines that include what is generated for a root name in the per-operator mode.

In: a root name. Out: one `#include`.

    ops_include("add")  ->  #include <ATen/ops/add_ops.h>
"""

from __future__ import annotations

from opwright.releases.release import DispatchKey


def function_include(root: str) -> str:
    """The public functions."""
    return f"#include <ATen/ops/{root}.h>"


def ops_include(root: str) -> str:
    """The operator structs."""
    return f"#include <ATen/ops/{root}_ops.h>"


def native_include(root: str) -> str:
    """The kernels."""
    return f"#include <ATen/ops/{root}_native.h>"


def meta_include(root: str) -> str:
    """The meta classes."""
    return f"#include <ATen/ops/{root}_meta.h>"


def dispatch_include(root: str, key: DispatchKey) -> str:
    """The functions of a dispatch key."""
    return f"#include <ATen/ops/{root}_{key.lower}_dispatch.h>"
