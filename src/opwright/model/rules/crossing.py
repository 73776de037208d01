"""Rules between the operators of one file, before anything is generated from them.

In: all operators. Out: diagnostics in the context.

Rules: spec 03 section 6 (XO).
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Sequence

from opwright.diagnostics import Related, did_you_mean
from opwright.model.context import Context
from opwright.model.operators import Operator
from opwright.model.rules.operators import tag_place

CrossRule = Callable[[Sequence[Operator], Context], None]


def delegate_target(operators: Sequence[Operator], context: Context) -> None:
    """XO-1, XO-2: a structured delegate that is missing or not structured."""
    by_name = {operator.name.text: operator for operator in operators}
    for operator in operators:
        if operator.structured_delegate is None:
            continue
        target = by_name.get(operator.structured_delegate.text)
        if target is None and context.has_faulty_family(operator.structured_delegate):
            continue
        if target is None:
            unknown_delegate(operator, by_name, context)
        elif not target.structured:
            delegate_not_structured(operator, target, context)


def unknown_delegate(operator: Operator, by_name: dict[str, Operator], context: Context) -> None:
    """XO-1: a structured delegate that does not exist."""
    text = str(operator.structured_delegate)
    hint = did_you_mean(text, [name for name, other in by_name.items() if other.structured])
    message = f"there is no operator '{text}' to delegate to"
    context.family_error(operator, "unknown-delegate", message, operator.field_place("structured_delegate"), hint)


def delegate_not_structured(operator: Operator, target: Operator, context: Context) -> None:
    """XO-2: a structured delegate that is not structured."""
    message = f"'{target.name.text}' is not structured, so '{operator.name.text}' cannot delegate to it"
    related = [Related(target.name_place, "add 'structured: True' here")]
    place = operator.field_place("structured_delegate")
    context.family_error(operator, "delegate-not-structured", message, place, None, related)


def python_keyword_argument(operators: Sequence[Operator], context: Context) -> None:
    """XO-3: an argument that Python code could not name."""
    if not context.release.refuses_python_keywords:
        return
    exempt = context.release.lists.keyword_arguments
    for operator in operators:
        for argument in operator.schema.arguments:
            if keyword.iskeyword(argument.name) and (operator.name.text, argument.name) not in exempt:
                place = operator.schema_place(*operator.schema.argument_name_span(argument))
                message = f"'{argument.name}' is a keyword of Python, so no one could pass it by name"
                context.error("python-keyword-argument", message, place, f"write '{argument.name}_', for instance")


def inplace_view_name(operators: Sequence[Operator], context: Context) -> None:
    """XO-4: the tag `inplace_view` on an operator that is not in-place."""
    for operator in _inplace_views(operators, context):
        if not operator.name.is_inplace:
            message = f"'{operator.name.text}' has the tag 'inplace_view' but is not in-place by its name"
            help = "names of in-place operators end in '_'; a view that is not in-place needs no tag"
            context.error("inplace-view-name", message, tag_place(operator, "inplace_view"), help)


def inplace_view_base(operators: Sequence[Operator], context: Context) -> None:
    """XO-5: the tag `inplace_view` on an operator without an out-of-place sibling."""
    bases = {operator.name.base for operator in operators}
    for operator in _inplace_views(operators, context):
        wanted = operator.name.with_overload("").base
        if operator.name.is_inplace and wanted not in bases:
            message = f"'{operator.name.text}' has the tag 'inplace_view', but there is no operator '{wanted}'"
            help = f"add the view '{wanted}', of which this is the in-place form"
            place = tag_place(operator, "inplace_view")
            context.family_error(operator, "inplace-view-base", message, place, help)


def _inplace_views(operators: Sequence[Operator], context: Context) -> list[Operator]:
    lists = context.release.lists
    return [
        operator
        for operator in operators
        if "inplace_view" in operator.tags
        and operator.name.text not in lists.inplace_view_exempt
        and operator.name.base not in lists.inplace_view_exempt_bases
    ]


CROSS_RULES: tuple[CrossRule, ...] = (
    delegate_target,
    python_keyword_argument,
    inplace_view_name,
    inplace_view_base,
)
