"""A kernel for one operator; nothing in this module is run."""

ATEN_OP = "pool"
DISPATCH_KEY = "CUDA"
KERNEL_MODULE = "kernels.py"

raise SystemExit("this module must not be run")


def kernel_precompile_grid():
    return [{"dtype": "float32"}]


def covered_axes(self, size, weight=None):
    return {"dtype": self.dtype}


def cpp_dispatch(spec):
    return f"self.scalar_type() == at::{spec['dtype']}"


def cpp_launch(spec, launch_fn):
    return f"{launch_fn}(self, lo, hi);"
