"""Bindings: C++ parameters that know what they stand for.

In: a schema argument and the flags of its operator. Out: an interned `Binding`, so that what the operators have in
common is made once.

Rules: spec 06 sections 1 and 4.3.
"""

from __future__ import annotations

from opwright.cpp.literals import default_value
from opwright.cpp.types import SYMINT, CppType, CppTypes
from opwright.memo import Memo
from opwright.syntax.schema import Argument
from opwright.values import Value, derived

#: The meaning of a `memory_format` beside tensor options, which may name a memory format too.
PRMF = "possibly redundant memory format"


class Binding(Value, frozen=False):
    """One C++ parameter.

    `meaning` is what it stands for, normally its name. `declaration` is its text with the default, `definition` that
    without. Nothing is changed after it is made.
    """

    name: str
    meaning: str
    type: CppType
    default: str | None = None
    definition: str = derived()
    declaration: str = derived()

    def __post_init__(self) -> None:
        self.definition = f"{self.type.text} {self.name}"
        self.declaration = f"{self.definition}={self.default}" if self.default else self.definition


#: Parameters by argument. A dictionary for each set of flags makes look-ups cheap; there are tens of thousands.
BindingRow = Memo[Argument, Binding]


class BindingRows:
    """The parameters for arguments under one set of flags.

    `plain` have no defaults, `defaulted` have those of the schema, and `redundant` and `redundant_defaulted` are for a
    memory format beside tensor options.
    """

    def __init__(self, types: CppTypes, flags: int) -> None:
        self.types = types
        self.flags = flags
        self.plain = BindingRow(self._plain)
        self.defaulted = BindingRow(self._defaulted)
        self.redundant = BindingRow(lambda argument: _redundant(self.plain[argument]))
        self.redundant_defaulted = BindingRow(lambda argument: _redundant(self.defaulted[argument]))

    def _plain(self, argument: Argument) -> Binding:
        type = self.types.argument(argument.type, argument.is_write, self.flags)
        return Binding(argument.name, argument.name, type)

    def _defaulted(self, argument: Argument) -> Binding:
        if argument.default is None:
            return self.plain[argument]
        has_symint, spelling = bool(self.flags & SYMINT), self.types.release.spelling
        default = default_value(argument.default, argument.type, has_symint, spelling)
        plain = self.plain[argument]
        return Binding(plain.name, plain.meaning, plain.type, default)


def _redundant(binding: Binding) -> Binding:
    return Binding(binding.name, PRMF, binding.type, binding.default)


class Bindings:
    """The bindings of one run; `rows` has those under each set of flags."""

    def __init__(self, types: CppTypes) -> None:
        self.types = types
        self.rows = Memo[int, BindingRows](lambda flags: BindingRows(types, flags))
        self._options: dict[str | None, Binding] = {}

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
