"""What <Key>NativeFunctions.h declares: the kernels that a backend has to write.

In: what a backend has for its keys. Out: static functions of its class, and the classes of its structured kernels.

    mul.out: {structured: true}
        ->  struct structured_mul_out : public at::meta::structured_mul_Tensor { void impl(...); };

Rules: spec 11 section 4.1; structured kernels are Opwright's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opwright.artifacts.backend_wrappers import base_class
from opwright.artifacts.emission import Emission
from opwright.artifacts.includes import meta_include, native_include
from opwright.artifacts.kernels import LEGACY
from opwright.artifacts.wrapped import WrappedKey, primary
from opwright.cpp.namespaces import block
from opwright.model.backend import Backend
from opwright.model.backend_kernels import BASES, StructuredClass
from opwright.model.dispatch import DEFAULT_NAMESPACE
from opwright.model.model import Group
from opwright.model.operators import Kernel, Operator
from opwright.signatures.bindings import Binding
from opwright.values import Value


class Function(Value):
    """A function of the backend to write: its class, its result and parameters in C++, and the operator it serves."""

    scope: str
    returns: str
    name: str
    bindings: tuple[Binding, ...]
    operator: Operator

    @property
    def parameters(self) -> str:
        return ", ".join([binding.definition for binding in self.bindings])

    @property
    def declaration(self) -> str:
        return f"{self.returns} {self.name}({self.parameters});"


class DeclaredClass(Value):
    """A class of a structured kernel to write: its name, its base class, and its functions."""

    name: str
    base: str
    functions: list[Function]


def functions(wrapped: WrappedKey, scope: str, emission: Emission) -> Iterator[Function]:
    """The functions in `scope` that are kernels for one dispatch key."""
    for operator, kernel in wrapped.kernels.items():
        if kernel.namespace == scope and not kernel.is_structured and LEGACY not in kernel.name:
            signature = emission.facts.dispatcher(operator, kernel.has_symint)
            yield Function(scope, signature.returns, kernel.name, signature.bindings, operator)


def classes(wrapped: WrappedKey, emission: Emission) -> Iterator[tuple[str, DeclaredClass]]:
    """The classes of structured kernels to declare, each with its namespace."""
    for group in wrapped.groups:
        if isinstance(group.item, Group) and group.item.out in wrapped.classes:
            kernel, own = wrapped.kernels[group.item.out], wrapped.classes[group.item.out]
            name = f"structured_{kernel.name}"
            methods = _methods(f"{kernel.namespace}::{name}", group.item, own, emission)
            yield kernel.namespace, DeclaredClass(name, base_class(group.item, own.base), methods)


def _methods(scope: str, group: Group, own: StructuredClass, emission: Emission) -> list[Function]:
    convention, found = emission.facts.structured, []
    if own.has_meta:
        found.append(Function(scope, "void", "meta", convention.meta(group), group.out))
    if own.has_impl:
        precomputed = None if own.has_meta else group.out.precomputed
        found.append(Function(scope, "void", "impl", convention.impl(group, precomputed), group.out))
    return found


def functions_to_write(keys: Iterable[WrappedKey], backend: Backend, emission: Emission) -> list[Function]:
    """Every function that the author of a backend writes; where several operators share one, it comes once."""
    found: dict[tuple[str, str], Function] = {}
    for wrapped in keys:
        own = list(functions(wrapped, backend.scope, emission))
        own += [method for _, declared in classes(wrapped, emission) for method in declared.functions]
        for one in own:
            found.setdefault((one.scope, one.declaration), one)
    return list(found.values())


def declared_functions(keys: list[WrappedKey], backend: Backend, emission: Emission) -> list[str]:
    """The declarations of the functions of the class: those for the backend, then those for its autograd."""
    return [
        declaration
        for wrapped in keys
        for declaration in sorted({f"static {one.declaration}" for one in functions(wrapped, backend.scope, emission)})
    ]


def declared_classes(keys: list[WrappedKey], backend: Backend, emission: Emission) -> str:
    """The classes of structured kernels, and the existing functions outside PyTorch that serve as kernels.

    They come behind the headers that they need. The meta classes do not include what they need, so this text has to
    stand behind <ATen/Tensor.h>.
    """
    by_namespace: dict[str, list[str]] = {}
    for wrapped in keys:
        for namespace, declared in classes(wrapped, emission):
            by_namespace.setdefault(namespace, []).append(_class_text(declared))
        for operator, kernel in wrapped.kernels.items():
            if not kernel.is_structured and _is_elsewhere(operator, kernel, wrapped):
                # Without defaults, which the author's own declaration may have.
                signature = emission.facts.native(operator, kernel.has_symint)
                declaration = f"{signature.returns} {kernel.name}({signature.definitions});"
                by_namespace.setdefault(kernel.namespace, []).append(declaration)
    lines = sorted({line for wrapped in keys for line in _class_includes(wrapped)})
    lines += [f"#include {name}" if name.startswith("<") else f'#include "{name}"' for name in backend.headers]
    text = "".join([f"{line}\n" for line in lines])
    return text + "".join([f"\n{block(namespace, texts)}" for namespace, texts in by_namespace.items()])


#: Where the base classes are declared that are not those of a single operator.
_BASE_HEADERS = {BASES["TensorIteratorBase"]: "ATen/TensorIterator.h", BASES["MetaBase"]: "ATen/TensorMeta.h"}


def _class_includes(wrapped: WrappedKey) -> Iterator[str]:
    """The headers of what the classes of structured kernels derive from."""
    for group in wrapped.groups:
        declared = wrapped.classes.get(primary(group.item))
        if declared is None:
            continue
        if declared.base is None:
            yield meta_include(group.root)
        elif declared.base in _BASE_HEADERS:
            yield f"#include <{_BASE_HEADERS[declared.base]}>"
        elif declared.base.startswith(DEFAULT_NAMESPACE):
            yield native_include(group.root)


def _is_elsewhere(operator: Operator, kernel: Kernel, wrapped: WrappedKey) -> bool:
    """Whether a kernel is a function that neither the class nor the headers of PyTorch's kernels declare."""
    if kernel.namespace != DEFAULT_NAMESPACE:
        return kernel.namespace != wrapped.scope
    declared = {one.name for one in operator.kernels.values() if one.namespace == DEFAULT_NAMESPACE}
    return kernel.name not in declared


def _class_text(declared: DeclaredClass) -> str:
    functions = "\n".join([one.declaration for one in declared.functions])
    return f"struct {declared.name} : public {declared.base} {{\n{functions}\n}};"
