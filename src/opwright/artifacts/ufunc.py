"""Element-wise operators whose kernels are generated from inner loops: UfuncCPU_*, UfuncCPUKernel_* and UfuncCUDA_*.

In: structured groups whose out variant names inner loops. Out: the kernel class with its stub, and the kernels that run
the loops for each scalar type.

Rules: spec 08 section 14.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.kernels import spelled, structured_class
from opwright.artifacts.meta import declaration as meta_declaration
from opwright.artifacts.ufunc_cpu import cpu_kernel
from opwright.artifacts.ufunc_cuda import cuda_kernel, functors
from opwright.artifacts.ufunc_stub import UfuncStub
from opwright.model.model import Group
from opwright.releases.keys import UFUNC_KEYS, DispatchKey

CPU, CUDA = UFUNC_KEYS


def ufuncs(emission: Emission) -> Iterator[Planned]:
    """The files of every group with inner loops, for the keys that files are made for."""
    groups = [item for item in emission.model.groups if isinstance(item, Group) and item.out.ufunc_loops]
    keys = {key.name: key for key in emission.keys}
    for group in groups:
        base = group.functional.name.base
        if CPU in keys:
            stub = partial(_cpu, group, keys[CPU], emission)
            yield emission.file(f"UfuncCPU_{base}.cpp", stub, "UfuncCPU.cpp")
            kernel = partial(_cpu_kernel, group, emission)
            yield emission.file(f"UfuncCPUKernel_{base}.cpp", kernel, "UfuncCPUKernel.cpp", family="cpu_vec")
        if CUDA in keys:
            both = partial(_cuda, group, keys[CUDA], emission)
            family = emission.family(keys[CUDA].device)
            yield emission.file(f"UfuncCUDA_{base}.cu", both, "UfuncCUDA.cu", family=family)


def _cpu(group: Group, key: DispatchKey, emission: Emission) -> Values:
    stub = UfuncStub.of(group, emission)
    call = f"{stub.name}(device_type(), *this, {stub.names});"
    definitions = f"""{stub.declaration}
DEFINE_DISPATCH({stub.name});
{_implementation(group, key, call, emission)}"""
    return {**_declarations(group, key, emission), "native_definitions": definitions}


def _cpu_kernel(group: Group, emission: Emission) -> Values:
    stub = UfuncStub.of(group, emission)
    definitions = f"""namespace {{
{cpu_kernel(group, stub, emission)}
}} // anonymous namespace
{stub.declaration}
{stub.registration}
"""
    return {"name": stub.base, "native_definitions": definitions}


def _cuda(group: Group, key: DispatchKey, emission: Emission) -> Values:
    stub = UfuncStub.of(group, emission)
    definitions = f"""{functors(group, emission)}
{stub.declaration}
{cuda_kernel(group, stub, emission)}
{stub.registration}
{_implementation(group, key, f"{stub.kernel}(*this, {stub.names});", emission)}"""
    folder = "hip" if emission.options.rocm else "cuda"
    return {
        "name": stub.base,
        "cuda_headers": f"#include <ATen/native/{folder}/Loops.cuh>",
        **_declarations(group, key, emission),
        "native_definitions": definitions,
    }


def _declarations(group: Group, key: DispatchKey, emission: Emission) -> Values:
    kernel = group.out.kernels[key]
    return {
        "meta_declaration": meta_declaration(group, emission),
        "native_declaration": spelled([structured_class(group, kernel, key, emission)]),
    }


def _implementation(group: Group, key: DispatchKey, call: str, emission: Emission) -> str:
    """The impl function of the kernel class, which calls the stub or the kernel."""
    return f"""TORCH_IMPL_FUNC({group.out.kernels[key].name})({emission.structured.parameters[group]}) {{
  {call}
}}
"""
