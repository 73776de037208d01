"""The device module `torch.tiny`: what PyTorch and programs ask of a kind of device by name.

with torch.tiny.device(1):
    torch.tiny.current_device()  ->  1
"""

from __future__ import annotations

import torch

from tiny import fallback

__all__ = [
    "current_device",
    "device",
    "device_count",
    "fallback",
    "get_rng_state",
    "get_rng_state_all",
    "init",
    "initial_seed",
    "is_available",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
    "seed",
    "seed_all",
    "set_device",
    "set_rng_state",
    "set_rng_state_all",
    "synchronize",
]

Device = torch.device | str | int | None


def device_count() -> int:
    """The number of devices."""
    return torch.ops.tiny.device_count()


def is_available() -> bool:
    """Whether there is a device."""
    return device_count() > 0


def init() -> None:
    """Nothing: the library is ready when it is loaded. A device that is slow to start does so here."""


def is_initialized() -> bool:
    """Whether `init` was called; fake tensors ask before they make tensors of the device."""
    return True


def current_device() -> int:
    """The number of the device that new tensors of this thread are made on."""
    return torch.accelerator.current_device_index()


def set_device(device: Device) -> None:
    """Choose the current device of this thread."""
    torch.accelerator.set_device_index(_index(device))


def synchronize(device: Device = None) -> None:
    """Wait for the work of a device, or of the current one."""
    torch.accelerator.synchronize(_index(device))


class device:
    """Makes a device the current one within a `with` block. None leaves it as it is; `torch.load` needs this."""

    def __init__(self, device: Device) -> None:
        self.index = _index(device)
        self.previous = self.index

    def __enter__(self) -> device:
        self.previous = current_device()
        set_device(self.index)
        return self

    def __exit__(self, *_: object) -> None:
        set_device(self.previous)


# Random numbers. `torch.manual_seed` calls `manual_seed_all`, and `torch.random.fork_rng` the functions about states.


def manual_seed(seed: int) -> None:
    """Seed the random numbers of the current device."""
    _generator().manual_seed(seed)


def manual_seed_all(seed: int) -> None:
    """Seed the random numbers of all devices."""
    for index in range(device_count()):
        _generator(index).manual_seed(seed)


def seed() -> None:
    """Seed the random numbers of the current device with a random number."""
    _generator().seed()


def seed_all() -> None:
    """Seed the random numbers of all devices with one random number."""
    manual_seed_all(_generator().seed())


def initial_seed() -> int:
    """The seed of the current device."""
    return _generator().initial_seed()


def get_rng_state(device: Device = None) -> torch.Tensor:
    """The state of a device's random numbers, as bytes on the CPU."""
    return _generator(device).get_state()


def set_rng_state(new_state: torch.Tensor, device: Device = None) -> None:
    """Go back to a state that `get_rng_state` gave."""
    _generator(device).set_state(new_state.cpu())


def get_rng_state_all() -> list[torch.Tensor]:
    """The states of all devices."""
    return [get_rng_state(index) for index in range(device_count())]


def set_rng_state_all(new_states: list[torch.Tensor]) -> None:
    """Go back to states that `get_rng_state_all` gave."""
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


def _is_in_bad_fork() -> bool:
    # Whether this process was forked from one that used the device, if that makes the device unusable.
    return False


def _generator(device: Device = None) -> torch.Generator:
    return torch.ops.tiny.default_generator(_index(device))


def _index(device: Device) -> int:
    # The number of a device that may be given as number, text ("tiny:1") or torch.device; by default the current one.
    if isinstance(device, int):
        return device
    if device is not None:
        device = torch.device(device)
        if device.type != "tiny":
            raise ValueError(f"'{device}' is not a device of tiny")
        if device.index is not None:
            return device.index
    return current_device()
