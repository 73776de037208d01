"""PyTorch 2.4, as the difference to 2.3."""

from __future__ import annotations

from opwright.releases.keys import COMPOSITE_IMPLICIT
from opwright.releases.marks import template_text
from opwright.releases.release import DATA
from opwright.releases.v2_3 import RELEASE as PREVIOUS
from opwright.values import replace

SINGLES = tuple(name if name != "ORT" else "MAIA" for name in PREVIOUS.key_facts.singles)

SPELLING = replace(
    PREVIOUS.spelling,
    optional="::std::optional",
    make_optional="::std::make_optional",
    nullopt="::std::nullopt",
    common_device="std::optional<Device> common_device = std::nullopt",
)

LAZY = replace(
    PREVIOUS.lazy,
    meta_options="std::make_optional(tensor.scalar_type()), std::make_optional(tensor.layout()), "
    "std::make_optional(c10::Device(c10::kMeta)), std::nullopt",
)

SHIMS = replace(
    PREVIOUS.shims,
    listed=DATA / "aoti.yaml",
    headers=("{}", "torch/csrc/inductor/aoti_torch/utils.h"),
    fallbacks=(*PREVIOUS.shims.fallbacks, COMPOSITE_IMPLICIT),
    optional_returns=(
        *PREVIOUS.shims.optional_returns, "_scaled_dot_product_efficient_attention", "convolution_backward",
    ),
    formless=frozenset(),
    calls_delegates=True,
    inplace_results=False,
    compares_headers=True,
)  # fmt: skip

RELEASE = replace(
    PREVIOUS,
    name="2.4",
    marks=(template_text("RegisterFunctionalization.cpp", "::std::optional"),),
    key_facts=replace(
        PREVIOUS.key_facts,
        singles=(*SINGLES, "PythonTLSSnapshot", "PythonDispatcher", "AutocastCPU", "AutocastCUDA"),
    ),
    spelling=SPELLING,
    functionalization=replace(
        PREVIOUS.functionalization,
        view_facts=("has_symbolic_inputs", "is_multi_output", "is_as_strided"),
        tells_symbolic_inputs=True,
    ),
    lazy=LAZY,
    lists=replace(PREVIOUS.lists, functional_without_out=PREVIOUS.lists.functional_without_out | {"_sink_tokens"}),
    shims=SHIMS,
)
