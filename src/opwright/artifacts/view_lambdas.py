"""What functionalization kept of a view before 2.9: a pair of lambdas, which replay and invert it.

In: a view, or its in-place form, with its group. Out: the statement that makes the metadata in its kernel.

Rules: spec 08 section 12.4, what it says of older releases.
"""

from __future__ import annotations

from opwright.artifacts.emission import Emission
from opwright.artifacts.view_meta import AS_STRIDED, held_values, inversion, replay
from opwright.model.model import ViewGroup
from opwright.model.operators import Operator
from opwright.signatures.views import ViewMeta

_BASE, _VIEW, _INDEX = "const at::Tensor & base", "const at::Tensor & mutated_view", "int64_t mutated_view_idx"


def record(operator: Operator, group: ViewGroup, emission: Emission) -> str:
    """The statement that makes the metadata of a view in its kernel."""
    meta = emission.view_meta(group, operator)
    facts = "".join([f",\n    {fact}" for fact in _facts(meta, operator, emission)])
    return f"""  at::functionalization::ViewMeta view_meta = at::functionalization::ViewMeta(
    [{_captured(meta, "reapply_views", emission)}]({_BASE}, {_INDEX}) -> at::Tensor {{
  {replay(group, operator, emission)}
    }},
    [{_captured(meta, emission.facts.views.inverse_mode.name, emission)}]({_BASE}, {_VIEW}, {_INDEX}) -> at::Tensor {{
      {inversion(group, operator, emission)}
    }}{facts}
  );
"""


def _captured(meta: ViewMeta, mode: str, emission: Emission) -> str:
    """What a lambda holds: how views are made, and the arguments of the view."""
    values = zip(meta.attributes, held_values(meta, emission), strict=True)
    modes = ("reapply_views", "inverse_return_mode")
    held = [f"{item.name} = {value}" for item, value in values if item.name not in modes]
    return ", ".join([f"{mode} = {mode}", *held])


def _facts(meta: ViewMeta, operator: Operator, emission: Emission) -> list[str]:
    """What is said of the view behind its lambdas; of an in-place form only what cannot be told from its kind."""
    values = {
        "has_symbolic_inputs": "has_symbolic_inputs",
        "is_multi_output": "true" if meta.has_many else "false",
        "is_as_strided": "true" if operator.name.text == AS_STRIDED else "false",
    }
    told = emission.model.release.functionalization.view_facts
    is_inplace = "inplace_view" in operator.tags
    return [values[fact] for fact in told if not is_inplace or fact == "has_symbolic_inputs"]
