"""The fallback to the CPU: what it counts, allows and denies."""

import copy

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
    (tensor + tensor * 2 - tensor / 3).mm(tensor).relu().sigmoid().sum().item()
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


@pytest.mark.parametrize("layer", [torch.nn.Conv1d, torch.nn.Conv2d, torch.nn.ConvTranspose2d])
@pytest.mark.parametrize("bias", [True, False])
def test_convolutions(layer, bias):
    on_cpu = layer(3, 4, 3, stride=2, bias=bias)
    on_device = copy.deepcopy(on_cpu).to("tiny:1")
    values = torch.randn(2, 3, 9) if layer is torch.nn.Conv1d else torch.randn(2, 3, 9, 9)
    theirs, ours = values.clone().requires_grad_(), values.to("tiny:1").requires_grad_()
    expected, result = on_cpu(theirs), on_device(ours)
    assert result.device == ours.device
    torch.testing.assert_close(result.cpu(), expected)
    expected.square().sum().backward()
    result.square().sum().backward()
    torch.testing.assert_close(ours.grad.cpu(), theirs.grad)
    for our, their in zip(on_device.parameters(), on_cpu.parameters(), strict=True):
        torch.testing.assert_close(our.grad.cpu(), their.grad)
    counts = torch.tiny.fallback.counts()
    assert counts["aten::convolution_overrideable"] == counts["aten::convolution_backward_overrideable"] == 1
    torch.tiny.fallback.deny(["aten::convolution_overrideable"])
    with pytest.raises(NotImplementedError, match="aten::convolution_overrideable"):
        on_device(ours)
    torch.tiny.fallback.deny([])
    with pytest.raises(RuntimeError, match="same device"):
        on_device(ours.to("tiny:0"))


def test_tensors_of_two_devices_are_refused():
    here, there = torch.ones(2, 2, device="tiny:0"), torch.ones(2, 2, device="tiny:1")
    for function in (
        lambda: torch.bmm(here[None], there[None]),
        lambda: torch.cat([here, there]),
        lambda: torch.erfinv(here, out=there),
        lambda: torch.erfinv(here, out=torch.empty(2, 2)),
    ):
        with pytest.raises(RuntimeError, match="same device"):
            function()
    assert here[torch.tensor([0])].device == here.device  # indices of the CPU are fine
