"""Operator names: `base.overload` and what the decoration of the base says.

In: the text of a name. Out: an `OperatorName`; nothing is judged here.

    read_name("__iadd__.Tensor")  ->  root "add", in-place, dunder, overload "Tensor"
"""

from __future__ import annotations

import re

from opwright.values import Value

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
    overload: str
    is_inplace: bool
    is_dunder: bool
    is_functional: bool
    base: str
    text: str
    unambiguous: str

    def __str__(self) -> str:
        return self.text

    def with_overload(self, overload: str, *, functional: bool = False) -> OperatorName:
        """The name of a variant: in-place and functional marks dropped, dunder kept, another overload."""
        base = f"__{self.root}__" if self.is_dunder else self.root + _FUNCTIONAL if functional else self.root
        text, unambiguous = (f"{base}.{overload}", f"{base}_{overload}") if overload else (base, base)
        return OperatorName(self.root, overload, False, self.is_dunder, functional, base, text, unambiguous)


def read_name(text: str) -> OperatorName:
    """Take a printed name apart; never fails, so that the rules can say what is wrong with it."""
    base, _, overload = text.partition(".")
    root, is_inplace, is_dunder, is_functional = base, False, False, False
    if base.endswith(("_", _FUNCTIONAL)):
        root, is_inplace, is_dunder, is_functional = _marks(base)
    if not overload:
        return OperatorName(root, "", is_inplace, is_dunder, is_functional, base, base, base)
    return OperatorName(root, overload, is_inplace, is_dunder, is_functional, base, text, f"{base}_{overload}")


def _marks(base: str) -> tuple[str, bool, bool, bool]:
    """The root of a base with decoration, and whether that says in-place, dunder or functional."""
    dunder = _DUNDER.fullmatch(base)
    if dunder:
        word = dunder.group(1)
        is_augmented = word[0] == "i" and word[1:] in AUGMENTED
        return word[1:] if is_augmented else word, is_augmented, True, False
    if base.endswith("_"):
        return base[:-1], True, False, False
    return base[: -len(_FUNCTIONAL)], False, False, True
