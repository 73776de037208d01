"""The files of a lazy backend: nodes, and kernels that put them into the graph.

In: a backend file, read, and what the operators' files are made with. Out: LazyIr.h, LazyNonNativeIr.h and
<Key>NativeFunctions.cpp.

Rules: spec 12 sections 2, 3 and 6.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property, partial

from opwright.artifacts.backend_stubs import header_name
from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.lazy_kernels import LazyHooks, LazyKernel
from opwright.artifacts.lazy_nodes import LazyFault
from opwright.artifacts.wrapped import members
from opwright.cpp.namespaces import closing, opening
from opwright.cpp.types import NoCppTypeError
from opwright.model.backend import Backend
from opwright.model.model import Group, Model
from opwright.model.non_native import NonNative
from opwright.model.operators import Operator
from opwright.options import LazyOptions, StubOptions
from opwright.releases.keys import COMPOSITE_EXPLICIT_NON_FUNCTIONAL
from opwright.signatures.dispatcher import DispatcherSignature
from opwright.signatures.lazy import LazyConvention, LazyNode
from opwright.source import Place
from opwright.values import replace

#: The header of nodes.
NODES = "LazyIr.h"
#: The tag of operators that copy what a view would show; they run on meta tensors by their composite kernels.
VIEW_COPY = "view_copy"

_KERNEL_HEADERS = (
    "ATen/Functions.h",
    "ATen/native/TensorConversions.h",
    "ATen/NativeFunctions.h",
    "ATen/CompositeExplicitAutogradNonFunctionalFunctions.h",
    "ATen/MetaFunctions.h",
    "ATen/Operators.h",
    "ATen/native/CPUFallback.h",
    "torch/csrc/lazy/core/ir_builder.h",
    "torch/csrc/lazy/core/lazy_graph_executor.h",
    "torch/csrc/lazy/core/metrics.h",
    "torch/csrc/lazy/core/shape.h",
)
_FALLBACK_HEADER = "torch/csrc/lazy/ts_backend/ts_eager_fallback.h"
_NON_NATIVE_HEADERS = (
    "torch/csrc/lazy/core/ir.h",
    "torch/csrc/lazy/core/ir_builder.h",
    "torch/csrc/lazy/core/internal_ops/ltc_ops.h",
    "torch/csrc/lazy/core/shape_inference.h",
)


class LazyBackend:
    """A lazy backend while its files are made. `stubs` are the options of declarations and registrations."""

    def __init__(
        self, emission: Emission, backend: Backend, options: LazyOptions, hooks: LazyHooks, stubs: StubOptions
    ) -> None:
        self.emission = emission
        self.backend = backend
        self.options = options
        self.hooks = hooks
        self.stubs = stubs
        self.convention = LazyConvention(emission.facts.bindings.types, options.lazy_value_class)
        self._faulty: set[int] = set()
        self._classes: dict[str, str] = {}

    @cached_property
    def generated(self) -> list[Operator]:
        """The operators whose kernels are generated, in the order of the files."""
        return self._in_order(self.backend.full_codegen)

    def nodes(self) -> list[str]:
        """The classes of the nodes of all operators that have an entry in the source."""
        wanted = {*self.backend.full_codegen, *self.backend.ir_gen}
        return self._made(self._in_order(wanted), lambda item: self._class(self.node(item)))

    def non_native_nodes(self) -> list[str]:
        """The classes of the nodes of operators that only the backend knows."""
        made = [self._guarded(item.place, partial(self._non_native, item)) for item in self.backend.non_native]
        return [text for text in made if text]

    def kernels(self) -> list[str]:
        """The definitions of all generated kernels."""
        return self._made(self.generated, lambda item: self.hooks.kernel(self.kernel(item)))

    def _in_order(self, operators: Collection[Operator]) -> list[Operator]:
        wanted = set(operators)
        return [member for item in self.emission.model.groups for member in members(item) if member in wanted]

    def node(self, operator: Operator) -> LazyNode:
        """The node of an operator. Raises `NoCppTypeError`."""
        kernel = self.backend.own.kernels.get(operator)
        return self.convention.node(operator.schema, symint=kernel is not None and kernel.has_symint)

    def _non_native(self, item: NonNative) -> str:
        made = self.convention.node(item.schema, symint=True, op_kind=item.opkind, properties=item.properties)
        return self._class(made)

    def _class(self, node: LazyNode) -> str:
        """The class of a node; no other may have the same name."""
        first = self._classes.setdefault(node.class_name, node.name)
        if first != node.name:
            raise LazyFault(
                f"the node of '{node.name}' would be called '{node.class_name}', as that of '{first}' is",
                "lazy-same-class",
                "list only one of the two, and write the kernel of the other by hand",
            )
        return self.hooks.node(node)

    def kernel(self, operator: Operator) -> LazyKernel:
        """The kernel of an operator. Raises `LazyFault` and `NoCppTypeError`."""
        facts, own = self.emission.facts, self.backend.own.kernels[operator]
        signature, dispatcher = self.signature(operator), facts.by_operator[operator].dispatcher
        return LazyKernel(
            operator=operator,
            node=self.node(operator),
            class_name=self.backend.class_name,
            name=own.name,
            returns=signature.returns,
            definitions=signature.definitions,
            dispatcher_arguments=facts.converter.call(signature.bindings, dispatcher.bindings),
            meta_function=meta_function(operator, symint=own.has_symint),
        )

    def kernel_name(self, operator: Operator) -> str:
        """The name of the function that is an operator's kernel."""
        return self.backend.own.kernels[operator].name

    def signature(self, operator: Operator) -> DispatcherSignature:
        """The signature of an operator's kernel."""
        return self.emission.facts.dispatcher(operator, self.backend.own.kernels[operator].has_symint)

    def place(self, operator: Operator) -> Place:
        """Where the backend file names an operator."""
        return self.backend.items[operator].name.place

    def _made(self, operators: list[Operator], make: Callable[[Operator], str]) -> list[str]:
        """What `make` gives for each operator; one for which it fails is reported and left out."""
        made = [self._guarded(self.place(item), partial(make, item)) for item in operators]
        return [text for text in made if text]

    def _guarded(self, place: Place, make: Callable[[], str]) -> str:
        """What `make` gives; when it fails, nothing, and a diagnostic unless there is one for this place."""
        try:
            return make()
        except NoCppTypeError as error:
            fault = LazyFault(str(error), "lazy-argument-type")
        except LazyFault as error:
            fault = error
        if place.start not in self._faulty:
            self._faulty.add(place.start)
            self.emission.faults.error(fault.code, fault.message, place, fault.help)
        return ""


