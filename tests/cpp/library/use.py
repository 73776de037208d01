"""Use the compiled library and compare with plain torch; run by the test in a process of its own.

python use.py LIBRARY
"""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

torch: Any = import_module("torch")  # in a way that type checkers accept where no torch is installed
torch.ops.load_library(sys.argv[1])
mine, users = torch.ops.mine, torch.ops.mine_users
self, other = torch.arange(6.0).reshape(3, 2), torch.ones(3, 2)


def same(actual: Any, expected: Any) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=0)


def raises(call: Callable[[], Any], words: str) -> None:
    try:
        call()
    except RuntimeError as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"nothing says: {words}")


def check_schemas() -> None:
    operators = (mine.scaled_add.default, mine.scaled_add.out, mine.head.default, mine.head_copy.out, mine.ramp.default)
    assert [str(operator._schema) for operator in operators] == [
        "mine::scaled_add(Tensor self, Tensor other, *, Scalar scale=2) -> Tensor",
        "mine::scaled_add.out(Tensor self, Tensor other, *, Scalar scale=2, Tensor(a!) out) -> Tensor(a!)",
        "mine::head(Tensor(a) self, SymInt count=1) -> Tensor(a)",
        "mine::head_copy.out(Tensor self, SymInt count=1, *, Tensor(a!) out) -> Tensor(a!)",
        "mine::ramp(SymInt count, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
        "bool? pin_memory=None) -> Tensor",
    ]
    assert torch.Tag.pointwise in mine.scaled_add.out.tags, mine.scaled_add.out.tags
    assert set(mine.length.default.tags) == {torch.Tag.pointwise, torch.Tag.reduction}, mine.length.default.tags


def check_structured() -> None:
    """One kernel serves three operators, and the shape function those on meta tensors."""
    same(mine.scaled_add(self, other), self + 2 * other)
    same(mine.scaled_add(self, other, scale=0.5), self + 0.5 * other)
    out = torch.empty(3, 2)
    assert mine.scaled_add(self, other, out=out) is out
    same(out, self + 2 * other)
    changed = self.clone()
    assert mine.scaled_add_(changed, other) is changed
    same(changed, self + 2 * other)
    turned = torch.empty(2, 3).t()
    mine.scaled_add(self, other, out=turned)
    same(turned, self + 2 * other)
    raises(lambda: mine.scaled_add(self, torch.ones(4)), "must match the size")
    raises(lambda: mine.scaled_add(self, other, out=torch.empty(3, 2, dtype=torch.int64)), "can't be cast")
    raises(lambda: mine.scaled_add(self, torch.ones(3, 2, device="meta")), "same device")
    shape = mine.scaled_add(self.to("meta"), torch.ones(2, device="meta"))
    assert (shape.device.type, shape.shape) == ("meta", (3, 2))


def check_others() -> None:
    """Views, a factory, composites, generated variants, and an operator that changes one thing and returns another."""
    assert mine.head(self, 2).data_ptr() == self.data_ptr()
    same(mine.head(self, 2), self[:2])
    assert mine.head(self.to("meta"), 2).shape == (2, 2)
    copy = mine.head_copy(self, 2)
    assert copy.data_ptr() != self.data_ptr()
    same(copy, self[:2])
    same(mine.head_copy(self, 2, out=torch.empty(0)), self[:2])
    same(mine.tail(self, 2), self[1:])
    buffer = self.clone()
    same(mine.clip_counting(buffer, 2), torch.tensor(3))
    same(buffer, self.clamp(max=2))
    count, clipped = mine.clip_counting_functional(self, 2)
    same(count, torch.tensor(3))
    same(clipped, buffer)
    mean, rest = mine.center(self, [0, 1])
    same(mean, self.mean())
    same(rest, self - self.mean())
    same(mine.ramp(4, dtype=torch.float64), torch.arange(4, dtype=torch.float64))
    assert mine.ramp(4, device="meta").device.type == "meta"
    same(mine.ramp(4, out=torch.empty(0, dtype=torch.float64)), torch.arange(4, dtype=torch.float64))
    assert mine.length(self) == 2 + len('a "b"')
    assert mine.length(self, "") == 2


def check_functionalization() -> None:
    """Programs that write and alias do the same in terms of operators that do neither."""

    def program(tensor: Any) -> Any:
        work = tensor.clone()
        mine.scaled_add_(mine.head(work, 2), other[:2])
        mine.scaled_add(work, other, scale=3, out=mine.tail(work, 3))
        count = mine.clip_counting(work, 7)
        return work, count

    functional = torch.func.functionalize(program, remove="mutations_and_views")
    for actual, expected in zip(functional(self), program(self), strict=True):
        same(actual, expected)
    traced = import_module("torch.fx.experimental.proxy_tensor").make_fx(functional)(self)
    called = {str(node.target) for node in traced.graph.nodes if str(node.target).startswith("mine.")}
    expected = {"mine.head_copy.default", "mine.scaled_add.default", "mine.clip_counting_functional.default"}
    assert called == expected, called


def check_calls_from_cpp() -> None:
    """The operator structs, the public functions, those of a dispatch key, and those that pass a call on."""
    before = users.count_passed_on()
    same(users.by_handle(self, other), self + 3 * other)
    assert users.count_passed_on() == before + 1
    expected = [
        self + 2 * other,
        self + 2 * other,
        self + 2 * other,
        self + 5 * other,
        self[:1],
        self[:2],
        self[:2],
        self[:2],
        self.mean(0, keepdim=True) + 0.75,
        self - self.mean(0, keepdim=True),
        torch.arange(3),
        torch.arange(3, dtype=torch.float64),
        torch.arange(3, dtype=torch.float32),
        torch.zeros(3, 2, dtype=torch.float64),
        torch.zeros(3, 2, dtype=torch.int32),
    ]
    for one, wanted in zip(users.by_function(self, other), expected, strict=True):
        same(one, wanted)
    assert users.default_length(self) == 2 + len('a "b"')


check_schemas()
check_structured()
check_others()
check_functionalization()
check_calls_from_cpp()
print("all is well")
