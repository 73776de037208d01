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


def replace_list(known: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Put other operators into a list of the reference."""
    known.clear()
    known.update({torchgen_name(name): said for name, said in wanted.items()})


def main() -> None:
    """Replace the lists and run the generator."""
    here = os.path.realpath(sys.path[0])
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry) != here]
    wanted = yaml.safe_load(Path(sys.argv.pop(1)).read_text(encoding="utf-8"))
    lists = import_module("torchgen.aoti.fallback_ops")
    replace_list(lists.inductor_fallback_ops, wanted.get("devices", {}))
    replace_list(lists.aten_shimified_ops, wanted.get("aten", {}))
    gen = import_module("torchgen.gen")
    sys.modules["__main__"].__file__ = gen.__file__
    gen.main()


if __name__ == "__main__":
    main()
