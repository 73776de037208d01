"""The fallback to the CPU: what it counts, allows and denies."""

import pytest
import torch


@pytest.fixture(autouse=True)
def fresh():
    torch.tiny.fallback.reset()
    yield
    torch.tiny.fallback.allow(None)
    torch.tiny.fallback.deny([])


def test_runs_are_counted():
    tensor = torch.linspace(0, 1, 4).to("tiny")
    torch.tiny.fallback.reset()
    for _ in range(3):
        tensor.erfinv()
    tensor.cosh_()
    assert torch.tiny.fallback.counts() == {"aten::erfinv.out": 3, "aten::cosh.out": 1}
    torch.tiny.fallback.reset()
    assert torch.tiny.fallback.counts() == {}


def test_operators_with_kernels_are_not_counted():
    tensor = torch.ones(2, 2, device="tiny")
    torch.tiny.fallback.reset()
    (tensor + tensor * 2 - tensor / 3).mm(tensor).relu().sum().item()
    torch.atan2(tensor, tensor.t()).neg_().fill_(2).zero_()
    assert torch.tiny.fallback.counts() == {}


def test_denied_operators_fail():
    tensor = torch.ones(2, device="tiny")
    torch.tiny.fallback.deny(["aten::erfinv.out", "aten::cosh"])
    message = r"tiny has no kernel for aten::erfinv\.out, and its fallback to the CPU is not allowed"
    with pytest.raises(NotImplementedError, match=message):
        tensor.erfinv()
    with pytest.raises(NotImplementedError, match=r"aten::cosh\.out"):
        tensor.cosh()
    assert torch.tiny.fallback.counts() == {}
    tensor.sinh()
    torch.tiny.fallback.deny([])
    tensor.cosh()


def test_only_allowed_operators_run():
    tensor = torch.ones(2, device="tiny")
    torch.tiny.fallback.allow(["aten::cosh", "aten::sinh.out"])
    tensor.cosh()
    tensor.sinh()
    with pytest.raises(NotImplementedError, match=r"aten::erfinv\.out"):
        tensor.erfinv()
    torch.tiny.fallback.deny(["aten::cosh"])
    with pytest.raises(NotImplementedError, match=r"aten::cosh\.out"):
        tensor.cosh()
    torch.tiny.fallback.allow(None)
    tensor.erfinv()


def test_lists_and_several_results():
    values = torch.tensor([[3.0, 1, 2], [6, 5, 4]])
    ours = values.to("tiny:1")
    top, places = ours.topk(2)
    assert (top.device, places.device) == (ours.device, ours.device)
    assert torch.equal(top.cpu(), values.topk(2).values)
    assert torch.equal(torch.cat([ours, ours]).cpu(), torch.cat([values, values]))
    assert torch.equal(ours.cumsum(0).cpu(), values.cumsum(0))
    assert ours.max().item() == 6
    torch._foreach_add_([ours], 1)
    assert torch.equal(ours.cpu(), values + 1)
