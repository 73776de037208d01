"""What is generated for a backend outside PyTorch compiles against the installed libtorch, in both forms.

That it runs is shown by the example of a backend. Needs g++ and a torch of the newest release.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cpp.toolchain import compiler_errors, run

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("compiler of backends")]

#: Kernels and structured kernels of every form.
BACKEND = """\
backend: PrivateUse1
cpp_namespace: tiny
device_guard: true
headers: [mine/bases.h]
fallback: {fallback}
supported:
- abs.out
- empty.memory_format
- empty_strided
- normal_
- native_batch_norm
- topk
- as_strided: at::native::as_strided_tensorimpl
- relu: mine::fast_relu
- _copy_from: {{device_check: false}}
- _copy_from_and_resize
- mul.out: {{structured: true}}
- add.out: {{structured: true, kernel: my_add}}
- sub.out: {{structured: true, kernel: 'at::native::sub_out'}}
- atan2.out: {{structured: true, meta: true}}
- bitwise_not.out: {{structured: true, meta: true}}
- div.out: {{meta: true, structured_inherits: TensorIteratorBase}}
- cat.out: {{structured: true}}
- argmax.out: {{structured: true, device_guard: false}}
- exp.out: {{structured_inherits: 'at::native::structured_exp_out'}}
- log.out: {{structured_inherits: 'at::native::structured_log_out', impl: true}}
- tanh.out: {{structured_inherits: 'mine::Iterator'}}
- sinh.out: {{structured_inherits: 'mine::Base'}}
- sum.IntList_out: {{structured: true}}
symint: [empty.memory_format]
autograd:
- silu
"""

#: Base classes of the author's, of both kinds.
BASES = """\
#include <ATen/TensorIterator.h>
namespace mine {
struct Iterator : at::TensorIteratorBase {};
struct Base : at::impl::MetaBase {};
}
"""


def generated(folder: Path, fallback: str, *options: str) -> Path:
    """The stubs of the backend in a folder, with skeletons of its kernels."""
    (folder / "backend.yaml").write_text(BACKEND.format(fallback=fallback), encoding="utf-8")
    (folder / "include" / "mine").mkdir(parents=True)
    (folder / "include" / "mine" / "bases.h").write_text(BASES, encoding="utf-8")
    command = [sys.executable, "-m", "opwright", "backend", "-q", "-s", "backend.yaml", "-o", "include"]
    run([*command, "--include-prefix", "", "--write-stubs", "kernels.cpp", *options], folder)
    return folder


def errors(torch: Path, folder: Path, names: tuple[str, ...]) -> dict[str, str]:
    """The files that do not compile, with what the compiler says."""
    found = {name: compiler_errors(torch, folder, name) for name in names}
    return {name: said for name, said in found.items() if said}


def test_form_of_torchgen(torch: Path, tmp_path: Path) -> None:
    folder = generated(tmp_path, "cpu")
    assert errors(torch, folder, ("include/RegisterPrivateUse1.cpp",)) == {}


def test_lean_form(torch: Path, tmp_path: Path) -> None:
    folder = generated(tmp_path, "error", "--lean")
    names = ("include/RegisterPrivateUse1.cpp", "include/RegisterAutogradPrivateUse1.cpp", "kernels.cpp")
    assert errors(torch, folder, names) == {}
