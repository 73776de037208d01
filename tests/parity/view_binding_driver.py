"""Run the part of the reference generator that binds view metadata to Python, which its command line does not have.

    python view_binding_driver.py SOURCE OUT

In: a source folder, and the `torchgen` that the interpreter finds. Out: ViewMetaClassesPythonBinding.cpp in `OUT`.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path


def main() -> None:
    """Run it for all operators."""
    here = os.path.realpath(sys.path[0])
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry) != here]
    source, out = map(Path, sys.argv[1:])
    selector = import_module("torchgen.selective_build.selector").SelectiveBuilder.get_nop_selector()
    types = import_module("torchgen.gen_functionalization_type")
    types.gen_functionalization_view_meta_classes(
        str(source / "native" / "native_functions.yaml"),
        str(source / "native" / "tags.yaml"),
        selector,
        str(out),
        str(source / "templates"),
    )


if __name__ == "__main__":
    main()
