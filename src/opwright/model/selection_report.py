"""What a selection comes to: which operators and dispatch keys are kept, which are dropped, and which it names in vain.

In: a model and a selection. Out: a `SelectionReport`, and its JSON text.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from opwright.model.model import Model
from opwright.model.selection import Selection
from opwright.releases.keys import DispatchKey
from opwright.values import Value


class SelectionReport(Value):
    """Full names of operators, those of the selection that no operator of the source has (`unknown`), names of keys."""

    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    unknown: tuple[str, ...]
    keys_kept: tuple[str, ...]
    keys_dropped: tuple[str, ...]

    def json(self) -> str:
        """The report as a JSON object with the keys `operators` and `dispatch_keys`."""
        operators = {"kept": self.kept, "dropped": self.dropped, "unknown": self.unknown}
        keys = {"kept": self.keys_kept, "dropped": self.keys_dropped}
        return json.dumps({"operators": operators, "dispatch_keys": keys}, indent=2) + "\n"


def selection_report(
    model: Model, selection: Selection | None, is_on: Callable[[DispatchKey], bool]
) -> SelectionReport:
    """What a selection, None for all operators, makes of a model; `is_on` says of a key whether it has files."""
    names = [operator.full_name for operator in model.operators]
    kept = [name for name in names if selection is None or selection.is_selected(name)]
    in_vain: list[str] = []
    if selection is not None:
        full, bases = set(names), {name.partition(".")[0] for name in names}
        in_vain = [
            name
            for name, listed in selection.operators.items()
            if name not in full and not (listed.include_all_overloads and name in bases)
        ]
    keys = [model.release.keys[name] for name in model.release.supported]
    chosen = set(kept)
    return SelectionReport(
        kept=tuple(kept),
        dropped=tuple([name for name in names if name not in chosen]),
        unknown=tuple(in_vain),
        keys_kept=tuple([key.name for key in keys if is_on(key)]),
        keys_dropped=tuple([key.name for key in keys if not is_on(key)]),
    )
