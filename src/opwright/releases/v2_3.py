"""PyTorch 2.3, as the difference to 2.2."""

from __future__ import annotations

from opwright.releases.devices import changed
from opwright.releases.keys import after
from opwright.releases.marks import tag
from opwright.releases.v2_2 import RELEASE as PREVIOUS
from opwright.values import replace

KEYS = replace(
    PREVIOUS.key_facts,
    singles=(*PREVIOUS.key_facts.singles, "SparseCsr", "PreDispatch"),
    prefixes=after(PREVIOUS.key_facts.prefixes, "Sparse", "SparseCsr"),
    supported=after(PREVIOUS.key_facts.supported, "SparseMeta", "SparseCsrMeta"),
    devices=changed(PREVIOUS.key_facts.devices, ["CPU", "CUDA"], has_shim=True),
)

LISTS = replace(
    PREVIOUS.lists,
    functional_without_out=PREVIOUS.lists.functional_without_out
    | {"_cslt_sparse_mm_search", "_assert_scalar", "_print", "_nested_get_ragged_idx"},
    inplace_view_exempt_bases=frozenset({"set_"}),
    generated_despite_view=frozenset({"set_"}),
)

RELEASE = replace(
    PREVIOUS,
    name="2.3",
    marks=(tag("needs_fixed_stride_order"),),
    key_facts=KEYS,
    spelling=replace(PREVIOUS.spelling, opt_type_meta="c10::optTypeMetaToScalarType"),
    functionalization=replace(PREVIOUS.functionalization, inverse_modes=True, plain_call_end=""),
    lists=LISTS,
    has_scatter_views=True,
)
