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
from opwright.cpp.tokens import tokenize
from opwright.model.operators import Operator
from opwright.values import Value

NAMESPACE = "torch::lazy"


class ShapeFunction(Value):
    """The shape function of an operator: its name and its parameters."""

    operator: Operator
    name: str
    parameters: str

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
            made = ShapeFunction(operator, name, lazy.signature(operator).definitions)
            found.setdefault(made.signature, made)
    return list(found.values())


def undeclared(functions: Iterable[ShapeFunction], headers: Iterable[str]) -> list[ShapeFunction]:
    """The functions that none of some headers declares. How a declaration is laid out does not matter."""
    texts = [" ".join(tokenize(header)) for header in headers]
    wanted = [(item, " ".join(tokenize(f"{item.signature};"))) for item in functions]
    return [item for item, declaration in wanted if not any(declaration in text for text in texts)]


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
