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
    operators,
    register_key,
    registries,
    schemas,
    tensor,
    ufunc,
    view_meta,
    vmap,
)
from opwright.artifacts.emission import Emission, Planned
from opwright.values import Value


class Artifact(Value):
    """A family of files: its name, the step of `--generate` it belongs to, and what makes it.

    Those `around_kernels` are made for releases that describe them (`Release.has_kernel_files`).
    """

    name: str
    step: str
    make: Callable[[Emission], Iterator[Planned]]
    around_kernels: bool = False


ARTIFACTS: tuple[Artifact, ...] = (
    Artifact("registrations", "sources", register_key.register_keys, around_kernels=True),
    Artifact("backend selection", "sources", backend_select.backend_select, around_kernels=True),
    Artifact("functionalization", "sources", functionalization.functionalization, around_kernels=True),
    Artifact("composite kernels", "sources", composites.composite_kernels, around_kernels=True),
    Artifact("view metadata", "sources", view_meta.view_meta_source, around_kernels=True),
    Artifact("view metadata header", "sources", view_meta.view_meta_header, around_kernels=True),
    Artifact("view inverses", "sources", view_meta.functional_inverses, around_kernels=True),
    Artifact("view metadata binding", "view_meta_binding", view_meta.python_binding, around_kernels=True),
    Artifact("ufuncs", "sources", ufunc.ufuncs, around_kernels=True),
    Artifact("register schema", "sources", schemas.register_schema),
    Artifact("operators", "sources", operators.sources),
    Artifact("functions source", "sources", functions.functions_source),
    Artifact("tensor methods", "sources", tensor.tensor_methods),
    Artifact("operator list", "sources", registries.operator_list),
    Artifact("AOT-inductor shims", "sources", aoti.shims, around_kernels=True),
    Artifact("operator headers", "headers", operators.headers),
    Artifact("operator headers by root", "headers", operators.per_operator_headers),
    Artifact("functions header", "headers", functions.functions_header),
    Artifact("function headers by root", "headers", functions.per_operator_headers),
    Artifact("tensor body", "headers", tensor.tensor_body),
    Artifact("redispatch functions", "headers", functions.redispatch_header),
    Artifact("registration declarations", "headers", registries.registration_declarations),
    Artifact("interned strings", "headers", registries.interned_strings),
    Artifact("kernels", "headers", kernels.native_functions, around_kernels=True),
    Artifact("kernels by root", "headers", kernels.per_operator_headers, around_kernels=True),
    Artifact("meta classes", "headers", meta.native_meta_functions, around_kernels=True),
    Artifact("meta classes by root", "headers", meta.per_operator_headers, around_kernels=True),
    Artifact("functions of dispatch keys", "headers", key_functions.key_headers, around_kernels=True),
    Artifact("vmap plumbing", "headers", vmap.vmap_plumbing, around_kernels=True),
    Artifact("tags", "headers", registries.tag_enumeration),
    Artifact("declarations", "declarations_yaml", declarations.declarations_yaml),
)