def sorted_by_name(model: Model) -> Model:
    """The model as the files of lazy backends are made from it: with the groups in the order of their names."""
    groups = sorted(model.groups, key=lambda item: (item.functional if isinstance(item, Group) else item).name.base)
    return replace(model, groups=tuple(groups))


def meta_function(operator: Operator, *, symint: bool) -> str | None:
    """The function that computes an operator on meta tensors; None when its shapes are computed by hand.

    Raises `LazyFault` for a copy of a view that has none.
    """
    suffix = "_symint" if symint and operator.schema.has_symint else ""
    if VIEW_COPY in operator.tags:
        if not operator.has_kernel(COMPOSITE_EXPLICIT_NON_FUNCTIONAL):
            raise LazyFault(
                f"'{operator.name.text}' is tagged {VIEW_COPY} and has no kernel under "
                f"{COMPOSITE_EXPLICIT_NON_FUNCTIONAL} that could compute its shape",
                "lazy-no-meta-kernel",
            )
        return f"at::{COMPOSITE_EXPLICIT_NON_FUNCTIONAL.lower()}::{operator.name.base}{suffix}"
    return f"at::meta::{operator.name.base}{suffix}" if operator.is_structured_member else None


def lazy_files(lazy: LazyBackend) -> Iterator[Planned]:
    """The files of nodes and of generated kernels."""
    emission = lazy.emission
    yield emission.file(NODES, lambda: _node_values(lazy))
    yield emission.file("LazyNonNativeIr.h", lambda: _non_native_values(lazy))
    name = f"{lazy.backend.class_name}.cpp"
    yield emission.file(name, lambda: _kernel_values(lazy), "DispatchKeyNativeFunctions.cpp")


def _node_values(lazy: LazyBackend) -> Values:
    header = lazy.options.node_base_hdr
    return {
        "lazy_ir_sysinc": _includes(*lazy.emission.model.release.lazy.node_headers),
        "lazy_ir_inc": [f'#include "{header}"'] if header else [],
        "ir_declarations": lazy.nodes(),
        **_namespace(lazy),
    }


def _non_native_values(lazy: LazyBackend) -> Values:
    return {
        "lazy_non_native_ir_inc": _includes(*_NON_NATIVE_HEADERS, lazy.options.node_base_hdr),
        "non_native_ir_nodes": lazy.non_native_nodes(),
        **_namespace(lazy),
    }


def _kernel_values(lazy: LazyBackend) -> Values:
    options = lazy.options
    own = replace(lazy.stubs, in_angles=True)
    return {
        "includes": [
            *_includes(options.tensor_class_hdr, options.shape_inference_hdr, *_KERNEL_HEADERS),
            own.include(header_name(lazy.backend)),
            own.include(NODES),
            *_includes(_FALLBACK_HEADER if options.gen_forced_fallback_code else ""),
        ],
        "native_functions_include": "",
        "helper_fns": _to_meta(lazy),
        "native_function_definitions": lazy.kernels(),
        **_namespace(lazy),
    }


def _includes(*headers: str) -> list[str]:
    return [f"#include <{header}>" for header in headers if header]


def _namespace(lazy: LazyBackend) -> Values:
    namespace = lazy.backend.cpp_namespace
    return {"namespace_prologue": opening(namespace), "namespace_epilogue": closing(namespace)}


def _to_meta(lazy: LazyBackend) -> str:
    """The functions that make meta copies of tensors: same sizes, no data."""
    optional = lazy.hooks.optional
    nullopt = lazy.hooks.nullopt.removeprefix("::")
    return f"""at::Tensor to_meta(const at::Tensor& tensor) {{
  // An undefined tensor is its own copy.
  if (!tensor.defined()) return tensor;
  auto out = at::native::empty_strided_meta_symint(
      tensor.sym_sizes(), tensor.sym_strides(), {lazy.emission.model.release.lazy.meta_options});
  // Numbers take part in type promotion in their own way.
  if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) {{
    out.unsafeGetTensorImpl()->set_wrapped_number(true);
  }}
  return out;
}}

{optional}<at::Tensor> to_meta(const {optional}<at::Tensor>& tensor) {{
  if (tensor.has_value()) {{
    return to_meta(*tensor);
  }}
  return {nullopt};
}}

std::vector<at::Tensor> to_meta(at::ITensorListRef t_list) {{
  std::vector<at::Tensor> outs;
  outs.reserve(t_list.size());
  for (const auto& tensor : t_list) {{
    outs.push_back(to_meta(tensor));
  }}
  return outs;
}}
"""
