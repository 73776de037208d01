"""The decorator for values: small classes that are made by the ten thousand and never changed.

In: a class with annotated fields. Out: the class with slots and a constructor, compared by identity.

To the type checker the fields are read-only, which is what keeps them unchanged. At run time nothing stands in the way:
a constructor that also refuses assignments takes eight times as long, and a run makes some fifty thousand values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform

    T = TypeVar("T")

    @dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
    def valueclass(cls: type[T]) -> type[T]:
        """Make `cls` a value class."""
        ...
else:
    valueclass = dataclass(slots=True, eq=False)
