"""CUDA kernels made of inner loops.

In: a group with inner loops. Out: functors that call the loop with all tensors on the device, or with one of two being
a number of the CPU, and a kernel that chooses between them for each scalar type.

Rules: spec 08 section 14.
"""

from __future__ import annotations

from collections.abc import Iterator

from opwright.artifacts.emission import Emission
from opwright.artifacts.ufunc_stub import UfuncStub, case
from opwright.model.model import Group
from opwright.model.operators import UfuncLoop
from opwright.signatures.bindings import Binding
from opwright.signatures.ufunc import COMPUTE, ELEMENT, functor_arguments, is_tensor
from opwright.values import Value

_LOOPS = ("ScalarOnly", "Generic")


class FunctorKind(Value):
    """One kind of functor: its key, and which tensor is a number that the constructor takes, if any.

    `operand` is that tensor's place in the iterator, and `tensor` its name there.
    """

    key: str
    scalar_tensor: int | None = None
    operand: int = 0
    tensor: str = ""


_PLAIN = FunctorKind("CUDAFunctor")
#: In the order in which scalar types are gathered.
_OF_TWO = (FunctorKind("CUDAFunctorOnSelf", 1, 2, "other"), FunctorKind("CUDAFunctorOnOther", 0, 1, "self"), _PLAIN)


class Functor(Value):
    """A functor: its C++ name, the scalar types it serves, and the loop to generate it from, unless it is given."""

    kind: FunctorKind
    name: str
    scalar_types: tuple[str, ...]
    loop: str | None


def kinds(group: Group) -> tuple[FunctorKind, ...]:
    """The kinds of functors that a group has: three for operators of two tensors."""
    tensors = [item for item in group.functional.schema.non_out if is_tensor(item)]
    return _OF_TWO if len(tensors) == 2 else (_PLAIN,)


def functors_of(group: Group) -> list[Functor]:
    """The functors of a group."""
    loops = group.out.ufunc_loops
    found = []
    for kind in kinds(group):
        given = loops.get(kind.key)
        if given is not None:
            found.append(Functor(kind, given.name, given.scalar_types, None))
            continue
        made: list[UfuncLoop] = [loops[key] for key in _LOOPS if key in loops]
        types = dict.fromkeys([scalar_type for loop in made for scalar_type in loop.scalar_types])
        found.append(Functor(kind, f"{kind.key}_{made[0].name}", tuple(types), made[0].name))
    return found


def functors(group: Group, emission: Emission) -> str:
    """The functors of a group that are generated."""
    return "\n".join([_functor(item, item.loop, group, emission) for item in functors_of(group) if item.loop])


def _functor(functor: Functor, loop: str, group: Group, emission: Emission) -> str:
    facts = emission.facts
    arguments = functor_arguments(group, functor.kind.scalar_tensor)
    constructor = facts.ufunc.computed(arguments.constructor, COMPUTE)
    call = facts.ufunc.computed(arguments.call, ELEMENT)
    scope = facts.converter.scope(call)
    for binding in constructor:
        facts.converter.add(scope, f"{binding.name}_", binding.meaning, binding.type)
    wanted = facts.ufunc.computed(group.functional.schema.non_out, COMPUTE)
    passed = ", ".join(facts.converter.arguments(scope, wanted))
    fields = "".join([f"  {binding.type.text} {binding.name}_;\n" for binding in constructor])
    initializers = ", ".join([f"{binding.name}_({binding.name})" for binding in constructor])
    return f"""template <typename scalar_t>
struct {functor.name} {{
  using opmath_t = at::opmath_type<scalar_t>;
{fields}  {functor.name}({_definitions(constructor)}) : {initializers} {{}}
  __device__ scalar_t operator()({_definitions(call)}) const {{
    return ufunc::{loop}({passed});
  }}
}};
"""


def _definitions(bindings: tuple[Binding, ...]) -> str:
    return ", ".join([binding.definition for binding in bindings])


def cuda_kernel(group: Group, stub: UfuncStub, emission: Emission) -> str:
    """The CUDA kernel of a group."""
    found = functors_of(group)
    scalar_types = dict.fromkeys([scalar_type for functor in found for scalar_type in functor.scalar_types])
    cases = []
    for scalar_type in scalar_types:
        serving = [functor for functor in found if scalar_type in functor.scalar_types]
        cases.append(case(scalar_type, "".join(_body(serving, group, emission))))
    return stub.kernel_function(f"ufunc_{stub.base}_CUDA", "".join(cases))


def _body(serving: list[Functor], group: Group, emission: Emission) -> Iterator[str]:
    """The lines that choose between the functors for one scalar type."""
    yield "using opmath_t = at::opmath_type<scalar_t>;\nif (false) {}\n"
    on_scalar = [functor for functor in serving if functor.kind is not _PLAIN]
    for functor in sorted(on_scalar, key=lambda functor: functor.kind.operand):
        operand = functor.kind.operand
        yield f"""else if (iter.is_cpu_scalar({operand})) {{
  {functor.name}<scalar_t> ufunctor({_construction(functor, group, emission)});
  iter.remove_operand({operand});
  gpu_kernel(iter, ufunctor);
}}
"""
    plain = next(functor for functor in serving if functor.kind is _PLAIN)
    yield f"""else {{
  gpu_kernel(iter, {plain.name}<scalar_t>({_construction(plain, group, emission)}));
}}
"""


def _construction(functor: Functor, group: Group, emission: Emission) -> str:
    """The arguments of a functor's constructor."""
    facts, kind = emission.facts, functor.kind
    scope = facts.converter.scope(facts.structured.impl(group, group.out.precomputed))
    if kind.tensor:
        value = f"iter.scalar_value<opmath_t>({kind.operand})"
        facts.converter.add(scope, value, kind.tensor, facts.bindings.types.named(COMPUTE))
    wanted = facts.ufunc.computed(functor_arguments(group, kind.scalar_tensor).constructor, COMPUTE)
    return ", ".join(facts.converter.arguments(scope, wanted))
