"""What reading and judging an input needs to know: release, tags, interned schema parts, diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from opwright.diagnostics import Diagnostics, Related
from opwright.memo import Memo
from opwright.releases.keys import DispatchKey
from opwright.releases.release import Release
from opwright.source import Place
from opwright.syntax.names import OperatorName
from opwright.syntax.parser import SchemaParser
from opwright.syntax.records import Record
from opwright.syntax.schema import Argument, Kind, Return, Tail
from opwright.syntax.types import Annotation, SyntaxFault, Type
from opwright.values import Value, derived, made

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright.model.operators import Operator


class Layout(Value):
    """The dispatch keys of a table: for each row those that kernels are kept for, or None for a row without a kernel.

    `named` are all keys, ignored ones too.
    """

    rows: tuple[tuple[DispatchKey, ...] | None, ...]
    named: tuple[DispatchKey, ...]


def _mentions_random(tail: Tail) -> bool:
    return "dropout" in tail.text or "Generator" in tail.text


class Context(Value, frozen=False):
    """`defined_tags` are those of tags.yaml; `flags` are the device switches that are on (`mps`, `xpu`, `mtia`)."""

    release: Release
    faults: Diagnostics
    defined_tags: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()
    parser: SchemaParser = made(default_factory=SchemaParser)
    #: The faults of each distinct argument and return, found once.
    part_faults: dict[Argument | Return, tuple[SyntaxFault, ...]] = made(default_factory=dict)
    #: The arguments and returns without faults.
    sound_parts: set[Argument | Return] = made(default_factory=set)
    #: The types without faults, by what they are the types of, with annotations and where these stand.
    sound_types: set[tuple[type, Type, Annotation | None, int]] = made(default_factory=set)
    #: The defaults without faults, by type and text.
    sound_defaults: set[tuple[Type, str]] = made(default_factory=set)
    #: The tails without faults, for schemas of a kind.
    sound_tails: set[tuple[Tail, Kind]] = made(default_factory=set)
    #: The dispatch keys of each comma list without faults.
    key_lists: dict[str, list[DispatchKey]] = made(default_factory=dict)
    #: The dispatch keys of tables in which these are without faults, by what the keys of their mappings say.
    layouts: dict[tuple[str, ...], Layout] = made(default_factory=dict)
    #: The rules for an operator by the fields of its entry; few combinations exist.
    rules_by_fields: dict[tuple[str, ...], tuple[Callable[[Operator, Context], None], ...]] = made(default_factory=dict)
    #: Tags with the implied ones, by the declared tags and what implies others.
    implied_tags: dict[tuple[frozenset[str], str, Kind], frozenset[str]] = made(default_factory=dict)
    #: The tails of schemas with an argument that is about random numbers.
    random_tails: Memo[Tail, bool] = made(default_factory=lambda: Memo(_mentions_random))
    #: The tails of out variants by the tail and the kind of what they are generated from.
    out_tails: dict[tuple[Tail, Kind], Tail] = made(default_factory=dict)
    #: Roots of entries with errors. What other entries of such a family lack may follow from these errors.
    faulty_roots: set[str] = made(default_factory=set)
    #: Entries that an error about their family has been reported for. What else they lack may follow from it.
    faulty_entries: set[Record] = made(default_factory=set)
    #: The dispatch keys of the release by name.
    keys: dict[str, DispatchKey] = derived()

    def __post_init__(self) -> None:
        self.keys = self.release.keys

    def error(self, code: str, message: str, place: Place, help: str | None = None) -> None:
        self.faults.error(code, message, place, help)

    def warning(self, code: str, message: str, place: Place, help: str | None = None) -> None:
        self.faults.warning(code, message, place, help)

    def family_error(
        self,
        operator: Operator,
        code: str,
        message: str,
        place: Place,
        help: str | None = None,
        related: Iterable[Related] = (),
        with_also: Iterable[Operator] = (),
    ) -> None:
        """An error about `operator` and its siblings.

        Dropped when an entry of that family has errors of its own, or when the operator has had such an error already:
        one mistake gives one diagnostic. `with_also` are other operators that the error accounts for.
        """
        if self.is_suspect(operator):
            return
        self.faults.error(code, message, place, help, related)
        self.account_for(operator, *with_also)

    def account_for(self, *operators: Operator) -> None:
        """Note that an error about the family of these operators has been reported for each of them."""
        self.faulty_entries.update(operator.record for operator in operators)

    def is_suspect(self, operator: Operator) -> bool:
        """Whether a fault of `operator` may follow from one that has been reported."""
        return operator.record in self.faulty_entries or self.has_faulty_family(operator.name)

    def mark_faulty(self, name: OperatorName) -> None:
        """Note that the entry of `name` has errors."""
        self.faulty_roots.add(family_root(name))

    def has_faulty_family(self, name: OperatorName) -> bool:
        return bool(self.faulty_roots) and family_root(name) in self.faulty_roots

    def is_ignored(self, key: DispatchKey) -> bool:
        """Whether kernels under `key` are passed over because its switch is off."""
        return bool(key.flag) and key.flag not in self.flags


def family_root(name: OperatorName) -> str:
    """What the names of variants, views and copies of one operator have in common."""
    root = name.root
    for suffix in ("_copy", "_scatter", "_inverse"):
        root = root.removesuffix(suffix)
    return root
