"""Signatures: the normal form by which operators belong together.

In: an operator. Out: texts; operators of one family have the same text, `add`, `add_` and `add.out` for instance.

    add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
        ->  add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor

Rules: spec 02 section 11.
"""

from __future__ import annotations

from opwright.model.operators import Operator
from opwright.syntax.schema import Argument, Kind, Schema
from opwright.values import Value


class Member(Value):
    """An operator with its signature: `family` is the whole text, `view_family` the one that joins views and copies."""

    operator: Operator
    family: str
    view_family: str


def member(operator: Operator, *, has_scatter_views: bool) -> Member:
    """Compute the signatures of an operator."""
    name, tail = operator.name, _tail(operator.schema)
    root = view_root(name.root, has_scatter_views) if name.root.endswith(_VIEW_SUFFIXES) else name.root
    if name.is_dunder:
        return Member(operator, f"__{name.root}__{tail}", f"__{root}__{tail}")
    family = name.root + tail
    return Member(operator, family, family if root == name.root else root + tail)


_VIEW_SUFFIXES = ("_copy", "_scatter")


def view_root(root: str, has_scatter_views: bool) -> str:
    """The root that a view and its copy share: `foo` of `foo_copy`, `foo_inverse` of `foo_scatter`."""
    if root.endswith("_copy"):
        return root.replace("_copy", "")
    if has_scatter_views and root.endswith("_scatter"):
        return root.replace("scatter", "inverse")
    return root


def _tail(schema: Schema) -> str:
    """The signature without its name."""
    as_written = not (schema.is_annotated or schema.has_options or any([item.name for item in schema.returns]))
    if as_written and schema.name.text != "bernoulli.p":
        return schema.text[len(schema.name.text) :]
    if schema.is_annotated:
        positional = [argument.plain for argument in schema.positional]
        keyword = [argument.plain for argument in schema.keyword_without_options]
    else:
        positional = [argument.text for argument in schema.positional]
        keyword = [argument.text for argument in schema.keyword_without_options]
    if schema.name.text == "bernoulli.p":
        # Its default makes it the functional variant of bernoulli_.float.
        positional = ["float p=0.5" if text == "float p" else text for text in positional]
    if keyword:
        positional += ["*", *keyword]
    returns = [item.type.text for item in schema.returns]
    returns += [argument.type.text for argument in written_arguments(schema)]
    shown = returns[0] if len(returns) == 1 else f"({', '.join(returns)})"
    return f"({', '.join(positional)}) -> {shown}"


def written_arguments(schema: Schema) -> list[Argument]:
    """The written arguments that no return stands for, in signature order: self, out, then post-self arguments."""
    if not schema.is_annotated or (schema.kind is Kind.FUNCTIONAL and schema.self_index < 0):
        return []
    returned = {item.annotation for item in schema.returns}
    own = schema.self_argument
    ordered = [*([own] if own else []), *schema.out, *schema.post_self]
    return [argument for argument in ordered if argument.is_write and argument.annotation not in returned]
