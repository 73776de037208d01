"""The first stages in order: text, syntax, catalog, model.

In: files. Out: a `Model`, or the parts of one that somebody needs, and diagnostics of everything that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable

from opwright.diagnostics import Diagnostics
from opwright.model.aoti import ShimList, every_operator, read_shim_list
from opwright.model.catalog import read_catalog
from opwright.model.context import Context, family_root
from opwright.model.expand import expand
from opwright.model.groups import group, group_views
from opwright.model.kernels import kernel_table
from opwright.model.model import Model, ViewGroup
from opwright.model.operators import Operator
from opwright.model.rules.late import check_late
from opwright.model.tags import read_tags_file
from opwright.releases.release import Release
from opwright.source import Source, Text, UnreadableError, read_source
from opwright.stats import Stats
from opwright.syntax.excerpt import excerpt
from opwright.syntax.names import read_name
from opwright.syntax.yaml_reading import read_yaml
from opwright.syntax.yamltree import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright.model.aot_stubs import AotStub


def read_model(
    native: Text,
    tags: Text | None,
    release: Release,
    faults: Diagnostics,
    flags: frozenset[str] = frozenset(),
    stats: Stats | None = None,
) -> Model | None:
    """Read a native functions file and its tags file, check them, and derive everything that follows.

    `flags` are the device switches that are on (`mps`, `xpu`, `mtia`). Returns None when a file could not be read; with
    errors in `faults`, the model lacks what they concern.
    """
    stats = stats or Stats()
    context = Context(release, faults, flags=flags)
    with stats.stage("read") as stage:
        if tags is not None:
            context.defined_tags = read_tags(tags, context)
        document = read_document(native, faults)
        if document is None:
            return None
        stage.size = len(document[1].text)
    with stats.stage("catalog"):
        operators = read_catalog(*document, context)
    with stats.stage("expand and group"):
        return derive(operators, context)


def read_families(
    native: Text, tags: Text, release: Release, faults: Diagnostics, names: Iterable[str], *keys: str
) -> Model | None:
    """The part of a model that has the families of the operators `names`, and what has kernels under the dispatch keys.

    A tenth of the work of reading all, for who needs few. None when it cannot be had, or not without faults.
    """
    roots = {family_root(read_name(name)) for name in names}
    context = Context(release, faults, flags=frozenset(key.flag for key in release.keys.values() if key.flag))
    context.defined_tags = read_tags(tags, context)
    try:
        source = read_source(native)
    except UnreadableError:
        return None
    text = excerpt(source.text, lambda name: family_root(read_name(name)) in roots, *keys)
    root = read_yaml(source, faults, text=text) if text is not None else None
    return derive(read_catalog(root, source, context), context) if root is not None else None


def derive(operators: tuple[Operator, ...], context: Context) -> Model:
    """Expand and group operators, and check what follows from the whole."""
    expansion = expand(operators, context)
    views = group_views(expansion, context)
    model = Model(
        release=context.release,
        tags=context.defined_tags,
        operators=expansion.operators,
        groups=group(expansion, context),
        views=views,
        view_groups=tuple([item for item in views if isinstance(item, ViewGroup)]),
        kernels=kernel_table(expansion.operators),
    )
    check_late(model, context)
    return model


def read_tags(path: Text, context: Context) -> frozenset[str]:
    """The tags that a tags file defines."""
    document = read_document(path, context.faults)
    return read_tags_file(*document, context) if document else frozenset()


def read_document(path: Text, faults: Diagnostics) -> tuple[Node, Source] | None:
    """The YAML document in a file and its source; None, with a diagnostic, when there is none."""
    try:
        source = read_source(path)
    except UnreadableError as error:
        faults.file_error("unreadable-file", error.message, error.path)
        return None
    before = len(faults.items)
    root = read_yaml(source, faults)
    if root is None and len(faults.items) == before:
        faults.file_error("empty-file", "there is nothing in this file", source.path)
    return None if root is None else (root, source)


def read_shims(path: Text | None, model: Model, faults: Diagnostics) -> ShimList | None:
    """The operators that the AOT-inductor shims offer: those of a list, or without `path` those of the release.

    A release without a list offers all but the pointwise ones. None for a release that has no shims, and when the list
    could not be read.
    """
    if not model.release.has_shims:
        return None
    found = path or model.release.shims.listed
    if found is None:
        return every_operator(model.operators)
    document = read_document(found, faults)
    if document is None:
        return None
    operators = {operator.full_name: operator for operator in model.operators}
    return read_shim_list(document[0], Context(model.release, faults), operators, is_partial=path is None)


def read_aot_stubs(
    modules: Iterable[Text], model: Model, flags: frozenset[str], faults: Diagnostics
) -> tuple[AotStub, ...]:
    """The stubs for kernels compiled ahead of time that Python modules declare; nothing in these is run.

    `flags` are the device switches that the model was read with.
    """
    from opwright.model.aot_stubs import find_stubs  # few runs have modules to read
    from opwright.model.native_aot import Declaration, read_declarations

    declarations: list[Declaration] = []
    for path in modules:
        try:
            declarations += read_declarations(read_source(path), faults)
        except UnreadableError as error:
            faults.file_error("unreadable-file", error.message, error.path)
    return find_stubs(declarations, model, Context(model.release, faults, flags=flags))
