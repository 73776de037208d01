"""What every artifact works with: the model, the facts, the options, and the templates to fill.

In: a model and options. Out: `Emission`, which plans files: their paths are known before anything is made, and each has
what makes its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial

from opwright.artifacts.functional_arguments import FunctionalTexts
from opwright.artifacts.structured_texts import StructuredTexts
from opwright.artifacts.wrapped import KernelIndex
from opwright.artifacts.wrapper_texts import WrapperTexts
from opwright.diagnostics import Diagnostics
from opwright.memo import Memo
from opwright.model.model import Model, ViewGroup
from opwright.model.operators import Operator
from opwright.options import GenOptions
from opwright.output.template import Template, TemplateFolder, bound, fill
from opwright.releases.devices import Device
from opwright.releases.keys import DispatchKey
from opwright.signatures.facts import Facts, FactTable
from opwright.signatures.views import ViewMeta
from opwright.values import Value, derived

try:  # without OpenSSL, which takes longer to load than all hashes of a run
    from _sha1 import sha1  # type: ignore[import-not-found]
except ImportError:
    from hashlib import sha1

Values = Mapping[str, str | Sequence[str]]
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Item = TypeVar("Item")
    Made = TypeVar("Made")


class Planned(Value):
    """A file to be made: `path` is relative to the install folder, `text` makes its content, None after a fault.

    `family` names the list of files that it belongs to, as build systems want them. An umbrella copy holds
    what its shards hold, for reading, and is in no list. A checked-in file is compared rather than written.
    """

    path: str
    text: Callable[[], str | None]
    family: str = "general"
    is_umbrella: bool = False
    is_checked_in: bool = False


class Emission(Value):
    """One run.

    `roots` gives the facts of the operators that share a root name, in order of first appearance. `headed` has the
    templates of whole files, with the comment that says what made them. `keys` are the dispatch keys that files are
    made for. With `has_bare_keys` torchgen would have looked for a dispatch key without kernels before it writes
    headers.
    """

    model: Model
    facts: FactTable
    options: GenOptions
    templates: TemplateFolder
    faults: Diagnostics
    roots: Mapping[str, list[Facts]]
    kernels: KernelIndex
    functional: FunctionalTexts = derived()
    wrappers: WrapperTexts = derived()
    structured: StructuredTexts = derived()
    headed: Memo[str, Template | None] = derived()
    keys: Sequence[DispatchKey] = derived()
    has_bare_keys: bool = derived()

    def __post_init__(self) -> None:
        release, options = self.model.release, self.options
        table = release.keys
        keys = [table[name] for name in release.supported if options.is_on(table[name])]
        looked_for = [*options.static_dispatch, *(keys if "sources" in options.steps else ())]
        object.__setattr__(self, "functional", FunctionalTexts(self.facts))
        object.__setattr__(self, "wrappers", WrapperTexts(self.facts))
        object.__setattr__(self, "structured", StructuredTexts(self.facts))
        object.__setattr__(self, "headed", Memo(self._headed))
        object.__setattr__(self, "keys", keys)
        object.__setattr__(self, "has_bare_keys", any(key not in self.model.kernels for key in looked_for))

    @classmethod
    def of(cls, model: Model, options: GenOptions, templates: TemplateFolder, faults: Diagnostics) -> Emission:
        """The run for a model: makes the facts of its operators."""
        facts = FactTable(model.operators, model.release)
        roots: dict[str, list[Facts]] = {}
        for item in facts.items:
            roots.setdefault(item.operator.name.root, []).append(item)
        kernels = KernelIndex(model, is_compat=options.torchgen_compat)
        return cls(model, facts, options, templates, faults, roots, kernels)

    def family(self, device: Device) -> str:
        """The list that the files of a device belong to."""
        return device.family if device.family_flag in ("", *self.options.devices) else "general"

    def view_meta(self, group: ViewGroup, operator: Operator) -> ViewMeta:
        """The metadata of the view of a group, or of its in-place form."""
        return self.facts.views.meta(group, operator, self.facts.by_operator[operator].flags)

    def namespace(self, operator: Operator) -> str:
        """The namespace to print for an operator; torchgen prints `aten` for every one."""
        return "aten" if self.options.torchgen_compat else operator.namespace

    def qualified(self, operator: Operator) -> str:
        """The name of an operator without that of its overload, in the namespace to print."""
        return f"{self.namespace(operator)}::{operator.name.base}"

    def file(
        self,
        path: str,
        values: Callable[[], Values],
        template: str = "",
        *,
        family: str = "general",
        is_umbrella: bool = False,
    ) -> Planned:
        """The file at `path`, made from the template of that name or from the one given, with what `values` returns."""
        template = template or path.rpartition("/")[2]

        def text() -> str | None:
            found = self.headed[template]
            return None if found is None else fill(found, values(), path, self.faults)

        return Planned(path, text, family, is_umbrella)

    def _headed(self, template: str) -> Template | None:
        return self.bound(template, {"generated_comment": f"@generated by opwright from {template}"})

    def bound(self, template: str, values: Values) -> Template | None:
        """A template with some values in place; None after a fault."""
        found = self.templates.get(template, self.faults)
        return found and bound(found, values)

    def fragment(self, template: Template | None, values: Values) -> str:
        """A part of a file, made from a template; empty after a fault."""
        if template is None:
            return ""
        return fill(template, values, template.name, self.faults) or ""

    def sharded(
        self,
        path: str,
        shards: int,
        items: Sequence[tuple[str, Item]],
        make: Callable[[Item], Made],
        values: Callable[[list[Made]], Values],
        template: str = "",
        *,
        family: str = "general",
    ) -> Iterator[Planned]:
        """The shards of the file at `path`, `Name_0.cpp` and so on, and its umbrella copy on request.

        `items` come with their root names, by which they are spread. What `make` gives for an item is made once, for
        its shard and for the umbrella copy; `values` makes of it what a file is filled with.
        """
        stem, dot, extension = path.rpartition(".")
        made = make if shards == 1 else cache(make)  # then the umbrella copy has a text of its own
        whole = [item for _, item in items]
        parts = [whole] if shards == 1 else _spread(items, shards)

        def file(name: str, part: Sequence[Item], *, is_umbrella: bool = False) -> Planned:
            text = partial(_filled, values, made, part)
            full = f"{stem}{name}{dot}{extension}"
            return self.file(full, text, template or path, family=family, is_umbrella=is_umbrella)

        spread = [file(f"_{number}", part) for number, part in enumerate(parts)]
        umbrella = file("Everything", whole, is_umbrella=True)
        if self.options.everything and shards == 1:
            text = cache(spread[0].text)  # the umbrella copy holds the same
            spread, umbrella = [Planned(spread[0].path, text, family)], Planned(umbrella.path, text, family, True)
        yield from spread
        if self.options.everything:
            yield umbrella


def _filled(values: Callable[[list[Made]], Values], made: Callable[[Item], Made], part: Sequence[Item]) -> Values:
    """The values for one shard."""
    return values([made(item) for item in part])


def _spread(items: Sequence[tuple[str, Item]], shards: int) -> list[list[Item]]:
    """The items of each shard."""
    parts: list[list[Item]] = [[] for _ in range(shards)]
    shard = cache(lambda root: shard_of(root, shards))
    for root, item in items:
        parts[shard(root)].append(item)
    return parts


def shard_of(root: str, shards: int) -> int:
    """The shard of a root name: stable under all other changes of the input (spec 08 section 2)."""
    digest = sha1(root.encode("latin-1"), usedforsecurity=False).digest()
    return int.from_bytes(digest, "little") % shards
