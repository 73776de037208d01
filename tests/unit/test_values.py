"""Value classes: slots, constructors, defaults, derived fields."""

from __future__ import annotations

import pytest

from opwright.values import Value, derived, made, replace


class Point(Value):
    x: int
    y: int = 0
    tags: list[str] = made(default_factory=list)
    total: int = derived()

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", self.x + self.y)


class Box(Value, frozen=False):
    point: Point
    size: int


def test_constructor_takes_fields_in_order_and_by_name() -> None:
    point = Point(1, y=2)
    assert (point.x, point.y, point.tags, point.total) == (1, 2, [], 3)


def test_made_fields_are_new_for_each_value() -> None:
    assert Point(1).tags is not Point(1).tags
    assert Point(1, tags=["a"]).tags == ["a"]


def test_missing_and_unknown_arguments_are_refused() -> None:
    with pytest.raises(TypeError):
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Point(1, z=2)  # type: ignore[call-arg]


def test_values_have_slots_only() -> None:
    assert not hasattr(Point(1), "__dict__")
    with pytest.raises(AttributeError):
        Point(1).other = 3  # type: ignore[attr-defined]


def test_values_are_compared_by_identity() -> None:
    point = Point(1)
    assert point == point and point != Point(1)
    assert len({point, Point(1)}) == 2


def test_values_that_are_not_frozen_can_be_set() -> None:
    box = Box(Point(1), 2)
    box.size = 3
    assert box.size == 3


def test_replace_gives_a_changed_copy() -> None:
    box = Box(Point(1), 2)
    copy = replace(box, size=5)
    assert (copy.point, copy.size, box.size) == (box.point, 5, 2)


def test_representation_names_the_fields_and_does_not_go_deep() -> None:
    assert repr(Box(Point(1), 2)) == "Box(point=Point, size=2)"
    assert repr(Point(1, 2, ["a"])) == "Point(x=1, y=2, tags=['a'], total=3)"
