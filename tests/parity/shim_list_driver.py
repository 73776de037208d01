"""Run the reference generator with other lists of the operators that shims offer.

    python shim_list_driver.py LIST [options of torchgen.gen]

In: a list as Opwright reads it, and the command line of `torchgen.gen`. Out: the files of the reference, whose own
lists, which are part of its modules, have been replaced. Parts of names in `optional_returns` cannot be replaced.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml


def torchgen_name(name: str) -> str:
    """The name of an operator as the reference lists it: `aten.add.Tensor`, `aten.relu.default`."""
    namespace, _, own = name.partition("::")
    return f"{namespace}.{own}" if "." in own else f"{namespace}.{own}.default"


def replace_list(known: dict[str, Any] | set[str], wanted: dict[str, Any]) -> None:
    """Put other operators into a list of the reference, which releases have written in three ways."""
    named = {torchgen_name(name): said for name, said in wanted.items()}
    if isinstance(known, set):
        known.clear()
        known.update(named)
        return
    has_since = any("since" in said for said in known.values())
    known.clear()
    known.update({name: said if has_since else versions(said) for name, said in named.items()})


def versions(said: dict[str, Any]) -> dict[str, list[str]]:
    """What is said of an operator as it is in releases that know the new arguments of a version only."""
    return {name: version.get("new_args", []) for name, version in said.items() if name != "since"}


def main() -> None:
    """Replace the lists and run the generator."""
    here = os.path.realpath(sys.path[0])
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry) != here]
    wanted = yaml.safe_load(Path(sys.argv.pop(1)).read_text(encoding="utf-8"))
    lists = import_module("torchgen.aoti.fallback_ops")
    replace_list(lists.inductor_fallback_ops, wanted.get("devices", {}))
    if hasattr(lists, "aten_shimified_ops"):
        replace_list(lists.aten_shimified_ops, wanted.get("aten", {}))
    gen = import_module("torchgen.gen")
    sys.modules["__main__"].__file__ = gen.__file__
    gen.main()


if __name__ == "__main__":
    main()
