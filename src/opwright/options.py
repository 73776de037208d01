"""What a generation run is asked for, as a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opwright.values import Value

if TYPE_CHECKING:
    from opwright.model.selection import Selection

STEPS = ("headers", "sources", "declarations_yaml")


class GenOptions(Value):
    """The options of `opwright gen` that decide about the content of files.

    `steps` are the kinds of files to make; `everything` adds the umbrella copies of sharded files; `torchgen_compat`
    reproduces torchgen where its output is wrong; `selection` is what to register, None for all
    operators; `registrations` and `all_schemas` decide about RegisterSchema.cpp.
    """

    per_operator_headers: bool = False
    steps: frozenset[str] = frozenset(STEPS)
    everything: bool = False
    torchgen_compat: bool = False
    selection: Selection | None = None
    registrations: bool = True
    all_schemas: bool = False
