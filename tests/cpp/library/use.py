"""Use the compiled library and compare with plain torch; run by the test in a process of its own.

python use.py LIBRARY
"""

import sys
from importlib import import_module
from typing import Any

torch: Any = import_module("torch")  # in a way that type checkers accept where no torch is installed
torch.ops.load_library(sys.argv[1])
mine, users = torch.ops.mine, torch.ops.mine_users
self, other = torch.arange(6.0).reshape(3, 2), torch.ones(3, 2)


def same(actual: Any, expected: Any) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=0)


# From Python: the schemas that were registered, and the kernels behind them.
printed = [
    str(op._schema) for op in (mine.scaled_add.default, mine.scaled_add.out, mine.head.default, mine.ramp.default)
]
assert printed == [
    "mine::scaled_add(Tensor self, Tensor other, *, Scalar scale=2) -> Tensor",
    "mine::scaled_add.out(Tensor self, Tensor other, *, Scalar scale=2, Tensor(a!) out) -> Tensor(a!)",
    "mine::head(Tensor(a) self, SymInt count=1) -> Tensor(a)",
    "mine::ramp(SymInt count, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor",
], printed
assert mine.scaled_add.out.tags == [torch.Tag.pointwise], mine.scaled_add.out.tags
assert set(mine.length.default.tags) == {torch.Tag.pointwise, torch.Tag.reduction}, mine.length.default.tags
same(mine.scaled_add(self, other), self + 2 * other)
same(mine.scaled_add(self, other, scale=0.5), self + 0.5 * other)
out = torch.empty(3, 2)
assert mine.scaled_add(self, other, out=out) is out
same(out, self + 2 * other)
assert mine.head(self, 2).data_ptr() == self.data_ptr()
same(mine.head(self, 2), self[:2])
mean, rest = mine.center(self, [0, 1])
same(mean, self.mean())
same(rest, self - self.mean())
same(mine.ramp(4, dtype=torch.float64), torch.arange(4, dtype=torch.float64))
assert mine.length(self) == 2 + len('a "b"')
assert mine.length(self, "") == 2

# From C++: the operator structs, the public functions, and the functions that pass a call on.
before = users.count_passed_on()
same(users.by_handle(self, other), self + 3 * other)
assert users.count_passed_on() == before + 1
expected = [
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
actual = users.by_function(self, other)
for one, wanted in zip(actual, expected, strict=True):
    same(one, wanted)
assert users.default_length(self) == 2 + len('a "b"')
print("all is well")
