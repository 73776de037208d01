"""CPU kernels made of inner loops.

In: a group with inner loops. Out: a kernel with a case for each scalar type that has a loop, over vectors where one is
given for them.

Rules: spec 08 section 14.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opwright.artifacts.emission import Emission
from opwright.artifacts.ufunc_stub import UfuncStub, case
from opwright.model.model import Group
from opwright.model.operators import UfuncLoop
from opwright.signatures.ufunc import ELEMENT, VECTOR, is_tensor

#: The kinds of loops that serve one element at a time, and those that serve a vector; the first one that serves wins.
_SCALAR_LOOPS = ("CPUScalar", "ScalarOnly", "Generic")
_VECTOR_LOOPS = ("CPUVector", "Generic")


def cpu_kernel(group: Group, stub: UfuncStub, emission: Emission) -> str:
    """The CPU kernel of a group."""
    loops = group.out.ufunc_loops
    scalar, vector = _by_type(loops, _SCALAR_LOOPS), _by_type(loops, _VECTOR_LOOPS)
    cases = [
        case(scalar_type, _body(group, scalar[scalar_type], vector.get(scalar_type), emission))
        for scalar_type in dict.fromkeys([*scalar, *vector])
    ]
    return stub.kernel_function(stub.name, "".join(cases))


def _by_type(loops: Mapping[str, UfuncLoop], kinds: Sequence[str]) -> dict[str, str]:
    """The name of the function that serves each scalar type."""
    found: dict[str, str] = {}
    for kind in kinds:
        loop = loops.get(kind)
        for scalar_type in loop.scalar_types if loop else ():
            found.setdefault(scalar_type, loop.name if loop else "")
    return found


def _body(group: Group, scalar: str, vector: str | None, emission: Emission) -> str:
    scalars = [item.name for item in group.out.schema.non_out if not is_tensor(item)]
    lines = [f"auto _s_{name} = {name}.to<scalar_t>();\n" for name in scalars]
    first = _loop(group, scalar, ELEMENT, "_s_", emission)
    if vector is None:
        return "".join(lines) + f"cpu_kernel(iter,\n  {first}\n);\n"
    lines += [f"auto _v_{name} = at::vec::Vectorized<scalar_t>(_s_{name});\n" for name in scalars]
    second = _loop(group, vector, VECTOR, "_v_", emission)
    return "".join(lines) + f"cpu_kernel_vec(iter,\n  {first},\n  {second}\n);\n"


def _loop(group: Group, function: str, compute: str, prefix: str, emission: Emission) -> str:
    """The function object that runs a loop; `prefix` names the scalars in the type that it computes in."""
    arguments = emission.facts.ufunc.computed(group.functional.schema.non_out, compute)
    by_name = {item.name: item for item in group.functional.schema.non_out}
    tensors = [item.definition for item in arguments if is_tensor(by_name[item.name])]
    passed = [item.name if is_tensor(by_name[item.name]) else prefix + item.name for item in arguments]
    return f"[=]({', '.join(tensors)}) {{ return ufunc::{function}({', '.join(passed)}); }}"
