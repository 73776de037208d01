"""PyTorch 2.13, as the difference to 2.12."""

from __future__ import annotations

from opwright.releases.marks import gone_text, tag
from opwright.releases.v2_12 import RELEASE as PREVIOUS
from opwright.values import replace

RELEASE = replace(
    PREVIOUS,
    name="2.13",
    marks=(tag("out"), gone_text("TensorBody.h", "NamedTensor.h", is_strict=True)),
    base_types=tuple(name for name in PREVIOUS.base_types if name != "Dimname"),
    key_facts=replace(PREVIOUS.key_facts, singles=(*PREVIOUS.key_facts.singles, "AutocastXPU")),
    kernels=replace(PREVIOUS.kernels, named_outputs=False),
    lazy=replace(PREVIOUS.lazy, node_text="std::move(ss).str()"),
    lists=replace(
        PREVIOUS.lists, dtype_of_out=PREVIOUS.lists.dtype_of_out - {"cumsum.dimname_out", "cumprod.dimname_out"}
    ),
    implied_tags=PREVIOUS.implied_tags | {"out", "inplace"},
    tags_generated_out=True,
    shims=replace(PREVIOUS.shims, guards_declarations=True),
    cpp_types={name: text for name, text in PREVIOUS.cpp_types.items() if name != "Dimname"},
)
