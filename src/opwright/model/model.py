"""The model: everything that a native functions file says and implies, and the groups that operators form."""

from __future__ import annotations

from opwright.model.kernels import KernelTable
from opwright.model.operators import Operator
from opwright.releases.keys import COMPOSITE_IMPLICIT
from opwright.releases.release import Release
from opwright.values import Value


class Group(Value):
    """Variants of one operator. Members are always visited in the order functional, out, in-place, mutable."""

    functional: Operator
    out: Operator
    inplace: Operator | None
    mutable: Operator | None

    @property
    def is_structured(self) -> bool:
        return self.out.structured

    def members(self) -> tuple[Operator, ...]:
        members: tuple[Operator, ...] = (self.functional, self.out)
        if self.inplace is not None:
            members += (self.inplace,)
        return members if self.mutable is None else (*members, self.mutable)


class ViewGroup(Value):
    """A view operator with its in-place form and its copy. Members are visited view, view_inplace, view_copy."""

    view: Operator
    view_inplace: Operator | None
    view_copy: Operator | None

    @property
    def is_composite(self) -> bool:
        return self.view.has_kernel(COMPOSITE_IMPLICIT)

    @property
    def has_generated_copy(self) -> bool:
        """Whether the kernel of the copy is generated; of other pairs, a scatter and its inverse say, it is not."""
        return self.view_copy is not None and self.view_copy.name.base == f"{self.view.name.base}_copy"

    def members(self) -> tuple[Operator, ...]:
        every = (self.view, self.view_inplace, self.view_copy)
        return tuple(operator for operator in every if operator is not None)


GroupItem = Group | Operator
ViewItem = ViewGroup | Operator


class Model(Value):
    """Every operator, the generated ones last, and what they form together.

    `tags` are those of the tags file; `view_groups` are those of `views`.
    """

    release: Release
    tags: frozenset[str]
    operators: tuple[Operator, ...]
    groups: tuple[GroupItem, ...]
    views: tuple[ViewItem, ...]
    view_groups: tuple[ViewGroup, ...]
    kernels: KernelTable
