"""Dictionaries that make what is missing."""

from __future__ import annotations

from opwright.memo import Memo, Texts


def test_each_value_is_made_once() -> None:
    asked: list[int] = []

    def double(number: int) -> int:
        asked.append(number)
        return 2 * number

    memo = Memo(double)
    assert [memo[3], memo[4], memo[3]] == [6, 8, 6]
    assert asked == [3, 4]


def test_texts_are_joined_in_the_order_of_their_keys() -> None:
    texts = Texts[int](lambda number: f"x{number}")
    assert texts.join([2, 1, 2], ", ") == "x2, x1, x2"
    assert texts.join([1, 2]) == "x1x2"
    assert texts.join([]) == ""
