"""What reading and judging an input needs to know: the release, the tags, the interned schema parts, the diagnostics."""

from __future__ import annotations

from dataclasses import dataclass, field

from opwright.diagnostics import Diagnostics
from opwright.releases.release import DispatchKey, Release
from opwright.source import Place
from opwright.syntax.schema import Argument, Return, SchemaParser
from opwright.syntax.types import SyntaxFault


@dataclass(slots=True, eq=False)
class Context:
    """`defined_tags` are those of tags.yaml; `flags` are the device switches that are on (`mps`, `xpu`, `mtia`)."""

    release: Release
    faults: Diagnostics
    defined_tags: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()
    parser: SchemaParser = field(default_factory=SchemaParser)
    #: The faults of each distinct argument and return, found once.
    part_faults: dict[Argument | Return, tuple[SyntaxFault, ...]] = field(default_factory=dict)
    key_lists: dict[str, tuple[DispatchKey, ...]] = field(default_factory=dict)

    def error(self, code: str, message: str, place: Place, help: str | None = None) -> None:
        self.faults.error(code, message, place, help)

    def warning(self, code: str, message: str, place: Place, help: str | None = None) -> None:
        self.faults.warning(code, message, place, help)

    def is_ignored(self, key: DispatchKey) -> bool:
        """Whether kernels under `key` are passed over because its switch is off."""
        return bool(key.flag) and key.flag not in self.flags
