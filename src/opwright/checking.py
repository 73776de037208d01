"""Checking files of any kind.

In: paths. Out: diagnostics. Operators that a backend or selection file names come from the source; tags that a native
functions file uses come from the tags file beside it, or else from the source.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from opwright.diagnostics import Diagnostics, did_you_mean
from opwright.locate import Located
from opwright.model.catalog import read_catalog
from opwright.model.context import Context
from opwright.model.tags import read_tags_file
from opwright.pipeline import Model, derive, read_document, read_model, read_tags
from opwright.source import Source
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
            "non_native", "use_out_as_primary", "device_guard",
        }
    ),
}  # fmt: skip
LISTS = ("native", "tags")


def check_files(
    paths: Sequence[str],
    kind: str | None,
    located: Located,
    faults: Diagnostics,
    flags: frozenset[str] = frozenset(),
) -> None:
    """Check each file as what it is, or as `kind` (`native`, `tags`, `selection`, `backend`) when that is given."""
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
        }
        check[found](root, source)

    def native(self, root: Node, source: Source) -> None:
        context = Context(self.located.release, self.faults, flags=self.flags)
        beside = Path(source.path).parent / "tags.yaml"
        context.defined_tags = read_tags(beside if beside.is_file() else self.located.tags, context)
        derive(read_catalog(root, source, context), context)

    def tags(self, root: Node, source: Source) -> None:
        read_tags_file(root, source, Context(self.located.release, self.faults))

    def model(self) -> Model | None:
        """The operators of the source; faults of the source itself are not those of the file being checked."""
        if self._model is None:
            located = self.located
            self._model = read_model(located.native, located.tags, located.release, Diagnostics(), self.flags)
        return self._model


def find_kind(root: Node) -> str | None:
    """The kind whose keys a document uses most; None when it uses none of them."""
    if isinstance(root, yamltree.Scalar):
        return None
    is_list = isinstance(root, yamltree.Sequence)
    mappings = [item for item in root.items if isinstance(item, Mapping)] if is_list else [root]  # type: ignore[union-attr]
    keys = {key.value for mapping in mappings[:100] for key, _ in mapping.entries}  # type: ignore[union-attr]
    score = {kind: len(keys & marks) for kind, marks in MARKS.items() if (kind in LISTS) == is_list}
    best = max(score, key=lambda kind: score[kind])
    return best if score[best] else None


def unknown_kind(root: Node, source: Source, faults: Diagnostics) -> None:
    """A document that is no operator YAML as far as can be told."""
    help = f"choose with --kind {'|'.join(MARKS)}"
    if isinstance(root, Mapping) and root.entries:
        known = [key for marks in MARKS.values() for key in sorted(marks)]
        hint = did_you_mean(root.entries[0][0].value, known)
        help = f"{hint} Or {help}" if hint else help
    faults.error(
        "unknown-kind", f"what kind of file '{source.path}' is cannot be told from its content", root.place, help
    )
