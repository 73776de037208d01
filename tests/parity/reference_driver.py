"""Run the reference generator for the files that Opwright makes, and no others.

    python reference_driver.py [options of torchgen.gen]

In: the command line of `torchgen.gen`, with the `torchgen` that the interpreter finds. Out: the files whose templates
are in `TEMPLATES`, the same bytes as in a full run. All other outputs are skipped before they are computed, which
halves the time and makes the two programs comparable in the benchmark.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

# An output is made if its template is listed here. Per-operator headers have templates in the singular.
TEMPLATES = frozenset(
    {
        "ATenOpList.cpp",
        "Declarations.yaml",
        "Function.h",
        "Functions.cpp",
        "Functions.h",
        "MethodOperators.h",
        "Operator.h",
        "Operators.cpp",
        "Operators.h",
        "RedispatchFunctions.h",
        "RegisterSchema.cpp",
        "RegistrationDeclarations.h",
        "TensorBody.h",
        "TensorMethods.cpp",
        "aten_interned_strings.h",
        "enum_tag.h",
    }
)


def _only_wanted(file_manager: Any) -> None:
    """Let a file manager class pass over outputs that are not wanted, without asking for their content."""
    write = file_manager.write_with_template

    def write_with_template(self: Any, filename: Any, template_fn: Any, env_callable: Any) -> None:
        if str(template_fn) in TEMPLATES:
            write(self, filename, template_fn, env_callable)

    file_manager.write_with_template = write_with_template
    # Releases with a choice of template for sharded files have the second name; there the first calls the second.
    name = "write_sharded_with_template" if hasattr(file_manager, "write_sharded_with_template") else "write_sharded"
    shard = getattr(file_manager, name)

    def write_sharded(self: Any, filename: Any, *rest: Any, **named: Any) -> None:
        template = rest[0] if name == "write_sharded_with_template" else filename
        if str(template) in TEMPLATES:
            shard(self, filename, *rest, **named)

    setattr(file_manager, name, write_sharded)


def _without_keys(step: Callable[..., None]) -> Callable[..., None]:
    """A generation step that believes there are no dispatch keys, hence makes no file for any of them."""

    def run(**named: Any) -> None:
        step(**{**named, "dispatch_keys": []})

    return run


def restrict(gen: Any) -> None:
    """Replace what the module `torchgen.gen` uses for outputs that are not wanted."""
    _only_wanted(gen.FileManager)
    gen.gen_source_files = _without_keys(gen.gen_source_files)
    gen.gen_headers = _without_keys(gen.gen_headers)
    gen.get_native_function_declarations = lambda **_: []
    if hasattr(gen, "gen_aoti_c_shim_files"):
        gen.gen_aoti_c_shim_files = lambda **_: None


def main() -> None:
    """Restrict the generator and run it."""
    here = os.path.realpath(sys.path[0])
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry) != here]
    gen = import_module("torchgen.gen")
    # The generator names the main script in the files' first comment.
    sys.modules["__main__"].__file__ = gen.__file__
    restrict(gen)
    gen.main()
    if "torch" in sys.modules:
        sys.exit("the reference generator imported torch")


if __name__ == "__main__":
    main()
