"""PyTorch 2.2, as the difference to 2.1."""

from __future__ import annotations

from opwright.releases.marks import tag
from opwright.releases.v2_1 import RELEASE as PREVIOUS
from opwright.values import replace

KEYS = replace(
    PREVIOUS.key_facts,
    singles=(*PREVIOUS.key_facts.singles, "NestedTensor", "Dense", "Conjugate", "Negative", "BatchedNestedTensor"),
)

RELEASE = replace(
    PREVIOUS,
    name="2.2",
    marks=(tag("pt2_compliant_tag"),),
    key_facts=KEYS,
    scalar_types=(*PREVIOUS.scalar_types, "Float8_e5m2fnuz", "Float8_e4m3fnuz"),
    spelling=replace(PREVIOUS.spelling, guard_int="guard_int(__FILE__, __LINE__)", pooled_tags=True),
    functionalization=replace(PREVIOUS.functionalization, view_facts=("is_multi_output",)),
    lazy=replace(PREVIOUS.lazy, holds_generators=True),
    lists=replace(
        PREVIOUS.lists, functionalized_by_hand=PREVIOUS.lists.functionalized_by_hand | {"set_.source_Tensor"}
    ),
    implied_tags=frozenset({"pt2_compliant_tag"}),
    inherited_tags=PREVIOUS.inherited_tags | {"pt2_compliant_tag"},
    returns_optional_tensor=True,
)
