"""Kernels for a family of operators, which share what is said of them."""


class Kernel:
    DISPATCH_KEY = "CUDA"
    KERNEL_MODULE = "kernels.py"
    ARCHS = ("sm_90a", "sm_100a")

    def kernel_precompile_grid(self):
        return [{"dtype": ["float32", "bfloat16"]}]

    def covered_axes(self, *arguments):
        return {"dtype": arguments[0].dtype}

    def cpp_dispatch(self, spec):
        return f"self.scalar_type() == at::{spec['dtype']}"

    def cpp_launch(self, spec, launch_fn):
        return f"{launch_fn}(self, out);"


class WringForce(Kernel):
    ATEN_OP = "wring.force"
    UNCONDITIONAL = True


def declarations():
    return [WringForce()]
