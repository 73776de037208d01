"""Load plug-ins into a stock torch and compare its results before and after, bit by bit.

    python replace.py [--functionalize] [--skip OPERATOR ...] -- SOURCE.cpp ...

In: generated registration files, each with its plug-in beside it. Out: one line of JSON, see `main`. What is called are
samples of torch's own descriptions of its operators. A process of its own does it, since no kernel can be put back.
"""

from __future__ import annotations

import argparse
import json
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from ctypes import string_at
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

torch: Any = import_module("torch")  # in a way that type checkers accept where no torch is installed
pytree: Any = import_module("torch.utils._pytree")

SAMPLES = 5
DTYPES = (torch.float32, torch.int64, torch.complex64, torch.bool)
#: Operators whose results differ from call to call, and why.
UNSTEADY = {
    **dict.fromkeys(("empty", "empty_like", "empty_permuted", "empty_strided"), "leaves memory as it is"),
    **dict.fromkeys(("new_empty", "new_empty_strided"), "leaves memory as it is"),
    **dict.fromkeys(("linalg.lstsq", "linalg.lstsq.grad_oriented"), "the last bits depend on the places in memory"),
}
#: The operator that is broken in the end, to see that this is noticed.
BROKEN = "sin"

#: A way to call an operator: takes the arguments by position and by name.
Form: TypeAlias = Callable[[tuple[Any, ...], dict[str, Any]], Any]
#: What a call came to, in a form that can be compared.
Outcome: TypeAlias = tuple[Any, ...]


