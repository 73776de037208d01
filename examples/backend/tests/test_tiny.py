"""Whether the device works at all; run this first after a change of the driver.

python -m pytest tests
"""

import pytest
import torch

DEVICES = range(torch.tiny.device_count())


def test_there_is_a_device():
    assert torch.tiny.is_available()
    assert torch.accelerator.current_accelerator() == torch.device("tiny")


@pytest.mark.parametrize("index", DEVICES)
def test_memory(index):
    values = torch.arange(24.0).reshape(4, 6)
    copied = values.to(f"tiny:{index}")
    assert copied.device == torch.device("tiny", index)
    assert torch.equal(copied.cpu(), values)
    assert torch.equal(copied.t()[1:4].cpu(), values.t()[1:4])
    assert copied[2, 3].item() == 15
    with torch.tiny.device(index):
        assert torch.tiny.current_device() == index
        assert torch.ones(3, device="tiny").get_device() == index


def test_operators_without_a_kernel_run_on_the_cpu():
    torch.tiny.fallback.reset()
    values = torch.linspace(0, 1, 5)
    assert torch.equal(torch.erfinv(values.to("tiny")).cpu(), torch.erfinv(values))
    assert torch.tiny.fallback.counts()["aten::erfinv.out"] == 1


def test_training():
    torch.manual_seed(0)
    model = torch.nn.Linear(3, 1).to("tiny")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    inputs = torch.randn(8, 3, device="tiny")
    losses = []
    for _ in range(20):
        loss = (model(inputs) - inputs.sum(1, keepdim=True)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 2
