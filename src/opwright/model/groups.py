"""Groups: operators that are emitted together.

In: the expanded operators. Out: the structured grouping (a functional and an out operator with their in-place and
mutable siblings; all other operators alone) and the view grouping (a view, its in-place form and its copy; all others
alone), both in order of first appearance.

    blend, blend_, blend.out  ->  Group(functional=blend, out=blend.out, inplace=blend_)

Rules: spec 04 section 7.
"""

from __future__ import annotations

from collections.abc import Sequence

from opwright.model.context import Context
from opwright.model.expand import Expansion, Family, families
from opwright.model.model import Group, GroupItem, ViewGroup, ViewItem
from opwright.model.operators import Operator
from opwright.model.rules import groups as rules
from opwright.model.rules import views as view_rules
from opwright.model.signature import Member
from opwright.syntax.schema import Kind

#: Operators of one view signature by what they are in it.
ViewFamily = dict[str | Kind, Operator]


def group(expansion: Expansion, context: Context) -> tuple[GroupItem, ...]:
    """The structured grouping."""
    found: list[GroupItem] = []
    for family in families(expansion.members, context):
        made = _group(family, context)
        found += [made] if made else family.values()
    return tuple(found)


def _group(family: Family, context: Context) -> Group | None:
    """The group that a family forms; None when its members stand alone."""
    if len(family) == 1:
        rules.delegate_ungrouped(next(iter(family.values())), context)
        return None
    if not rules.complete(family, context) or Kind.OUT not in family:
        return None
    inplace, mutable = family.get(Kind.INPLACE), family.get(Kind.MUTABLE)
    made = Group(family[Kind.FUNCTIONAL], family[Kind.OUT], inplace, mutable)
    rules.check_group(made, context)
    return made


def group_views(expansion: Expansion, context: Context) -> tuple[ViewItem, ...]:
    """The view grouping."""
    views: dict[str, ViewFamily] = {}
    for item in expansion.members:
        operator = item.operator
        family = views.setdefault(item.view_family, {})
        kind = view_kind(operator) or operator.schema.kind
        known = family.setdefault(kind, operator)
        if known is not operator:
            same_view(item, known, expansion, context)
        if operator.is_view and operator.name.is_inplace:
            view_rules.inplace_view_tag(operator, context)
    found: list[ViewItem] = []
    for family in views.values():
        found += _view_group(family, expansion, context)
    return tuple(found)


def same_view(item: Member, known: Operator, expansion: Expansion, context: Context) -> None:
    """Report a second operator of one kind in a view family, unless the two are of one family in the first place."""
    first = next(other for other in expansion.members if other.operator is known)
    if item.operator.is_view:
        view_rules.second_view(item.operator, known, context)
    elif item.family != first.family:
        view_rules.second_copy(item.operator, known, context)


def view_kind(operator: Operator) -> str:
    """`aliasing` or `aliasing-inplace` for a view operator; empty for any other."""
    if not operator.is_view:
        return ""
    return "aliasing-inplace" if operator.name.is_inplace else "aliasing"


def _view_group(family: ViewFamily, expansion: Expansion, context: Context) -> Sequence[ViewItem]:
    """The view group of a family, when it has a view, and then the members outside it."""
    view = family.pop("aliasing", None)
    if view is None:
        return list(family.values())
    made = ViewGroup(view, family.pop("aliasing-inplace", None), family.pop(Kind.FUNCTIONAL, None))
    if made.view_copy is None:
        view_rules.view_without_copy(made, expansion.operators, context)
    for rule in view_rules.VIEW_RULES:
        rule(made, context)
    return [made, *family.values()]
