"""The model of the sample, for every test that asks a question of it."""

from __future__ import annotations

from functools import lru_cache

from opwright.diagnostics import Diagnostics
from opwright.locate import SAMPLE
from opwright.model.model import Model
from opwright.reading import read_model
from tests.releases import SAMPLES


@lru_cache(maxsize=2)
def sample_model(*devices: str) -> Model:
    """The sample read as the newest release, with the switches of these devices on."""
    native = SAMPLE / "native"
    faults = Diagnostics()
    model = read_model(native / "native_functions.yaml", native / "tags.yaml", SAMPLES, faults, frozenset(devices))
    assert model is not None and faults.items == []
    return model
