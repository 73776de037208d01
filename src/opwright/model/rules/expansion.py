"""Rules for families of operators and for what is generated from them.

In: families, and generated operators. Out: diagnostics in the context.

Rules: spec 03 section 7 (AG), and `autogen` declarations that have no effect, which torchgen passes over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opwright.diagnostics import Related, did_you_mean
from opwright.model.context import Context
from opwright.model.operators import Operator
from opwright.model.rules.schema import schema_faults
from opwright.source import Place
from opwright.syntax.schema import Kind
from opwright.syntax.yamltree import Scalar


def same_kind_twice(operator: Operator, known: Operator, context: Context) -> None:
    """AG-1, VW-1: two operators of one signature that are of the same kind."""
    kind = operator.schema.kind.value
    message = f"'{operator.name.text}' and '{known.name.text}' have the same signature and are both {kind}"
    related = [Related(known.name_place, "the other one")]
    help = "operators of one signature are variants of each other; give one of them other arguments"
    context.family_error(operator, "same-kind-twice", message, operator.name_place, help, related)


def lone_out(operator: Operator, context: Context) -> None:
    """AG-2: an out operator without any operator that it is the variant of."""
    message = f"'{operator.name.text}' has out arguments, but no functional or in-place operator has its signature"
    help = "argument names, types and defaults must be the same in all variants"
    context.family_error(operator, "lone-out", message, operator.name_place, help)


def no_out_possible(operator: Operator, context: Context) -> None:
    """AG-3: an operator with kernels for backends that returns no tensor."""
    message = f"'{operator.name.text}' returns no tensor, so it can have no out variant, which its kernels call for"
    help = "give it a CompositeImplicitAutograd kernel, or 'manual_cpp_binding: True'"
    context.family_error(operator, "no-out-possible", message, operator.name_place, help)


def generated_schema(operator: Operator, context: Context) -> bool:
    """AG-4: a generated operator that breaks a rule for schemas. Returns whether it does."""
    faults = schema_faults(operator.schema, context)
    for fault in faults:
        message = f"the generated '{operator.schema.text}' would be wrong: {fault.message}"
        context.family_error(operator, "generated-schema", message, operator.field_place("autogen"))
    return bool(faults)


def generated_name_taken(operator: Operator, known: Operator, context: Context) -> None:
    """AG-5: a generated operator with the name of another operator."""
    message = f"'{operator.name.text}' would be generated, but there is an operator of that name"
    related = [Related(known.name_place, "this operator has the name")]
    help = "give it the signature that the generated operator would have, or another name"
    place = operator.field_place("autogen")
    context.family_error(operator, "generated-name-taken", message, place, help, related)


def autogen_not_made(
    family: Mapping[Kind, Operator], base: Operator, made: Sequence[Operator], context: Context
) -> None:
    """An `autogen` name that is not among the variants that can be made."""
    names = [operator.name.text for operator in made]
    for operator in family.values():
        for declared in operator.autogen:
            if declared.text in names:
                continue
            message = f"'{declared.text}' is not generated"
            hint = did_you_mean(declared.text, names)
            if hint is None and operator is not base and not made:
                message += f"; variants follow from what '{base.name.text}' declares"
            elif names:
                message += f"; what is generated is {', '.join(names)}"
            place = _declared_place(operator, declared.text)
            context.family_error(operator, "autogen-not-made", message, place, hint)


def ineffective_autogen(family: Mapping[Kind, Operator], context: Context) -> None:
    """A declaration in a family for which nothing is generated; released PyTorch files have such declarations."""
    for operator in family.values():
        for declared in operator.autogen:
            message = f"'{declared.text}' is not generated: {_reason(family)}"
            context.warning("ineffective-autogen", message, _declared_place(operator, declared.text))


def _reason(family: Mapping[Kind, Operator]) -> str:
    members = family.values()
    if any(operator.is_view for operator in members):
        return "no variants are made of views"
    if all(operator.is_composite_implicit for operator in members):
        return "its kernels are composite and serve every variant already"
    if all(operator.manual_cpp_binding for operator in members):
        return "its C++ functions are written by hand"
    return "this family is left as it is"


def _declared_place(operator: Operator, declared: str) -> Place:
    """The place of one name in the `autogen` field."""
    node = operator.record.value("autogen")
    assert isinstance(node, Scalar)
    words = node.value.split(", ")
    at = sum(len(word) + len(", ") for word in words[: words.index(declared)])
    return node.part(at, at + len(declared))
