"""The kernel table: which kernel serves which operator under which dispatch key.

In: the expanded operators. Out: kernels by dispatch key and operator, keys and operators in order of first appearance.

Rules: spec 01 section 15 and spec 05 section 4.
"""

from __future__ import annotations

from collections.abc import Iterable

from opwright.model.operators import Kernel, Operator
from opwright.releases.keys import DispatchKey

KernelTable = dict[DispatchKey, dict[Operator, Kernel]]


def kernel_table(operators: Iterable[Operator]) -> KernelTable:
    """Gather the kernels of all operators; a key without kernels is not in the table."""
    table: KernelTable = {}
    for operator in operators:
        for key, kernel in operator.kernels.items():
            row = table.get(key)
            if row is None:
                row = table[key] = {}
            row[operator] = kernel
    return table
