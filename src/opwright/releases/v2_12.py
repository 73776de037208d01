"""PyTorch 2.12, as the difference to 2.11."""

from __future__ import annotations

from opwright.releases.marks import template_text
from opwright.releases.v2_11 import RELEASE as PREVIOUS
from opwright.values import replace

LISTS = replace(
    PREVIOUS.lists,
    not_functionalized=PREVIOUS.lists.not_functionalized | {"_flash_attention_forward_no_dropout_inplace"},
    unused_autogen=PREVIOUS.lists.unused_autogen | {"_upsample_lanczos2d_aa.vec_out"},
    dtype_of_out=frozenset({"cumsum.out", "cumsum.dimname_out", "cumprod.out", "cumprod.dimname_out"}),
)

RELEASE = replace(
    PREVIOUS,
    name="2.12",
    marks=(template_text("enum_tag.h", "headeronly"),),
    lists=LISTS,
    header_only_tags=True,
    shims=replace(PREVIOUS.shims, passes_defaults=True),
)
