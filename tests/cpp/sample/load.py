"""Load the sample's schemas and handles into a stock torch; run by the test in a process of its own.

python load.py LIBRARY REGISTER_SCHEMA.cpp
"""

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

torch: Any = import_module("torch")  # in a way that type checkers accept where no torch is installed
before = set(torch._C._dispatch_get_all_op_names())
torch.ops.load_library(sys.argv[1])
added = [name.partition("::")[2] for name in set(torch._C._dispatch_get_all_op_names()) - before]
added.remove("blend_by_handle")
written = re.findall(r'm\.def\("([\w.]+)\(', Path(sys.argv[2]).read_text(encoding="utf-8"))
assert written and sorted(written) == sorted(added), set(written).symmetric_difference(added)

# From a handle through the dispatcher to a kernel.
library = torch.library.Library("sample", "IMPL")
library.impl("blend", lambda self, other, *, weight: self + weight * other, "CPU")
one = torch.ones(2)
assert torch.equal(torch.ops.sample_users.blend_by_handle(one, one), 4 * one)
print("all is well")
