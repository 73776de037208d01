"""PyTorch 2.10, as the difference to 2.9."""

from __future__ import annotations

from opwright.releases.marks import tag
from opwright.releases.v2_9 import RELEASE as PREVIOUS
from opwright.values import replace

RELEASE = replace(
    PREVIOUS,
    name="2.10",
    marks=(tag("reduction"),),
    functionalization=replace(PREVIOUS.functionalization, composites="views"),
)
