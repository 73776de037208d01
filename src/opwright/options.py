"""What a generation run is asked for, as a value."""

from __future__ import annotations

from opwright.model.selection import Selection
from opwright.values import Value, made

STEPS = ("headers", "sources", "declarations_yaml")


class GenOptions(Value):
    """The options of `opwright gen` that decide about the content of files.

    `steps` are the kinds of files to make; `everything` adds the umbrella copies of sharded files; `torchgen_compat`
    reproduces torchgen where its output is wrong; `registrations` and `all_schemas` decide about RegisterSchema.cpp.
    """

    per_operator_headers: bool = False
    steps: frozenset[str] = frozenset(STEPS)
    everything: bool = False
    torchgen_compat: bool = False
    selection: Selection = made(default_factory=Selection.everything)
    registrations: bool = True
    all_schemas: bool = False
