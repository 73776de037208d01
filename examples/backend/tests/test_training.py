"""A network of two layers learns on the device what it learns on the CPU."""

import copy

import pytest
import torch
from torch.nn import functional

STEPS = 20


def train(model, optimizer, loss, inputs, targets):
    """The losses of each step."""
    stepper = optimizer(model.parameters())
    losses = []
    for _ in range(STEPS):
        value = loss(model(inputs), targets)
        stepper.zero_grad()
        value.backward()
        stepper.step()
        losses.append(value.item())
    return losses


@pytest.mark.parametrize("device", ["tiny:0", "tiny:1"])
@pytest.mark.parametrize(
    "optimizer",
    [lambda parameters: torch.optim.SGD(parameters, lr=0.1, momentum=0.9), torch.optim.AdamW],
    ids=["sgd", "adamw"],
)
@pytest.mark.parametrize("loss", [functional.mse_loss, functional.cross_entropy], ids=["mse", "cross-entropy"])
def test_losses_are_those_of_the_cpu(loss, optimizer, device):
    torch.manual_seed(0)
    on_cpu = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4))
    on_device = copy.deepcopy(on_cpu).to(device)
    inputs = torch.randn(32, 8)
    targets = torch.randn(32, 4) if loss is functional.mse_loss else torch.randint(4, (32,))
    expected = train(on_cpu, optimizer, loss, inputs, targets)
    losses = train(on_device, optimizer, loss, inputs.to(device), targets.to(device))
    assert losses == pytest.approx(expected, rel=0, abs=1e-5)
    assert losses[-1] < losses[0]
    for ours, theirs in zip(on_device.parameters(), on_cpu.parameters(), strict=True):
        assert ours.device == torch.device(device) and ours.grad.device == torch.device(device)
        torch.testing.assert_close(ours.cpu(), theirs, rtol=0, atol=1e-5)
