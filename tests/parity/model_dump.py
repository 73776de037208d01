"""Print what the reference reads from a source folder, before it makes any file.

    python model_dump.py SOURCE [--mps] [--xpu] [--mtia]

In: a folder with `native/native_functions.yaml` and `native/tags.yaml`; the `torchgen` that the interpreter finds.
Out: one JSON object on standard output, each value a list of lines:

    operators    schema of each operator, in list order, the generated ones at the end
    generated    schema of each generated operator
    groups       `G functional=add.Tensor inplace=add_.Tensor out=add.out` or `F name` for an operator in no group
    view_groups  `V view=t view_copy=t_copy view_inplace=t_` or `F name`
    kernels      `key|operator|kernel|1 if structured, else 0|namespace`
    tags         `operator:tag,tag`

The lines have the form that the specification uses for its digests.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

# Keys that the command line leaves out unless its option is given.
OPTIONAL_KEYS = {"--mps": ("MPS", "SparseMPS", "SparseCsrMPS"), "--xpu": ("XPU",), "--mtia": ("MTIA",)}


def ignored_keys(supported: list[Any], flags: list[str]) -> set[Any]:
    """The dispatch keys that `torchgen.gen` ignores in dispatch tables under these flags."""
    names = {name for flag, keys in OPTIONAL_KEYS.items() if flag not in flags for name in keys}
    return {key for key in supported if key.name in names}


def group_line(group: Any) -> str:
    """One item of the grouping by signature."""
    if not hasattr(group, "functional"):
        return f"F {group.func.name}"
    members = [(kind, getattr(group, kind)) for kind in ("functional", "inplace", "mutable", "out")]
    return "G " + " ".join(f"{kind}={member.func.name}" for kind, member in members if member is not None)


def view_line(group: Any) -> str:
    """One item of the grouping by view."""
    if not hasattr(group, "view"):
        return f"F {group.func.name}"
    members = [(kind, getattr(group, kind)) for kind in ("view", "view_copy", "view_inplace")]
    return "V " + " ".join(f"{kind}={member.func.name}" for kind, member in members if member is not None)


def kernel_lines(indices: dict[Any, Any]) -> Iterator[str]:
    """The kernel table, key by key."""
    for key, backend in indices.items():
        for name, kernel in backend.index.items():
            yield f"{key}|{name}|{kernel.kernel}|{int(kernel.structured)}|{kernel.cpp_namespace}"


def dump(gen: Any, model: Any, source: str, flags: list[str]) -> dict[str, list[str]]:
    """Read `source` with the given modules `torchgen.gen` and `torchgen.model`; see the top of this file."""
    ignored = ignored_keys(model.dispatch_keys, flags)
    parsed = gen.parse_native_yaml(f"{source}/native/native_functions.yaml", f"{source}/native/tags.yaml", ignored)
    functions = parsed.native_functions
    return {
        "operators": [str(f.func) for f in functions],
        "generated": [str(f.func) for f in functions if "generated" in f.tags],
        "groups": [group_line(group) for group in gen.get_grouped_native_functions(functions)],
        "view_groups": [view_line(group) for group in gen.get_grouped_by_view_native_functions(functions)],
        "kernels": list(kernel_lines(parsed.backend_indices)),
        "tags": [f"{f.func.name}:{','.join(sorted(f.tags))}" for f in functions],
    }


def main() -> None:
    """Read the folder named first on the command line and print the lines."""
    here = os.path.realpath(sys.path[0])
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry) != here]
    gen, model = import_module("torchgen.gen"), import_module("torchgen.model")
    json.dump(dump(gen, model, sys.argv[1], sys.argv[2:]), sys.stdout)


if __name__ == "__main__":
    main()