def tensors(tree: Any) -> list[Any]:
    return [leaf for leaf in pytree.tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


def into(operator: Any, make_out: Callable[[Any], Any]) -> Form:
    """The form that writes into tensors which `make_out` makes for those of the plain result."""

    def call(positional: tuple[Any, ...], named: dict[str, Any]) -> Any:
        with torch.no_grad():
            result = operator.op(*positional, **named)
            out = make_out(result) if isinstance(result, torch.Tensor) else tuple(map(make_out, result))
            return operator.op(*positional, **named, out=out)

    return call


def too_small(result: Any) -> Any:
    """A tensor that has to be resized."""
    return result.new_empty(0)


def turned(result: Any) -> Any:
    """A tensor with the wanted sizes, and strides that no kernel takes by itself."""
    return result.new_zeros(tuple(reversed(result.shape))).permute(tuple(reversed(range(result.dim()))))


def gradients(operator: Any) -> Form:
    """The form that differentiates the result, which calls the kernels for the way back."""

    def call(positional: tuple[Any, ...], named: dict[str, Any]) -> Any:
        inputs = [tensor for tensor in tensors((positional, named)) if tensor.requires_grad]
        results = [tensor for tensor in tensors(operator.op(*positional, **named)) if tensor.requires_grad]
        if inputs and results:
            return torch.autograd.grad(results, inputs, [torch.ones_like(each) for each in results], allow_unused=True)
        return None

    return call


def forms(operator: Any) -> Iterator[Form]:
    """All ways to call an operator."""
    yield lambda positional, named: operator.op(*positional, **named)
    if operator.inplace_variant:
        yield lambda positional, named: operator.inplace_variant(positional[0].clone(), *positional[1:], **named)
    if operator.supports_out:
        yield from (into(operator, too_small), into(operator, turned))
    if operator.supports_autograd:
        yield gradients(operator)


def content(value: Any) -> Any:
    """A part of a result as something to compare; of a tensor all that can be observed."""
    if not isinstance(value, torch.Tensor):
        return repr(value)
    if value.layout is not torch.strided:
        return value.layout, content(value.to_dense())
    plain = value.detach().clone(memory_format=torch.contiguous_format)
    memory = string_at(plain.data_ptr(), plain.nbytes)
    return value.dtype, tuple(value.shape), value.stride(), value.requires_grad, memory


def outcome(form: Form, sample: Any) -> Outcome:
    """What calling with a sample comes to: the result, or the error but for places in C++ files."""
    torch.manual_seed(0)
    try:
        result = form((sample.input, *sample.args), sample.kwargs)
    except Exception as error:
        # The further lines may list all kernels and where they come from.
        return type(error), re.sub(r'\S+":\d+', "", str(error).partition("\n")[0])
    leaves, structure = pytree.tree_flatten(result)
    return structure, *map(content, leaves)


def outcomes(operator: Any, functionalize: bool) -> list[Outcome]:
    """What an operator does with its samples, in all forms and of some dtypes."""
    wrap = torch.func.functionalize if functionalize else lambda form: form
    found = []
    for dtype in DTYPES:
        if dtype not in operator.dtypes:
            continue
        torch.manual_seed(0)
        differentiable = dtype.is_floating_point and operator.supports_autograd
        for sample in islice(operator.sample_inputs("cpu", dtype, requires_grad=differentiable), SAMPLES):
            found += [outcome(wrap(form), sample) for form in forms(operator)]
    return found


def called(operators: dict[str, Any]) -> set[str]:
    """The names of the overloads that the samples reach, but for composite ones, which come apart before."""
    found = set()

    class Recorder(import_module("torch.utils._python_dispatch").TorchDispatchMode):  # type: ignore[misc]
        def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            found.add(getattr(function, "_name", ""))
            return function(*args, **(kwargs or {}))

    with Recorder():
        for operator in operators.values():
            outcomes(operator, functionalize=False)
    return found


def registered(source: Path) -> list[tuple[str, str]]:
    """Dispatch key and operator of each kernel that a file registers."""
    found = []
    for block in re.split(r"\bTORCH_LIBRARY_IMPL\s*\(", source.read_text(encoding="utf-8"))[1:]:
        namespace, key = (word.strip() for word in block.split(",", 2)[:2])
        names = re.findall(r'\bm\.impl\s*\(\s*"([^"]+)"', block)
        found += [(key, name if "::" in name else f"{namespace}::{name}") for name in names]
    return found


def is_replaced(source: Path, key: str, operator: str) -> bool:
    """Whether the dispatcher has the kernel of this file, before that of the same file in torch's own build."""
    dump = torch._C._dispatch_dump(operator)
    places = re.findall(rf"^{key}(?:\[alias\])?(?: \(inactive\))?: registered at (.+?):\d+ ", dump, re.MULTILINE)
    return places[0] == str(source) and source.name in {Path(place).name for place in places[1:]}


def kernel_counts(source: Path, reached: set[str]) -> dict[str, int]:
    """How many kernels a file has, how many of them are in the place of torch's, and how many the samples reach."""
    kernels = registered(source)
    return {
        "registered": len(kernels),
        "replaced": sum(is_replaced(source, key, operator) for key, operator in kernels),
        "called": len(reached.intersection(operator for _, operator in kernels)),
    }


def notices_broken_kernel(operator: Any, functionalize: bool, before: list[Outcome]) -> bool:
    """Whether another kernel for one operator makes a difference."""
    library = torch.library.Library("aten", "IMPL")
    library.impl(BROKEN, lambda self: self.cos(), "CPU", allow_override=True)
    return outcomes(operator, functionalize) != before


def main(sources: Sequence[Path], functionalize: bool, skipped: Sequence[str]) -> dict[str, Any]:
    """Counts of what was compared, the operators that differ, and counts for each file."""
    descriptions = import_module("torch.testing._internal.common_methods_invocations").op_db
    operators = {".".join(filter(None, (each.name, each.variant_test_name))): each for each in descriptions}
    for name in (*UNSTEADY, *skipped):
        del operators[name]
    before = {name: outcomes(operator, functionalize) for name, operator in operators.items()}
    reached = called(operators)
    for source in sources:
        torch.ops.load_library(source.with_suffix(".so"))
    after = {name: outcomes(operator, functionalize) for name, operator in operators.items()}
    return {
        "operators": sum(map(bool, before.values())),
        "results": sum(not isinstance(found[0], type) for each in before.values() for found in each),
        "differing": [name for name in operators if before[name] != after[name]],
        "files": {source.name: kernel_counts(source, reached) for source in sources},
        "notices a broken kernel": notices_broken_kernel(operators[BROKEN], functionalize, before[BROKEN]),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compare torch before and after loading plug-ins.")
    parser.add_argument("--functionalize", action="store_true", help="call operators through functionalization")
    parser.add_argument("--skip", nargs="*", default=[], help="descriptions of operators that are not compared")
    parser.add_argument("sources", nargs="+", type=Path, help="registration files")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    print(json.dumps(main(chosen.sources, chosen.functionalize, chosen.skip)))
