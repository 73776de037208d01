"""Operator names: `base.overload` and what the decoration of the base says.

In: the text of a name. Out: an `OperatorName`; nothing is judged here.

    read_name("__iadd__.Tensor")  ->  root "add", in-place, dunder, overload "Tensor"
"""

from __future__ import annotations

import re

from opwright.values import Value, derived

_DUNDER = re.compile(r"__([^_]+)__")
#: In-place dunder methods of Python, without their leading `i`.
AUGMENTED = frozenset(
    {"add", "sub", "mul", "div", "mod", "pow", "lshift", "rshift", "and", "xor", "or"}
)  # fmt: skip
_FUNCTIONAL = "_functional"


class OperatorName(Value):
    """One operator name without its namespace.

    `root` is the base without decoration (`add` of `add_`), `base` the base as printed (`add_`, `__iadd__`,
    `blend_functional`), `overload` the text behind the first dot. `text` and `unambiguous` are the printed name with
    `.` and with `_` before the overload.
    """

    root: str
    overload: str = ""
    is_inplace: bool = False
    is_dunder: bool = False
    is_functional: bool = False
    base: str = derived()
    text: str = derived()
    unambiguous: str = derived()

    def __post_init__(self) -> None:
        if self.is_dunder:
            base = f"__{'i' if self.is_inplace else ''}{self.root}__"
        else:
            base = self.root + ("_" if self.is_inplace else _FUNCTIONAL if self.is_functional else "")
        put = object.__setattr__
        put(self, "base", base)
        put(self, "text", f"{base}.{self.overload}" if self.overload else base)
        put(self, "unambiguous", f"{base}_{self.overload}" if self.overload else base)

    def __str__(self) -> str:
        return self.text

    def with_overload(self, overload: str, *, functional: bool = False) -> OperatorName:
        """The name of a variant: in-place and functional marks dropped, dunder kept, another overload."""
        return OperatorName(self.root, overload, False, self.is_dunder, functional)


def read_name(text: str) -> OperatorName:
    """Take a printed name apart; never fails, so that the rules can say what is wrong with it."""
    base, _, overload = text.partition(".")
    dunder = _DUNDER.fullmatch(base)
    if dunder:
        word = dunder.group(1)
        if word[0] == "i" and word[1:] in AUGMENTED:
            return OperatorName(word[1:], overload, True, True)
        return OperatorName(word, overload, False, True)
    if base.endswith("_"):
        return OperatorName(base[:-1], overload, True)
    if base.endswith(_FUNCTIONAL):
        return OperatorName(base[: -len(_FUNCTIONAL)], overload, False, False, True)
    return OperatorName(base, overload)
