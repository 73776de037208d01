"""Run the generator of a reference without its check that operators of PyTorch's own are there.

    python unchecked_driver.py [options of torchgen.gen]

Since 2.15 torchgen refuses operators among which a list of its own is not complete: anything but PyTorch's own file.
The list still counts for the operators that are there.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module


def main() -> None:
    """Run it once."""
    here = os.path.realpath(sys.path[0])
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry) != here]
    declarations = import_module("torchgen.dest.native_functions")
    declarations.validate_cpu_dll_cuda_kernels = lambda _: None  # type: ignore[attr-defined]
    import_module("torchgen.gen").main()


if __name__ == "__main__":
    main()
