"""Bindings: C++ parameters that know what they stand for.

In: a schema argument and the flags of its operator. Out: an interned `Binding`, so that what the operators have in
common is made once.

Rules: spec 06 sections 1 and 4.3.
"""

from __future__ import annotations

from opwright.cpp.literals import default_value
from opwright.cpp.types import SYMINT, CppType, CppTypes
from opwright.syntax.schema import Argument
from opwright.values import Value, derived

#: The meaning of a `memory_format` beside tensor options, which may name a memory format too.
PRMF = "possibly redundant memory format"


class Binding(Value):
    """One C++ parameter.

    `meaning` is what it stands for, normally its name. `declaration` is its text with the default, `definition` that
    without.
    """

    name: str
    meaning: str
    type: CppType
    default: str | None = None
    definition: str = derived()
    declaration: str = derived()

    def __post_init__(self) -> None:
        definition = f"{self.type.text} {self.name}"
        object.__setattr__(self, "definition", definition)
        object.__setattr__(self, "declaration", f"{definition}={self.default}" if self.default else definition)


class BindingRow(dict[Argument, Binding]):
    """The parameters for arguments under one set of flags; a missing one is made when it is looked up.

    A dictionary of its own for each set of flags makes a look-up as cheap as it can be: there are tens of thousands.
    """

    def __init__(self, types: CppTypes, flags: int, with_default: bool, is_prmf: bool) -> None:
        super().__init__()
        self.types = types
        self.flags = flags
        self.with_default = with_default
        self.is_prmf = is_prmf

    def __missing__(self, argument: Argument) -> Binding:
        type = self.types.argument(argument.type, argument.is_write, self.flags)
        default = None
        if self.with_default and argument.default is not None:
            spelling = self.types.release.spelling
            default = default_value(argument.default, argument.type, bool(self.flags & SYMINT), spelling)
        made = Binding(argument.name, PRMF if self.is_prmf else argument.name, type, default)
        self[argument] = made
        return made


class Bindings:
    """The bindings of one run."""

    def __init__(self, types: CppTypes) -> None:
        self.types = types
        self._rows: dict[tuple[int, bool, bool], BindingRow] = {}
        self._options: dict[str | None, Binding] = {}

    def row(self, flags: int, with_default: bool = False, is_prmf: bool = False) -> BindingRow:
        """The parameters by argument; `is_prmf` is for a memory format beside tensor options."""
        key = (flags, with_default, is_prmf)
        found = self._rows.get(key)
        if found is None:
            found = self._rows[key] = BindingRow(self.types, *key)
        return found

    def options(self, bundle: tuple[Argument, ...]) -> Binding:
        """The one `options` parameter that stands for dtype, layout, device and pin_memory."""
        default = None
        if all(argument.default == "None" for argument in bundle):
            default = "{}"
        elif bundle[0].default == "long":
            default = "at::kLong"
        found = self._options.get(default)
        if found is None:
            type = self.types.named("at::TensorOptions")
            found = self._options[default] = Binding("options", "options", type, default)
        return found
