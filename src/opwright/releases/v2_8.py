"""PyTorch 2.8, as the difference to 2.7."""

from __future__ import annotations

from opwright.releases.devices import ANY_GUARD, Device, changed, factory
from opwright.releases.keys import after
from opwright.releases.marks import tag
from opwright.releases.v2_7 import RELEASE as PREVIOUS
from opwright.values import replace

MTIA = Device(*factory("mtia"), empty_header="ATen/native/mtia/EmptyTensor.h", guard=ANY_GUARD)

KEYS = replace(
    PREVIOUS.key_facts,
    supported=(*after(PREVIOUS.key_facts.supported, "NestedTensorXPU", "NestedTensorHPU"), "MTIA"),
    structured=(*PREVIOUS.key_facts.structured, "MTIA"),
    with_functions=(*PREVIOUS.key_facts.with_functions, "MTIA"),
    flags={**PREVIOUS.key_facts.flags, "MTIA": "mtia"},
    devices={**changed(PREVIOUS.key_facts.devices, ["MPS"], has_shim=True), "MTIA": MTIA},
    shim_flags=frozenset({"mps", "xpu"}),
)

SHIMS = replace(PREVIOUS.shims, string="::std::string_view", doubled_semicolons=False, heeds_whitelist=False)

RELEASE = replace(
    PREVIOUS, name="2.8", marks=(tag("cudagraph_unsafe"),), key_facts=KEYS, joined_lists=False, shims=SHIMS
)
