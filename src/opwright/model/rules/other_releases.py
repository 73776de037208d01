"""What the release that is followed does not have, but another one does.

In: a name that is not known. Out: what to say of it.

    no_operator("align_to", ["add.Tensor"], "2.13")
        ->  "there is no operator 'align_to' in PyTorch 2.13: it was last there in PyTorch 2.12", and what to do
"""

from __future__ import annotations

from collections.abc import Collection

from opwright.diagnostics import nearest
from opwright.releases.history import came_in_turn, when_there

#: What stands before the names of PyTorch's operators where they have a namespace.
_NAMESPACE = "aten::"


def no_operator(name: str, operators: Collection[str], release: str) -> tuple[str, str] | None:
    """A message and a hint about an operator that only other releases have; None when none has it.

    `operators` are those of the source; like `name`, they may stand with the namespace of PyTorch or without any.
    """
    when = when_there(name.removeprefix(_NAMESPACE), release)
    if when is None:
        return None
    base = name.partition(".")[0]
    overloads = [known for known in operators if known.partition(".")[0] == base]
    help = f"PyTorch {release} has {', '.join(overloads)}" if overloads else _renamed(name, operators, release)
    return f"there is no operator '{name}' in PyTorch {release}: {when}", help or _GONE


_GONE = "remove it, or choose the release with --release"


def _renamed(name: str, operators: Collection[str], release: str) -> str | None:
    """A hint at an operator that came when another one went, if their names are alike."""
    found = came_in_turn(name.removeprefix(_NAMESPACE), release)
    if found is None:
        return None
    since, came = found
    base, _, overload = name.partition(".")
    alike = [known.partition(".") for known in operators if known.removeprefix(_NAMESPACE) in came]
    near = nearest(base, [one for one, _, other in alike if other == overload])
    return f"did you mean '{name.replace(base, near, 1)}', which came with PyTorch {since}?" if near else None
