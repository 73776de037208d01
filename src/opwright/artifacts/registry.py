"""The artifacts in the order in which they are made. A new artifact is a module beside this one and a row here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from opwright.artifacts import (
    aoti,
    backend_select,
    composites,
    declarations,
    functionalization,
    functions,
    kernels,
    key_functions,
    meta,
    native_aot,
    operators,
    register_key,
    register_whole_key,
    registries,
    schemas,
    tensor,
    ufunc,
    view_meta,
    vmap,
)
from opwright.artifacts.emission import Emission, Planned
from opwright.releases.release import Release
from opwright.values import Value


class Artifact(Value):
    """A family of files: its name, the step of `--generate` it belongs to, what makes it, which releases have it."""

    name: str
    step: str
    make: Callable[[Emission], Iterator[Planned]]
    is_in: Callable[[Release], bool] = lambda _: True


def _has_block_per_group(release: Release) -> bool:
    return release.kernels.block_per_group


def _has_block_per_key(release: Release) -> bool:
    return not release.kernels.block_per_group


def _has_view_classes(release: Release) -> bool:
    return release.functionalization.view_classes


def _has_native_aot(release: Release) -> bool:
    return release.native_aot


ARTIFACTS: tuple[Artifact, ...] = (
    Artifact("registrations", "sources", register_key.register_keys, _has_block_per_group),
    Artifact("registrations", "sources", register_whole_key.register_whole_keys, _has_block_per_key),
    Artifact("backend selection", "sources", backend_select.backend_select),
    Artifact("functionalization", "sources", functionalization.functionalization),
    Artifact("composite kernels", "sources", composites.composite_kernels),
    Artifact("view metadata", "sources", view_meta.view_meta_source, _has_view_classes),
    Artifact("view metadata header", "sources", view_meta.view_meta_header, _has_view_classes),
    Artifact("view inverses", "sources", view_meta.functional_inverses),
    Artifact("view metadata binding", "view_meta_binding", view_meta.python_binding, _has_view_classes),
    Artifact("ufuncs", "sources", ufunc.ufuncs),
    Artifact("register schema", "sources", schemas.register_schema),
    Artifact("operators", "sources", operators.sources),
    Artifact("functions source", "sources", functions.functions_source),
    Artifact("tensor methods", "sources", tensor.tensor_methods),
    Artifact("operator list", "sources", registries.operator_list),
    Artifact("AOT-inductor shims", "sources", aoti.shims),
    Artifact("native AOT stubs", "sources", native_aot.stubs_source, _has_native_aot),
    Artifact("operator headers", "headers", operators.headers),
    Artifact("operator headers by root", "headers", operators.per_operator_headers),
    Artifact("functions header", "headers", functions.functions_header),
    Artifact("function headers by root", "headers", functions.per_operator_headers),
    Artifact("tensor body", "headers", tensor.tensor_body),
    Artifact("redispatch functions", "headers", functions.redispatch_header),
    Artifact("registration declarations", "headers", registries.registration_declarations),
    Artifact("interned strings", "headers", registries.interned_strings),
    Artifact("kernels", "headers", kernels.native_functions),
    Artifact("kernels by root", "headers", kernels.per_operator_headers),
    Artifact("meta classes", "headers", meta.native_meta_functions),
    Artifact("meta classes by root", "headers", meta.per_operator_headers),
    Artifact("functions of dispatch keys", "headers", key_functions.key_headers),
    Artifact("vmap plumbing", "headers", vmap.vmap_plumbing),
    Artifact("native AOT stubs header", "headers", native_aot.stubs_header, _has_native_aot),
    Artifact("tags", "headers", registries.tag_enumeration),
    Artifact("declarations", "declarations_yaml", declarations.declarations_yaml),
)
