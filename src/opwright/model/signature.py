"""Signatures: the normal form by which operators belong together.

In: an operator. Out: texts; operators of one family have the same text, `add`, `add_` and `add.out` for instance.

    add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
        ->  add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor

Rules: spec 02 section 11.
"""

from __future__ import annotations

from collections.abc import Mapping

from opwright.memo import Memo
from opwright.model.operators import Operator
from opwright.syntax.schema import Argument, Tail
from opwright.values import Value


class Member(Value):
    """An operator with its signature: `family` is the whole text, `view_family` the one that joins views and copies."""

    operator: Operator
    family: str
    view_family: str


def member(operator: Operator, tails: Memo[Tail, str], *, has_scatter_views: bool) -> Member:
    """Compute the signatures of an operator; `tails` are those of `normal_tail`."""
    name, tail = operator.name, operator.schema.tail
    # The default of this one makes it the functional variant of bernoulli_.float.
    shown = normal_tail(tail, {"float p": "float p=0.5"}) if name.text == "bernoulli.p" else tails[tail]
    root = view_root(name.root, has_scatter_views) if name.root.endswith(_VIEW_SUFFIXES) else name.root
    if name.is_dunder:
        return Member(operator, f"__{name.root}__{shown}", f"__{root}__{shown}")
    family = name.root + shown
    return Member(operator, family, family if root is name.root else root + shown)


_VIEW_SUFFIXES = ("_copy", "_scatter")


def view_root(root: str, has_scatter_views: bool) -> str:
    """The root that a view and its copy share: `foo` of `foo_copy`, `foo_inverse` of `foo_scatter`."""
    if root.endswith("_copy"):
        return root.replace("_copy", "")
    if has_scatter_views and root.endswith("_scatter"):
        return root.replace("scatter", "inverse")
    return root


def normal_tail(tail: Tail, instead: Mapping[str, str] | None = None) -> str:
    """The signature without the name; `instead` has arguments that others stand for."""
    if not (instead or tail.is_annotated or tail.has_options or any([item.name for item in tail.returns])):
        return tail.text
    keyword, at = tail.keyword, tail.options_index
    if at >= 0:
        keyword = keyword[:at] + keyword[at + 4 :]
    shown = [argument.plain for argument in tail.positional]
    if instead:
        shown = [instead.get(text, text) for text in shown]
    if keyword:
        shown += ["*", *[argument.plain for argument in keyword]]
    returns = [item.type.text for item in tail.returns]
    returns += [argument.type.text for argument in written_arguments(tail)]
    text = returns[0] if len(returns) == 1 else f"({', '.join(returns)})"
    return f"({', '.join(shown)}) -> {text}"


def written_arguments(tail: Tail) -> list[Argument]:
    """The written arguments that no return stands for, in signature order: self, out, then post-self arguments."""
    if not tail.is_annotated:
        return []
    returned = [item.annotation for item in tail.returns]
    behind = tail.self_index + 1
    own = tail.positional[behind - 1 : behind] if behind else ()
    ordered = own + tail.out + tail.positional[behind:]
    return [argument for argument in ordered if argument.is_write and argument.annotation not in returned]
