"""The model: everything that a native functions file says and implies."""

from __future__ import annotations

from opwright.model.groups import GroupItem, ViewItem
from opwright.model.kernels import KernelTable
from opwright.model.operators import Operator
from opwright.releases.release import Release
from opwright.values import Value


class Model(Value):
    """Every operator, the generated ones last, and what they form together. `tags` are those of the tags file."""

    release: Release
    tags: frozenset[str]
    operators: tuple[Operator, ...]
    groups: tuple[GroupItem, ...]
    views: tuple[ViewItem, ...]
    kernels: KernelTable
