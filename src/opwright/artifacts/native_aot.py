"""Stubs for kernels that are compiled ahead of time: NativeAotStubs.h and .cpp, and how wrappers ask them.

In: the stubs that Python modules declare. Out: their declarations and definitions, and for the wrapper of a structured
kernel the statement that asks the stub first. A kernel behind a stub takes what `impl` of the group takes, and returns
whether it has filled the outputs.

    topk under CUDA  ->  using topk_aot_fn = bool (*)(...); DECLARE_DISPATCH(topk_aot_fn, topk_aot_stub)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from opwright.artifacts.emission import Emission, Planned
from opwright.releases.keys import DispatchKey

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright.model.aot_stubs import AotStub

HEADER, SOURCE = "NativeAotStubs.h", "NativeAotStubs.cpp"


def stubs_header(emission: Emission) -> Iterator[Planned]:
    """NativeAotStubs.h."""
    if _has_files(emission):
        declare = partial(_declaration, emission)
        yield emission.file(HEADER, lambda: {"native_aot_stub_declarations": list(map(declare, _stubs(emission)))})


def stubs_source(emission: Emission) -> Iterator[Planned]:
    """NativeAotStubs.cpp."""
    if _has_files(emission):
        yield emission.file(SOURCE, lambda: {"native_aot_stub_definitions": list(map(_definition, _stubs(emission)))})


def _has_files(emission: Emission) -> bool:
    """Whether there are stubs, or a library has templates for them; one without these can do without empty files."""
    return bool(emission.options.aot_stubs) or any(emission.templates.has(name) for name in (HEADER, SOURCE))


def _stubs(emission: Emission) -> list[AotStub]:
    """Each stub once, though operators may have kernels for several devices behind it."""
    return list({stub.name: stub for stub in emission.options.aot_stubs}.values())


def _declaration(emission: Emission, stub: AotStub) -> str:
    return f"""using {stub.type} = bool (*)({emission.structured.parameters[stub.group]});
DECLARE_DISPATCH({stub.type}, {stub.name})
"""


def _definition(stub: AotStub) -> str:
    return f"DEFINE_DISPATCH({stub.name});\nREGISTER_NO_CPU_DISPATCH({stub.name})\n"


def stub_includes(key: DispatchKey, emission: Emission) -> list[str]:
    """The include of the stubs where wrappers of a key ask some; torchgen includes them for CUDA alone."""
    asks = any(stub.key is key for stub in emission.options.aot_stubs)
    is_included = asks and (key.device.family == "cuda" or not emission.options.torchgen_compat)
    return [f"#include <ATen/{HEADER}>"] * is_included


def asked_first(stub: AotStub, arguments: str) -> str:
    """The statement that calls `impl` when the kernel behind a stub is switched off, not there, or declines."""
    context, device = "at::globalContext()", f"c10::DeviceType::{stub.key}"
    on = f"!{context}.maskUnconditionalNativeAot()" if stub.unconditional else f"{context}.allowNativeAot()"
    return f"""// The last condition runs the kernel that was compiled ahead of time, if it takes the call.
if (!({on} && at::native::{stub.name}.is_device_supported({device}) &&
      at::native::{stub.name}({device}, {arguments}))) {{ op.impl({arguments}); }}
"""
