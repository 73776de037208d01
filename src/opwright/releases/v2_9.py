"""PyTorch 2.9, as the difference to 2.8."""

from __future__ import annotations

from opwright.releases.keys import after
from opwright.releases.marks import template
from opwright.releases.v2_8 import RELEASE as PREVIOUS
from opwright.values import replace

KEYS = replace(
    PREVIOUS.key_facts,
    supported=after(PREVIOUS.key_facts.supported, "SparseCsrCUDA", "SparseMPS", "SparseCsrMPS"),
    with_functions=(*PREVIOUS.key_facts.with_functions, "SparseMPS", "SparseCsrMPS"),
    flags={**PREVIOUS.key_facts.flags, "SparseMPS": "mps", "SparseCsrMPS": "mps"},
)

SHIMS = replace(
    PREVIOUS.shims,
    has_aten=True,
    optional_returns=(
        *PREVIOUS.shims.optional_returns, "_functional_sym_constrain_range", "_thhn_fused_lstm_cell_backward_impl",
        "grid_sampler_2d_backward", "grid_sampler_3d_backward", "linear_backward",
    ),
)  # fmt: skip

RELEASE = replace(
    PREVIOUS,
    name="2.9",
    marks=(template("ViewMetaClasses.h"),),
    key_facts=KEYS,
    functionalization=replace(PREVIOUS.functionalization, view_classes=True),
    schema_only=PREVIOUS.schema_only - {"SymBool"},
    cpp_types={**PREVIOUS.cpp_types, "SymBool": "c10::SymBool"},
    shims=SHIMS,
)
