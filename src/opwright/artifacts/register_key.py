"""Register<Key>_N.cpp: the wrappers of a dispatch key's kernels, and their registration.

Since 2.7; `register_whole_key` makes the file of older releases.

In: what is wrapped under a key. Out: for each group a block with wrapper classes and functions, their registrations,
and the functions of the key.

Rules: spec 08 section 9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.helpers import helper_functions
from opwright.artifacts.includes import device_includes, dispatch_include, function_include, native_include
from opwright.artifacts.libraries import library_block
from opwright.artifacts.native_aot import stub_includes
from opwright.artifacts.structured_wrappers import structured_kernel, structured_wrapper
from opwright.artifacts.wrapped import WrappedGroup, WrappedKey, root_of
from opwright.artifacts.wrappers import Wrapper, plain_wrapper, registrations
from opwright.cpp.namespaces import closing, opening
from opwright.memo import Memo
from opwright.model.model import Group
from opwright.options import GenOptions
from opwright.output.template import Template
from opwright.releases.keys import DispatchKey

TEMPLATE = "RegisterDispatchKey.cpp"
DEFINITIONS = "RegisterDispatchDefinitions.ini"

#: Operators whose headers outputs need under a key without a device of its own.
_OUTPUT_HEADERS = ("empty", "empty_strided", "_copy_from_and_resize", "_copy_from")


def register_keys(emission: Emission) -> Iterator[Planned]:
    """The registrations of every key."""
    for key in emission.keys:
        wrapped = emission.kernels.under(key)
        items = [(group.root, group) for group in wrapped.groups if group.members]
        yield from emission.sharded(
            f"Register{key.name}.cpp",
            key.device.shards,
            items,
            partial(_block, wrapped, emission, Memo(partial(_frame, key, emission))),
            partial(_values, cache(partial(shared_values, wrapped, emission))),
            TEMPLATE,
            family=emission.family(key.device),
        )


def _values(shared: Callable[[], Values], blocks: list[str]) -> Values:
    return {**shared(), "dispatch_definitions": blocks}


def shared_values(wrapped: WrappedKey, emission: Emission) -> dict[str, str | Sequence[str]]:
    """What a file of a key has besides its wrappers."""
    return {
        "extra_cuda_headers": device_includes(wrapped.key.device, rocm=emission.options.rocm),
        "external_backend_headers": "",
        "dispatch_headers": dispatch_headers(wrapped, emission),
        "ops_headers": _ops_headers(wrapped, emission),
        "dispatch_helpers": helper_functions(wrapped, emission.model.release) if wrapped.key.device.has_helpers else "",
    }


# Includes


def dispatch_headers(wrapped: WrappedKey, emission: Emission) -> list[str]:
    """The includes of kernels and of what makes outputs."""
    per_operator = emission.options.per_operator_headers
    lines = [native_include("as_strided") if per_operator else "#include <ATen/NativeFunctions.h>"]
    device = wrapped.device
    header = (emission.options.rocm and device.hip_empty_header) or device.empty_header
    if header:
        lines.append(f"#include <{header}>")
    elif per_operator:
        lines += [function_include(root) for root in _OUTPUT_HEADERS]
    else:
        lines.append("#include <ATen/Functions.h>")
    lines += stub_includes(wrapped.key, emission)
    return lines + ["#include <c10/macros/Macros.h>"] * emission.model.release.spelling.silenced_helpers


def _ops_headers(wrapped: WrappedKey, emission: Emission) -> list[str]:
    has_functions = emission.options.has_functions(wrapped.key)
    if not emission.options.per_operator_headers:
        lines = ["#include <ATen/NativeFunctions.h>"]
        lines += ["#include <ATen/Functions.h>"] * wrapped.calls_out
        return lines + [f"#include <ATen/{wrapped.key.name}Functions.h>"] * has_functions
    lines = []
    roots = _registered_roots(wrapped, emission)
    # torchgen includes the headers of all roots, also those that it does not make: of kernels registered by hand.
    made = roots if emission.options.torchgen_compat else {group.root for group in wrapped.groups if group.members}
    for root in roots:
        lines.append(native_include(root))
        if wrapped.calls_out:
            lines.append(function_include(root))
        if has_functions and root in made:
            lines.append(dispatch_include(root, wrapped.key))
    return sorted(lines)


def _registered_roots(wrapped: WrappedKey, emission: Emission) -> set[str]:
    """The roots of groups with kernels under a key, or with structured ones that are made of meta functions."""
    roots = {operator.name.root for operator in wrapped.kernels}
    if wrapped.key.from_meta is not None:
        for item in emission.model.groups:
            if item.is_structured if isinstance(item, Group) else item.structured:
                roots.add(root_of(item))
    return roots


# Definitions


def _block(wrapped: WrappedKey, emission: Emission, frames: Mapping[str, Template | None], group: WrappedGroup) -> str:
    """The wrappers of one group, whose members are all in one namespace."""
    wrappers = group_wrappers(group, wrapped, emission)
    selected, registered = selected_wrappers(wrappers, emission.options), ""
    if selected:
        namespace, end = selected[0].operator.namespace, emission.model.release.spelling.library_end
        registered = library_block(namespace, wrapped.key.name, registrations(selected), end)
    return definitions(frames[group.namespace], wrappers, registered, emission)


def wrapper_namespace(kernels: str) -> str:
    """The namespace of wrappers, which is around that of the kernels."""
    return kernels.removesuffix("::native")


def _frame(key: DispatchKey, emission: Emission, kernels: str) -> Template | None:
    return frame(key, emission, wrapper_namespace(kernels))


def frame(key: DispatchKey, emission: Emission, namespace: str, helpers: str = "") -> Template | None:
    """What is around the wrappers that belong in a namespace; older templates have `helpers` there too."""
    values = {
        "ns_prologue": opening(namespace),
        "ns_epilogue": closing(namespace),
        "dispatch_helpers": helpers,
        "deferred_dispatch_registrations": "",
        "dispatch_namespace": key.lower,
    }
    return emission.bound(DEFINITIONS, values)


def definitions(frame: Template | None, wrappers: list[Wrapper], registered: str, emission: Emission) -> str:
    """The block with wrappers and the lines that register them, in its frame."""
    values = {
        "dispatch_anonymous_definitions": "".join([wrapper.anonymous for wrapper in wrappers]),
        "static_init_dispatch_registrations": registered,
        "dispatch_namespaced_definitions": "".join([wrapper.namespaced for wrapper in wrappers]),
    }
    return emission.fragment(frame, values)


def group_wrappers(group: WrappedGroup, wrapped: WrappedKey, emission: Emission) -> list[Wrapper]:
    """The wrappers of the members of a group."""
    item = group.item
    if group.is_structured and isinstance(item, Group):
        structured = structured_kernel(item, wrapped, emission)
        return [structured_wrapper(member, item, structured, wrapped, emission) for member in group.members]
    return [plain_wrapper(member, wrapped, emission) for member in group.members]


def selected_wrappers(wrappers: list[Wrapper], options: GenOptions) -> list[Wrapper]:
    """The wrappers that are registered."""
    if not options.registrations:
        return []
    if options.selects_everything:
        return wrappers
    return [wrapper for wrapper in wrappers if options.is_selected(wrapper.operator.full_name)]
