"""Two devices: which one is current, guards, generated checks, generators, and the device module."""

import threading

import pytest
import torch

ONE, OTHER = torch.device("tiny:0"), torch.device("tiny:1")


def test_the_current_device():
    assert torch.tiny.current_device() == 0
    with torch.tiny.device(1):
        assert torch.tiny.current_device() == 1
        assert torch.empty(3, device="tiny").device == OTHER
        with torch.tiny.device(None):
            assert torch.tiny.current_device() == 1
        with torch.tiny.device("tiny:0"):
            assert torch.ones(3, device="tiny").device == ONE
    assert torch.tiny.current_device() == 0


def test_each_thread_has_its_own():
    seen = []
    with torch.tiny.device(1):
        thread = threading.Thread(target=lambda: seen.append(torch.tiny.current_device()))
        thread.start()
        thread.join()
    assert seen == [0]


@pytest.mark.parametrize("current", [0, 1])
@pytest.mark.parametrize("device", [ONE, OTHER])
def test_results_are_where_the_operands_are(device, current):
    values = torch.arange(4.0).reshape(2, 2)
    with torch.tiny.device(current):
        tensor = values.to(device)
        results = [tensor + 1, tensor * tensor, tensor - 2, tensor @ tensor, tensor.relu(), tensor.erfinv(), -tensor]
        results += [torch.atan2(tensor, tensor), tensor.sum(), tensor.to(torch.int64), tensor[:, ::2].contiguous()]
        results += [torch.zeros_like(tensor), torch.empty(2, device=device), tensor.resize_(3, 3)]
        assert torch.tiny.current_device() == current
    for result in results:
        assert result.device == device
        assert result.untyped_storage().device == device


@pytest.mark.parametrize("name", ["mm", "add", "mul", "sub", "div", "atan2"])
def test_operands_on_two_devices_are_refused(name):
    function = getattr(torch, name)
    here, there = torch.ones(2, 2, device=ONE), torch.ones(2, 2, device=OTHER)
    with pytest.raises(RuntimeError, match="same device"):
        function(here, there)
    with pytest.raises(RuntimeError, match="same device"):
        function(here, torch.ones(2, 2))
    with pytest.raises(RuntimeError, match="same device"):
        function(here, here, out=torch.empty(2, 2, device=OTHER))


def test_scalars_of_the_cpu_go_with_any_device():
    tensor = torch.arange(3.0, device=OTHER)
    scalar = torch.tensor(2.0)
    assert (tensor * scalar).tolist() == [0, 2, 4]
    assert (tensor + scalar).device == (scalar - tensor).device == OTHER


def test_devices_that_are_not_there():
    with pytest.raises(RuntimeError, match="there is no tiny:2; devices: 2"):
        torch.empty(3, device="tiny:2")
    with pytest.raises(RuntimeError, match="there is no"):
        torch.tiny.set_device(7)
    with pytest.raises(ValueError, match="'cpu' is not a device of tiny"):
        torch.tiny.set_device("cpu")
    assert torch.tiny.current_device() == 0


def test_the_accelerator():
    assert torch.accelerator.current_accelerator() == torch.device("tiny")
    assert torch.accelerator.device_count() == torch.tiny.device_count() == 2
    torch.tiny.synchronize()
    torch.accelerator.synchronize(1)
    stream = torch.Stream("tiny:1")
    event = stream.record_event()
    event.synchronize()
    assert event.query() and stream.query()


def test_methods():
    tensor = torch.ones(2)
    assert tensor.tiny(1).device == OTHER
    assert tensor.tiny().is_tiny and not tensor.is_tiny
    assert next(torch.nn.Linear(2, 2).tiny().parameters()).device == ONE
    assert tensor.untyped_storage().tiny().device == ONE


def test_seeds():
    torch.manual_seed(1)
    expected = torch.randn(5), torch.rand(5)
    for device in (ONE, OTHER):
        torch.manual_seed(1)
        ours = torch.randn(5, device=device), torch.rand(5, device=device)
        assert torch.equal(ours[0].cpu(), expected[0]) and torch.equal(ours[1].cpu(), expected[1])
    torch.manual_seed(1)
    torch.randn(5, device=ONE)
    assert torch.equal(torch.randn(5), expected[0])  # each device has numbers of its own
    assert torch.equal(torch.randn(5, device=OTHER).cpu(), expected[0])


def test_operators_of_the_fallback_draw_from_the_device():
    torch.manual_seed(1)
    expected = torch.randperm(9), torch.bernoulli(torch.full((9,), 0.5))
    torch.manual_seed(1)
    assert torch.equal(torch.randperm(9, device=OTHER).cpu(), expected[0])
    assert torch.equal(torch.bernoulli(torch.full((9,), 0.5, device=OTHER)).cpu(), expected[1])


def test_generators():
    generator = torch.Generator("tiny:1").manual_seed(3)
    assert generator.device == OTHER and generator.initial_seed() == 3
    drawn = torch.rand(4, generator=generator, device=OTHER)
    assert torch.equal(drawn.cpu(), torch.rand(4, generator=torch.Generator().manual_seed(3)))
    state = generator.get_state()
    again = torch.rand(4, generator=generator, device=OTHER)
    generator.set_state(state)
    assert torch.equal(torch.rand(4, generator=generator, device=OTHER), again)
    copied = generator.clone_state()
    assert torch.equal(torch.rand(4, generator=generator, device=OTHER), torch.rand(4, generator=copied, device=OTHER))


def test_random_seeds():
    torch.tiny.seed_all()
    first = torch.rand(3, device=ONE)
    assert torch.equal(torch.rand(3, device=OTHER), first.to(OTHER))
    torch.tiny.seed()
    assert not torch.equal(torch.rand(3, device=ONE), first)


def test_states():
    torch.tiny.manual_seed(5)
    assert torch.tiny.initial_seed() == 5
    states = torch.tiny.get_rng_state_all()
    drawn = torch.rand(3, device=ONE)
    torch.tiny.set_rng_state(states[0], "tiny:0")
    assert torch.equal(torch.rand(3, device=ONE), drawn)
    torch.tiny.set_rng_state_all(states)
    with torch.random.fork_rng(devices=[0], device_type="tiny"):
        assert torch.equal(torch.rand(3, device=ONE), drawn)
    assert torch.equal(torch.rand(3, device=ONE), drawn)
