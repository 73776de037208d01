"""Run the lazy generator of a reference, which its command line cannot do: it looks for its operators in vain.

    python lazy_driver.py SOURCE YAML OUT OPTIONS

In: a source folder, a backend file, and the options of `run_gen_lazy_tensor` as JSON, in which `gen_ts_lowerings`
chooses the generator of nodes. Out: the files in `OUT`, a path relative to the current folder.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path


def main() -> None:
    """Run it once."""
    here = os.path.realpath(sys.path[0])
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry) != here]
    source, backend, out, options = sys.argv[1], sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
    nodes = import_module("torchgen.dest.lazy_ir")
    lowered = options.pop("gen_ts_lowerings", False)
    Path(out).mkdir(parents=True)
    import_module("torchgen.gen_lazy_tensor").run_gen_lazy_tensor(
        source,
        backend,
        out,
        dry_run=False,
        impl_path=None,
        lazy_ir_generator=nodes.GenTSLazyIR if lowered else nodes.GenLazyIR,
        **options,
    )


if __name__ == "__main__":
    main()
