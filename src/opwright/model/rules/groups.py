"""Rules for structured groups.

In: a family, or a group made of it. Out: diagnostics in the context.

Rules: spec 03 section 8 (GR).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from opwright.diagnostics import Related
from opwright.model.context import Context
from opwright.model.dispatch import key_place
from opwright.model.model import Group
from opwright.model.operators import Operator
from opwright.releases.keys import COMPOSITE_IMPLICIT, COMPOSITE_IMPLICIT_NESTED
from opwright.syntax.schema import Kind

GroupRule = Callable[[Group, Context], None]


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
    members = list(family.values())
    first = members[0]
    names = " and ".join(f"'{operator.name.text}'" for operator in members)
    wanted = first.name.with_overload(first.name.overload, functional=Kind.MUTABLE in family).text
    message = f"{names} are variants of an operator that has no functional variant"
    help = f"add the functional variant '{wanted}', or declare it with 'autogen'"
    if all(operator.is_composite_implicit for operator in members):
        help = f"add the functional variant '{wanted}'"
    context.family_error(first, "group-without-functional", message, first.name_place, help, (), members)


def group_with_scratch(operator: Operator, context: Context) -> None:
    """GR-2: an operator with scratch arguments among the variants of another."""
    message = f"'{operator.name.text}' has scratch arguments and cannot be a variant of another operator"
    help = "give it arguments of its own, or name the out arguments without '_scratch_'"
    context.family_error(operator, "group-with-scratch", message, operator.name_place, help)


def delegate_ungrouped(operator: Operator, context: Context) -> None:
    """A structured delegate to an operator with another signature; torchgen leaves both alone without a word."""
    if operator.structured_delegate is not None and not context.is_suspect(operator):
        message = f"'{operator.name.text}' delegates to '{operator.structured_delegate}' but is no variant of it"
        help = "their arguments must be the same, with the same names and defaults"
        context.warning("delegate-ungrouped", message, operator.field_place("structured_delegate"), help)


def structured_mix(group: Group, context: Context) -> None:
    """GR-4: a group of which some members are structured and some are not."""
    out = group.out
    for operator in group.members():
        if operator is out or operator.is_structured_member == group.is_structured:
            continue
        related = [Related(out.name_place, "the out variant")]
        if operator.is_generated:
            structured_generated(operator, out, context)
            continue
        if group.is_structured:
            message = f"'{out.name.text}' is structured, but '{operator.name.text}' does not delegate to it"
            help: str | None = f"write 'structured_delegate: {out.name.text}'"
        else:
            message = f"'{operator.name.text}' delegates, but its own out variant '{out.name.text}' is not structured"
            help = f"write 'structured: True' at '{out.name.text}', and delegate to it"
        context.family_error(operator, "structured-mix", message, operator.name_place, help, related)


def structured_generated(operator: Operator, out: Operator, context: Context) -> None:
    """GR-4: a variant of a structured operator that would be generated, and so would not be structured."""
    name = operator.name.text
    message = f"'{name}', a variant of the structured '{out.name.text}', cannot be generated"
    help = f"add an entry for '{name}' with 'structured_delegate: {out.name.text}'"
    related = [Related(out.name_place, "this operator is structured")] if operator.record is not out.record else []
    context.family_error(operator, "structured-generated", message, operator.name_place, help, related)


def out_namespace(group: Group, context: Context) -> None:
    """GR-6: an out variant in another namespace; a generated one is in that of the operator it is made from."""
    if not group.out.is_generated:
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
        message = f"'{operator.full_name}' and '{functional.full_name}' are variants of one operator in two namespaces"
        related = [Related(functional.name_place, "the functional variant")]
        context.family_error(operator, code, message, operator.name_place, None, related)


def mutable_functional_suffix(group: Group, context: Context) -> None:
    """GR-9: a functional variant of a mutable operator without the suffix `_functional`."""
    if group.mutable is not None and not group.functional.name.is_functional:
        wanted = f"{group.mutable.name.root}_functional"
        functional = group.functional
        message = f"the functional variant of the mutable '{group.mutable.name.text}' must be called '{wanted}'"
        related = [Related(group.mutable.name_place, "the mutable operator")]
        context.family_error(
            functional, "mutable-functional-suffix", message, functional.name_place, None, related, group.members()
        )


def structured_composite(group: Group, context: Context) -> None:
    """GR-14: an implicit composite kernel of a structured operator."""
    if not group.is_structured:
        return
    for key in (COMPOSITE_IMPLICIT, COMPOSITE_IMPLICIT_NESTED):
        if group.out.has_kernel(key):
            message = f"a structured operator cannot have a kernel for '{key}'"
            context.family_error(group.out, "structured-composite", message, key_place(group.out.record, key))


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
    names = " and ".join(f"'{operator.name.text}'" for operator in missing)
    base = next(operator for operator in group.members() if operator.record is missing[0].record)
    message = f"{names} will be generated, but 'autogen' does not say so"
    code = "autogen-incomplete" if declared else "autogen-missing"
    wanted = ", ".join(sorted(declared | {operator.name.text for operator in missing}))
    help = f"write 'autogen: {wanted}'"
    context.family_error(base, code, message, base.field_place("autogen"), help)


def check_group(group: Group, context: Context) -> None:
    """Hold a group to the rules that it can break; of several that concern one mistake, the first speaks."""
    members = group.members()
    is_structured = any([operator.structured or operator.structured_delegate is not None for operator in members])
    if is_structured:
        structured_mix(group, context)
    if len({operator.namespace for operator in members}) > 1:
        for rule in NAMESPACE_RULES:
            rule(group, context)
    if group.mutable is not None:
        mutable_functional_suffix(group, context)
    if is_structured:
        for rule in STRUCTURED_RULES:
            rule(group, context)
    if group.functional.is_generated or group.out.is_generated:
        undeclared_autogen(group, context)


NAMESPACE_RULES: tuple[GroupRule, ...] = (out_namespace, inplace_namespace, mutable_namespace)
STRUCTURED_RULES: tuple[GroupRule, ...] = (structured_composite, functional_delegate, inplace_delegate)
