"""Rules for views: the view operator, its in-place form and its copy.

In: an operator, or a view group. Out: diagnostics in the context.

Rules: spec 03 section 9 (VW).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from opwright.diagnostics import Related
from opwright.model.context import Context
from opwright.model.model import ViewGroup
from opwright.model.operators import Operator
from opwright.model.rules.operators import tag_advice
from opwright.releases.keys import COMPOSITE_IMPLICIT, COMPOSITE_IMPLICIT_NESTED
from opwright.syntax.schema import Kind

ViewRule = Callable[[ViewGroup, Context], None]


def second_copy(operator: Operator, known: Operator, context: Context) -> None:
    """VW-1: an operator that is called the copy of another that is no view."""
    message = f"'{operator.name.text}' and '{known.name.text}' are a view and its copy by name, but neither is a view"
    related = [Related(known.name_place, "this operator is no view")]
    help = "annotate the view, as in 'Tensor(a) self' and '-> Tensor(a)', or rename one of them"
    context.family_error(operator, "second-copy", message, operator.name_place, help, related, [known])


def second_view(operator: Operator, known: Operator, context: Context) -> None:
    """VW-2: two views of one view signature."""
    message = f"'{operator.name.text}' and '{known.name.text}' are a view and its copy by name, but both are views"
    related = [Related(known.name_place, "this operator is a view too")]
    help = "write the copy without annotations"
    context.family_error(operator, "second-view", message, operator.name_place, help, related, [known])


def inplace_view_tag(operator: Operator, context: Context) -> None:
    """VW-3: an in-place view that does not say so."""
    if "inplace_view" not in operator.tags:
        message = f"'{operator.name.text}' changes its input into a view and needs the tag 'inplace_view'"
        help = tag_advice(operator, "inplace_view", context)
        context.family_error(operator, "inplace-view-tag", message, operator.name_place, help)


def view_without_copy(group: ViewGroup, operators: Iterable[Operator], context: Context) -> None:
    """VW-4: a view without an operator that makes a copy instead; `operators` are all.

    torchgen lets `foo_inverse` pass at first and then fails over the lack of `foo_scatter` when it writes C++.
    """
    view = group.view
    if group.view_copy is not None or group.is_composite or "inplace_view" in view.tags:
        return
    root, help = f"{view.name.root}_copy", None
    if context.release.has_scatter_views and view.name.root.endswith("_inverse"):
        root = f"{view.name.root.removesuffix('_inverse')}_scatter"
    else:
        help = "its kernel is generated when it is listed under CompositeExplicitAutogradNonFunctional"
    base = f"__{root}__" if view.name.is_dunder else root
    wanted = base + (f".{view.name.overload}" if view.name.overload else "")
    message = f"the view '{view.name.text}' needs an operator '{wanted}' with the same arguments"
    near = [other for other in operators if other.name.base == base and other.schema.kind is Kind.FUNCTIONAL]
    related = [Related(other.name_place, "this operator has other arguments") for other in near[:1]]
    context.family_error(view, "view-without-copy", message, view.name_place, help, related, near)


def view_copy_tag(group: ViewGroup, context: Context) -> None:
    """VW-7: a copy of a view that does not say so."""
    copy = group.view_copy
    if copy is not None and "view_copy" not in copy.tags:
        message = f"'{copy.name.text}' is the copy of the view '{group.view.name.text}' and needs the tag 'view_copy'"
        related = [Related(group.view.name_place, "the view")]
        help = tag_advice(copy, "view_copy", context)
        context.family_error(copy, "view-copy-tag", message, copy.name_place, help, related)


def view_composite(group: ViewGroup, context: Context) -> None:
    """VW-9: a composite view with an in-place form that is not composite."""
    _same_composite("view-composite", COMPOSITE_IMPLICIT, group, context)


def view_composite_nested(group: ViewGroup, context: Context) -> None:
    """VW-10: the same for nested tensors."""
    _same_composite("view-composite-nested", COMPOSITE_IMPLICIT_NESTED, group, context)


def _same_composite(code: str, key: str, group: ViewGroup, context: Context) -> None:
    inplace = group.view_inplace
    if inplace is not None and group.view.has_kernel(key) and not inplace.has_kernel(key):
        message = f"'{group.view.name.text}' has a kernel for '{key}', so '{inplace.name.text}' needs one too"
        related = [Related(group.view.name_place, "the view")]
        context.family_error(inplace, code, message, inplace.name_place, None, related)


VIEW_RULES: tuple[ViewRule, ...] = (view_copy_tag, view_composite, view_composite_nested)
