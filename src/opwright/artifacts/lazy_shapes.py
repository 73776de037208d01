"""Shape functions: what kernels of lazy backends call to learn the shapes of their results.

In: the operators whose kernels are generated. Out: the functions that have to be written by hand, those that given
headers do not declare, and skeletons of them.

    nonzero  ->  TORCH_API std::vector<torch::lazy::Shape> compute_shape_nonzero(const at::Tensor & self);

Structured operators and copies of views need none: their functions on meta tensors tell the shapes.

Rules: spec 12 section 2.
"""

from __future__ import annotations

from collections.abc import Iterable

from opwright.artifacts.lazy import VIEW_COPY, LazyBackend
from opwright.cpp.definitions import Type, declarations, normal
from opwright.cpp.tokens import tokenize
from opwright.model.operators import Operator
from opwright.values import Value

NAMESPACE = "torch::lazy"


class ShapeFunction(Value):
    """The shape function of an operator: its name, its parameters, and their types."""

    operator: Operator
    name: str
    parameters: str
    types: tuple[Type, ...]

    @property
    def signature(self) -> str:
        """What a declaration and the definition have in common."""
        return f"std::vector<torch::lazy::Shape> {self.name}({self.parameters})"

    @property
    def declaration(self) -> str:
        """The declaration, as torchgen looks for it."""
        return f"TORCH_API {self.signature};"


def shape_functions(lazy: LazyBackend) -> list[ShapeFunction]:
    """The shape functions that generated kernels call, each once, in the order of the files."""
    found: dict[str, ShapeFunction] = {}
    for operator in lazy.generated:
        if not operator.is_structured_member and VIEW_COPY not in operator.tags:
            name = f"compute_shape_{lazy.kernel_name(operator)}"
            signature = lazy.signature(operator)
            types = tuple([normal(tokenize(binding.type.text)) for binding in signature.bindings])
            made = ShapeFunction(operator, name, signature.definitions, types)
            found.setdefault(made.signature, made)
    return list(found.values())


def undeclared(functions: Iterable[ShapeFunction], headers: Iterable[str]) -> list[ShapeFunction]:
    """The functions that none of some headers declares or defines.

    torchgen wants each declaration on a line, exactly as it would write it; here the types of parameters count.
    """
    wanted = list(functions)
    names = {item.name for item in wanted}
    declared = [found for header in headers for found in declarations(header, names)]
    return [item for item in wanted if not any(one.name == item.name and one.takes(item.types) for one in declared)]


def shape_skeletons(functions: Iterable[ShapeFunction]) -> str:
    """Definitions of functions that do nothing but fail, each with its declaration as a comment above it."""
    bodies = [
        f"""
// {item.declaration}
{item.signature} {{
  TORCH_CHECK_NOT_IMPLEMENTED(false, "{item.name} is not written yet");
}}
"""
        for item in functions
    ]
    return f"""// Shape functions, to be filled in. Move each declaration into a header that the kernels include.

#include <ATen/core/Tensor.h>
#include <torch/csrc/lazy/core/shape.h>

#include <optional>
#include <vector>

namespace {NAMESPACE} {{
{"".join(bodies)}
}} // namespace {NAMESPACE}
"""
