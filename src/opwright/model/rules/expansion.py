"""Rules for families of operators and for what is generated from them.

In: families, and generated operators. Out: diagnostics in the context.

Rules: spec 03 section 7 (AG), and `autogen` declarations that have no effect, which torchgen passes over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from opwright.diagnostics import Related, did_you_mean
from opwright.model.context import Context
from opwright.model.operators import Operator
from opwright.model.rules.names import name_faults
from opwright.model.rules.schema import schema_faults
from opwright.source import Place
from opwright.syntax.schema import Kind, Schema
from opwright.syntax.yamltree import Scalar


def same_kind_twice(operator: Operator, known: Operator, context: Context) -> None:
    """AG-1: two operators of one signature that are of the same kind."""
    kind = operator.schema.kind.value
    message = f"'{operator.name.text}' and '{known.name.text}' have the same signature and are both {kind}"
    related = [Related(known.name_place, "the other one")]
    help = "operators of one signature are variants of each other; give one of them other arguments"
    context.family_error(operator, "same-kind-twice", message, operator.name_place, help, related, [known])


def lone_out(operator: Operator, operators: Iterable[Operator], context: Context) -> None:
    """AG-2: an out operator without any operator that it is the variant of."""
    message = f"'{operator.name.text}' has out arguments, but no other operator has its name and its arguments"
    help = "argument names, types and defaults must be the same in all variants"
    related = [
        Related(other.name_place, "this operator has other arguments")
        for other in operators
        if other.name.root == operator.name.root and other.schema.kind in (Kind.FUNCTIONAL, Kind.INPLACE, Kind.MUTABLE)
    ]
    context.family_error(operator, "lone-out", message, operator.name_place, help, related[:1])


def no_out_possible(operator: Operator, context: Context) -> None:
    """AG-3: an operator with kernels for backends that returns no tensor."""
    reason, help = "has kernels of its own", "give it a CompositeImplicitAutograd kernel"
    if operator.is_composite_implicit:  # left alone but for its tag
        reason, help = "has the tag 'core'", "remove that tag"
    message = f"'{operator.name.text}' {reason} but returns no tensor, so no out variant can be made of it"
    help += ", or write 'manual_cpp_binding: True'"
    context.family_error(operator, "no-out-possible", message, operator.name_place, help)


def generated_schema(operator: Operator, context: Context) -> bool:
    """AG-4: a generated operator that breaks a rule for schemas. Returns whether it does."""
    if not _may_break(operator.schema):
        return False
    faults = schema_faults(operator.schema, context)
    for fault in faults:
        message = f"the generated '{operator.schema.text}' would be wrong: {fault.message}"
        place = _declared_place(operator, operator.name.text)
        context.family_error(operator, "generated-schema", message, place)
    return bool(faults)


def _may_break(schema: Schema) -> bool:
    """Whether a generated schema can break a rule at all: by its name, by two names alike, or by mixed returns."""
    arguments = {argument.name for argument in schema.arguments}
    returns = [item.name for item in schema.returns if item.name]
    return (
        len(arguments) < len(schema.arguments)
        or len(set(returns)) < len(returns)
        or (bool(schema.out) and not all([item.is_write for item in schema.returns]))
        or bool(name_faults(schema.name, schema.name.text))
    )


def generated_name_taken(operator: Operator, known: Operator, context: Context) -> None:
    """AG-5: a generated operator with the name of another operator."""
    message = f"'{operator.name.text}' would be generated, but there is an operator of that name"
    related = [Related(known.name_place, "this operator has the name")]
    help = "give it the signature that the generated operator would have, or another name"
    place = _declared_place(operator, operator.name.text)
    context.family_error(operator, "generated-name-taken", message, place, help, related, [known])


def autogen_not_made(
    family: Mapping[Kind, Operator],
    base: Operator,
    made: Sequence[str],
    possible: Sequence[str],
    context: Context,
) -> None:
    """An `autogen` name that is not generated: `made` are those that are, `possible` those that could be."""
    for operator in family.values():
        if context.is_suspect(operator):
            continue
        for declared in operator.autogen:
            if declared.text in made:
                continue
            message, hint = _why_not_made(declared.text, operator, base, possible)
            place = _declared_place(operator, declared.text)
            related = [Related(base.name_place, "its declaration counts")] if operator is not base else []
            context.faults.error("autogen-not-made", message, place, hint, related)
            context.account_for(*family.values())


def _why_not_made(name: str, operator: Operator, base: Operator, possible: Sequence[str]) -> tuple[str, str | None]:
    """Why a declared operator is not generated, and what to do."""
    if name in possible and operator is not base:
        return f"'{name}' is not generated, because '{base.name.text}' does not declare it", "declare it there"
    if name in possible:
        wanted = ", ".join(sorted(possible))
        return f"'{name}' is generated only together with an out variant", f"write 'autogen: {wanted}'"
    if not possible:
        return f"'{name}' is not generated: nothing is missing that could be generated", "remove the name"
    message = f"'{name}' is not generated; what can be generated is {', '.join(possible)}"
    return message, did_you_mean(name, possible)


def ineffective_autogen(family: Mapping[Kind, Operator], context: Context) -> None:
    """A declaration in a family for which nothing is generated; those of released PyTorch files are known."""
    for operator in family.values():
        for declared in operator.autogen:
            if declared.text in context.release.lists.unused_autogen or context.is_suspect(operator):
                continue
            message = f"'{declared.text}' is not generated: {_reason(family)}"
            context.warning("ineffective-autogen", message, _declared_place(operator, declared.text), "remove the name")


def _reason(family: Mapping[Kind, Operator]) -> str:
    members = family.values()
    if any(operator.is_view for operator in members):
        return "no variants are made of views"
    if all(operator.is_composite_implicit for operator in members):
        return "all kernels are composite and serve every variant already"
    if all(operator.manual_cpp_binding for operator in members):
        return "the C++ functions are written by hand"
    return "this family is left as it is"


def _declared_place(operator: Operator, declared: str) -> Place:
    """The place of one name in the `autogen` field; of the operator's name when it is not there."""
    node = operator.record.value("autogen")
    words = node.value.split(", ") if isinstance(node, Scalar) else []
    if not isinstance(node, Scalar) or declared not in words:
        return operator.field_place("autogen")
    at = sum(len(word) + len(", ") for word in words[: words.index(declared)])
    return node.part(at, at + len(declared))
