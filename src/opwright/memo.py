"""Dictionaries that make what is missing, so that what many operators have in common is made once.

In: a function of an interned value. Out: what it gives, remembered; a look-up costs no call.

    names = Texts(lambda argument: argument.name);  names.join(schema.arguments, ", ")  ->  "self, other"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Key = TypeVar("Key")
    Made = TypeVar("Made")
else:
    Key = Made = object


class Memo(dict[Key, Made]):
    """What `make` gives for each key that was looked up."""

    def __init__(self, make: Callable[[Key], Made]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, key: Key) -> Made:
        made = self[key] = self.make(key)
        return made


class Texts(Memo[Key, str]):
    """Texts about values that come in lists."""

    def join(self, keys: Iterable[Key], separator: str = "") -> str:
        """The texts about these values, joined."""
        return separator.join(map(self.__getitem__, keys))
