"""What wrappers are made of, as far as it is the same under several dispatch keys.

In: operators and their arguments. Out: the functions of a key that call a wrapper, and the lines that demand one device
of all tensors, each made once, with gaps for the name of the wrapper.

Rules: spec 08 sections 8.1 and 9.2.
"""

from __future__ import annotations

from collections.abc import Sequence

from opwright.memo import Memo, Texts
from opwright.model.operators import Operator
from opwright.signatures.facts import Facts, FactTable
from opwright.syntax.schema import Argument
from opwright.values import Value

#: A gap for a name in a text that is made before the name is known. Texts that are cut at their gaps are filled by
#: `name.join`.
GAP = "\0"


class PlainTexts(Value):
    """What is the same of all wrappers of an operator's plain kernels.

    `name` tells them from those of other operators, and `callers` are the functions that call one of them, cut at its
    name.
    """

    name: str
    callers: list[str]


class WrapperTexts:
    """The texts of one run."""

    def __init__(self, facts: FactTable) -> None:
        self.plain = Memo[Facts, PlainTexts](_plain)
        self._check = f"""  {facts.release.spelling.common_device};
  (void)common_device; // not every operator has a tensor to look at
"""
        self._checks = Texts(_checked)

    def check(self, operator: Operator, wrapper: str) -> str:
        """The lines that demand one device of all tensors; keyword-only tensors are not looked at."""
        lines = self._checks.join(operator.schema.out + operator.schema.positional)
        return self._check + lines.replace(GAP, wrapper)


def _plain(facts: Facts) -> PlainTexts:
    return PlainTexts(plain_name(facts.operator), callers(facts, facts.calls))


def plain_name(operator: Operator) -> str:
    """The name by which wrappers of plain kernels are told apart."""
    out = "_out" if operator.schema.out else ""
    return f"{operator.name.overload}_{operator.name.base}{out}"


def callers(facts: Facts, calls: Sequence[str]) -> list[str]:
    """The functions that call a wrapper, one for each public signature, with the arguments `calls`, cut at the gaps."""
    base = facts.operator.name.base
    text = "".join(
        [
            f"{signature.returns} {base}{signature.suffix}({signature.definitions}) {{\nreturn {GAP}({call});\n}}\n"
            for signature, call in zip(facts.public, calls, strict=True)
        ]
    )
    return text.split(GAP)


def _checked(argument: Argument) -> str:
    """The line that looks at an argument, if it is a tensor."""
    if not argument.type.is_tensor_like:
        return ""
    check = "c10::impl::check_and_update_common_device"
    return f'  {check}(common_device, {argument.name}, "{GAP}", "{argument.name}");\n'
