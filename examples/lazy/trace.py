"""Trace a function, show the graph, and compare what it computes with the CPU.

python trace.py build/traced.so
"""

import sys

import torch
from torch._lazy import metrics


def function(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    return torch.relu(torch.mm(x, w) * 2 + torch.roll(x, 1, 0))


def main(library: str) -> None:
    torch.ops.load_library(library)
    torch.ops.traced.init()

    x, w = torch.arange(-2.0, 2.0).reshape(2, 2), torch.eye(2)
    traced = function(x.to("lazy"), w.to("lazy"))
    # Nothing is computed yet. `NodeType` in the graph shows whose nodes these are.
    print(torch._C._lazy._get_tensors_text([traced]))
    for name in metrics.counter_names():
        if name.startswith("traced::"):
            print(name, metrics.counter_value(name))

    torch.testing.assert_close(traced.cpu(), function(x, w))
    print("computes what the CPU computes")


if __name__ == "__main__":
    main(sys.argv[1])
