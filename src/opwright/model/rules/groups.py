"""Rules for structured groups.

In: a family, or a group made of it. Out: diagnostics in the context.

Rules: spec 03 section 8 (GR).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from opwright.diagnostics import Related
from opwright.model.context import Context
from opwright.model.operators import Operator
from opwright.releases.keys import COMPOSITE_IMPLICIT, COMPOSITE_IMPLICIT_NESTED
from opwright.syntax.schema import Kind

if TYPE_CHECKING:
    from opwright.model.groups import Group

GroupRule = Callable[["Group", Context], None]


def complete(family: Mapping[Kind, Operator], context: Context) -> bool:
    """GR-1, GR-2: whether a family of several operators is one that can form a group or stand alone."""
    if Kind.FUNCTIONAL not in family:
        group_without_functional(family, context)
        return False
    if Kind.SCRATCH in family:
        group_with_scratch(family[Kind.SCRATCH], context)
        return False
    return True


def group_without_functional(family: Mapping[Kind, Operator], context: Context) -> None:
    """GR-1: several variants of an operator without its functional one."""
    names = [operator.name.text for operator in family.values()]
    first = next(iter(family.values()))
    message = f"{' and '.join(names)} are variants of one operator that lacks its functional variant"
    help = f"add the functional operator, or 'autogen: {first.name.with_overload(first.name.overload).text}'"
    context.family_error(first, "group-without-functional", message, first.name_place, help)


def group_with_scratch(operator: Operator, context: Context) -> None:
    """GR-2: an operator with scratch arguments among the variants of another."""
    message = f"'{operator.name.text}' has scratch arguments and cannot be a variant of another operator"
    context.family_error(operator, "group-with-scratch", message, operator.name_place)


def delegate_ungrouped(operator: Operator, context: Context) -> None:
    """A structured delegate to an operator with another signature; torchgen leaves both alone without a word."""
    if operator.structured_delegate is not None and not context.has_faulty_family(operator.name):
        message = f"'{operator.name.text}' delegates to '{operator.structured_delegate}' but is no variant of it"
        help = "their arguments must be the same, with the same names and defaults"
        context.warning("delegate-ungrouped", message, operator.field_place("structured_delegate"), help)


def structured_mix(group: Group, context: Context) -> None:
    """GR-4: a group of which some members are structured and some are not."""
    for operator in group.members():
        if operator.is_structured_member == group.is_structured or operator is group.out or operator.is_generated:
            continue
        if group.is_structured:
            message = f"'{group.out.name.text}' is structured, but '{operator.name.text}' does not delegate to it"
            help: str | None = f"add 'structured_delegate: {group.out.name.text}'"
        else:
            message = f"'{operator.name.text}' delegates, but its out variant '{group.out.name.text}' is not structured"
            help = None
        related = [Related(group.out.name_place, "the out variant")]
        context.family_error(operator, "structured-mix", message, operator.name_place, help, related)


def out_namespace(group: Group, context: Context) -> None:
    """GR-6: an out variant in another namespace."""
    _same_namespace("out-namespace", group.out, group, context)


def inplace_namespace(group: Group, context: Context) -> None:
    """GR-7: an in-place variant in another namespace."""
    _same_namespace("inplace-namespace", group.inplace, group, context)


def mutable_namespace(group: Group, context: Context) -> None:
    """GR-8: a mutable variant in another namespace."""
    _same_namespace("mutable-namespace", group.mutable, group, context)


def _same_namespace(code: str, operator: Operator | None, group: Group, context: Context) -> None:
    functional = group.functional
    if operator is not None and operator.namespace != functional.namespace:
        message = f"'{operator.full_name}' and '{functional.full_name}' are variants but in different namespaces"
        related = [Related(functional.name_place, "the functional variant")]
        context.family_error(operator, code, message, operator.name_place, None, related)


def mutable_functional_suffix(group: Group, context: Context) -> None:
    """GR-9: a functional variant of a mutable operator without the suffix `_functional`."""
    if group.mutable is not None and not group.functional.name.is_functional:
        wanted = f"{group.mutable.name.root}_functional"
        message = f"the functional variant of '{group.mutable.name.text}' must be called '{wanted}'"
        context.family_error(group.functional, "mutable-functional-suffix", message, group.functional.name_place)


def structured_composite(group: Group, context: Context) -> None:
    """GR-14: an implicit composite kernel of a structured operator."""
    if not group.is_structured:
        return
    for key in (COMPOSITE_IMPLICIT, COMPOSITE_IMPLICIT_NESTED):
        if group.out.has_kernel(key):
            message = f"a structured operator cannot have a kernel for '{key}'"
            context.family_error(group.out, "structured-composite", message, group.out.field_place("dispatch"))


def functional_delegate(group: Group, context: Context) -> None:
    """GR-10: a functional variant that delegates to another operator than its out variant."""
    _same_delegate("functional-delegate", group.functional, group, context)


def inplace_delegate(group: Group, context: Context) -> None:
    """GR-11: an in-place variant that delegates to another operator than its out variant."""
    _same_delegate("inplace-delegate", group.inplace, group, context)


def _same_delegate(code: str, operator: Operator | None, group: Group, context: Context) -> None:
    if operator is None or operator.structured_delegate is None or not group.is_structured:
        return
    if operator.structured_delegate.text != group.out.name.text:
        message = f"'{operator.name.text}' must delegate to its out variant '{group.out.name.text}'"
        related = [Related(group.out.name_place, "the out variant")]
        place = operator.field_place("structured_delegate")
        context.family_error(operator, code, message, place, None, related)


def undeclared_autogen(group: Group, context: Context) -> None:
    """GR-12, GR-13: generated variants that `autogen` does not declare."""
    declared = {name.text for operator in group.members() for name in operator.autogen}
    missing = [operator for operator in group.members() if operator.is_generated and operator.name.text not in declared]
    if not missing:
        return
    names = ", ".join(operator.name.text for operator in missing)
    base = next(operator for operator in group.members() if operator.record is missing[0].record)
    message = f"{names} will be generated, which 'autogen' must say"
    code = "undeclared-autogen" if declared else "autogen-undeclared"
    wanted = ", ".join(sorted(declared | {operator.name.text for operator in missing}))
    help = f"write 'autogen: {wanted}'"
    context.family_error(base, code, message, base.field_place("autogen"), help)


GROUP_RULES: tuple[GroupRule, ...] = (
    structured_mix,
    out_namespace,
    inplace_namespace,
    mutable_namespace,
    mutable_functional_suffix,
    structured_composite,
    functional_delegate,
    inplace_delegate,
    undeclared_autogen,
)
