"""Checking files of any kind.

In: paths. Out: diagnostics. Operators that a backend file, a selection or a list for shims names come from the source;
tags that a native functions file uses come from the tags file beside it, or else from the source.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from opwright.diagnostics import Diagnostics, Severity, did_you_mean
from opwright.locate import Located
from opwright.model.aoti import SECTIONS, read_shim_list
from opwright.model.backend import read_backend
from opwright.model.catalog import read_catalog
from opwright.model.context import Context
from opwright.model.model import Model
from opwright.model.selection import read_selection
from opwright.model.tags import read_tags_file
from opwright.reading import derive, read_document, read_model, read_tags
from opwright.source import Source, shown_path
from opwright.syntax import yamltree
from opwright.syntax.yamltree import Mapping, Node

#: Keys that tell a file's kind: of its entries when it is a list, of the whole when it is a mapping.
MARKS = {
    "native": frozenset({"func", "variants", "dispatch", "autogen", "structured", "structured_delegate"}),
    "tags": frozenset({"tag", "desc"}),
    "selection": frozenset(
        {
            "operators", "include_all_operators", "include_all_non_op_selectives", "kernel_metadata",
            "et_kernel_metadata", "custom_classes", "build_features", "debug_info",
        }
    ),
    "backend": frozenset(
        {
            "backend", "cpp_namespace", "supported", "autograd", "full_codegen", "class_name", "symint", "ir_gen",
            "non_native", "use_out_as_primary", "device_guard", "fallback", "headers",
        }
    ),
    "aoti": frozenset(SECTIONS),
}  # fmt: skip
LISTS = ("native", "tags")
#: As many entries of a list are looked at to find its kind.
FIRST = 100


def check_files(
    paths: Sequence[str],
    kind: str | None,
    located: Located,
    faults: Diagnostics,
    flags: frozenset[str] = frozenset(),
) -> None:
    """Check each file as what it is, or as the `kind` of `MARKS` that is given."""
    checker = _Checker(located, faults, flags)
    for path in paths:
        checker.check(path, kind)


class _Checker:
    """Checks files one after the other; the source's operators are read once, when a file first needs them."""

    def __init__(self, located: Located, faults: Diagnostics, flags: frozenset[str]) -> None:
        self.located = located
        self.faults = faults
        self.flags = flags
        self._model: Model | None = None
        self._is_model_read = False

    def check(self, path: str, kind: str | None) -> None:
        document = read_document(path, self.faults)
        if document is None:
            return
        root, source = document
        found = kind or find_kind(root)
        if found is None:
            unknown_kind(root, source, self.faults)
            return
        check: dict[str, Callable[[Node, Source], None]] = {
            "native": self.native,
            "tags": self.tags,
            "selection": self.selection,
            "backend": self.backend,
            "aoti": self.aoti,
        }
        check[found](root, source)

    def native(self, root: Node, source: Source) -> None:
        context = Context(self.located.release, self.faults, flags=self.flags)
        beside = Path(source.path).parent / "tags.yaml"
        context.defined_tags = read_tags(beside if beside.is_file() else self.located.tags, context)
        derive(read_catalog(root, source, context), context)

    def tags(self, root: Node, source: Source) -> None:
        read_tags_file(root, source, Context(self.located.release, self.faults))

    def selection(self, root: Node, source: Source) -> None:
        model = self.model()
        known = [operator.full_name for operator in model.operators] if model else None
        read_selection(root, Context(self.located.release, self.faults), known)

    def backend(self, root: Node, source: Source) -> None:
        read_backend(root, Context(self.located.release, self.faults), self.model())

    def aoti(self, root: Node, source: Source) -> None:
        model = self.model()
        known = {operator.full_name: operator for operator in model.operators} if model else None
        read_shim_list(root, Context(self.located.release, self.faults), known)

    def model(self) -> Model | None:
        """The operators of the source with the kernels of all devices; None, and one diagnostic, when it has errors."""
        if not self._is_model_read:
            self._is_model_read = True
            located, faults = self.located, Diagnostics()
            flags = frozenset(key.flag for key in located.release.keys.values() if key.flag)
            model = read_model(located.native, located.tags, located.release, faults, flags)
            if faults.has_errors:
                faulty_source(located, faults, self.faults)
            else:
                self._model = model
        return self._model


def faulty_source(located: Located, found: Diagnostics, faults: Diagnostics) -> None:
    """A source whose own errors keep its operators from being looked up; they are not faults of the file checked."""
    unreadable = [item for item in found.items if item.code == "unreadable-file"]
    faults.items += unreadable
    if unreadable:
        return
    errors = sum(item.severity is Severity.ERROR for item in found.in_order())
    message = f"the source has {errors} error{'s' if errors != 1 else ''}, so no names were looked up in it"
    help = "check the source first: 'opwright check' without a file"
    faults.file_error("faulty-source", message, shown_path(located.native), help)


def find_kind(root: Node) -> str | None:
    """The kind whose keys a document uses most; None when it uses none of them, or belongs to another tool."""
    if isinstance(root, yamltree.Scalar) or foreign_kind(root) is not None:
        return None
    is_list, keys = isinstance(root, yamltree.Sequence), keys_of(root)
    score = {kind: len(keys & marks) for kind, marks in MARKS.items() if (kind in LISTS) == is_list}
    best = max(score, key=lambda kind: score[kind])
    return best if score[best] else None


def foreign_kind(root: Node) -> str | None:
    """What most entries of a list are when they belong to another tool; such entries share keys with native ones."""
    if not isinstance(root, yamltree.Sequence):
        return None
    looked_at = root.items[:FIRST]
    found = [foreign_entry(set(item.fields)) for item in looked_at if isinstance(item, Mapping)]
    return next((what for what in found if what and found.count(what) * 2 > len(looked_at)), None)


def foreign_entry(keys: set[str]) -> str | None:
    """Which tool an entry with these keys is for, if it is for another one."""
    if keys & {"op", "inherits"} or ("kernels" in keys and "dispatch" not in keys):
        return "an ExecuTorch operator list"
    if "name" in keys and "func" not in keys:
        return "a derivatives file"
    return None


def keys_of(root: Node) -> set[str]:
    """The keys of a mapping, or of the first mappings of a list."""
    items = root.items[:FIRST] if isinstance(root, yamltree.Sequence) else [root]
    return {key.value for item in items if isinstance(item, Mapping) for key, _ in item.fields.values()}


def unknown_kind(root: Node, source: Source, faults: Diagnostics) -> None:
    """A document that is no operator YAML as far as can be told."""
    help = f"choose with --kind {'|'.join(MARKS)}"
    foreign = foreign_kind(root)
    if foreign is not None:
        message = f"'{source.path}' looks like {foreign}, which Opwright does not read"
        faults.error("unknown-kind", message, root.place, f"if it is not, {help}")
        return
    if isinstance(root, Mapping) and root.fields:
        known = [key for marks in MARKS.values() for key in sorted(marks)]
        hint = did_you_mean(next(iter(root.fields)), known)
        help = f"{hint} Or {help}" if hint else help
    faults.error(
        "unknown-kind", f"what kind of file '{source.path}' is cannot be told from its content", root.place, help
    )
