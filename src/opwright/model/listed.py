"""An operator as a backend file lists it.

In: the nodes of one item. Out: an `Item`, which knows what was said and where.

Fields are Opwright's own, described in `docs/reference/backend-yaml.md`.
"""

from __future__ import annotations

from opwright.source import Place
from opwright.syntax.records import Record
from opwright.syntax.yamltree import Scalar
from opwright.values import Value

#: The fields of an operator that are switches, and those that name something in C++.
SWITCHES = ("structured", "meta", "impl", "device_check", "device_guard")
NAMES = ("kernel", "structured_inherits")
#: The fields that make a kernel a structured one.
STRUCTURED_FIELDS = ("structured", "meta", "impl", "structured_inherits")
FIELDS = (*NAMES, *SWITCHES)
#: The fields that a list allows its operators; the operators of other lists are names alone. A derivative is
#: registered for one operator at a time, so none is a structured kernel.
FIELDS_OF = {"supported": FIELDS, "autograd": tuple(field for field in FIELDS if field not in STRUCTURED_FIELDS)}


class Item(Value):
    """One operator of a list: the node of its name, the switches that are set, and the names that are given."""

    name: Scalar
    switches: dict[str, bool]
    names: dict[str, Scalar]
    record: Record | None = None

    def field_place(self, field: str) -> Place:
        """The place of the name of a field; of the operator when the field is not given."""
        return self.record.key_place(field) if self.record and field in self.record.fields else self.name.place

    @property
    def is_structured(self) -> bool:
        """Whether the kernel is a structured one: said so, or implied by a field that only such kernels have."""
        implied = any(self.switches.get(name) for name in ("meta", "impl")) or "structured_inherits" in self.names
        return self.switches.get("structured", implied)
