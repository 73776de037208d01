"""Generated kernels of lazy backends: they put a node into the graph instead of computing.

In: a `LazyKernel`. Out: the definition of the kernel. `LazyHooks` has a method for each part that a backend may want to
write itself, those of nodes (`lazy_nodes`) included.

    add.Tensor  ->  at::Tensor LazyNativeFunctions::add(...) { ... torch::lazy::MakeNode<AddTensor>(...) ... }

Rules: spec 12 section 5.
"""

from __future__ import annotations

from opwright.artifacts.lazy_nodes import LazyFault, NodeHooks
from opwright.cpp.literals import c_string
from opwright.model.operators import Operator
from opwright.signatures.lazy import LazyNode, NodeArgument
from opwright.syntax.schema import Kind
from opwright.syntax.types import Form
from opwright.values import Value

_FALLBACK = "at::native::call_fallback_fn_symint<&ltc_eager_fallback, {}>::call"
_GRAPH = "torch::lazy::LazyGraphExecutor::Get()"


class LazyKernel(Value):
    """A kernel that makes a node.

    `class_name` and `name` are those of its C++ function, which returns `returns` and has the parameters `definitions`.
    `dispatcher_arguments` are the arguments of a call that passes them on to the operator itself. `meta_function` is
    the function that computes on meta tensors; None for an operator with a shape function written by hand.
    """

    operator: Operator
    node: LazyNode
    class_name: str
    name: str
    returns: str
    definitions: str
    dispatcher_arguments: str
    meta_function: str | None

    @property
    def names(self) -> list[str]:
        """The names of all parameters."""
        return [item.name for item in self.node.arguments]

    @property
    def tensors(self) -> list[str]:
        """The values that are tensors or symbolic integers rather than numbers."""
        return [item.name for item in self.node.values if not item.is_wrapped_scalar]

    @property
    def writes(self) -> bool:
        """Whether the operator writes into an argument that it returns."""
        return self.operator.schema.kind in (Kind.INPLACE, Kind.OUT)


class LazyHooks(NodeHooks):
    """All that a lazy backend may want to write itself. Override a method; all return C++.

    A method that cannot make code for an operator raises `LazyFault`.
    """

    def kernel(self, kernel: LazyKernel) -> str:
        """The definition of a kernel."""
        return f"""{kernel.returns} {kernel.class_name}::{kernel.name}({kernel.definitions}) {{
  {self.fallback(kernel)}
  {self.metrics(kernel)}
  {self.device(kernel)}
  {self.tensor_declarations(kernel)}
  {self.build_node(kernel)}
  {self.result(kernel)}
}}
"""

    def fallback(self, kernel: LazyKernel) -> str:
        """What runs an operator eagerly when that is demanded; empty when it is never."""
        if not self.options.gen_forced_fallback_code:
            return ""
        name = kernel.operator.name
        operator = f"ATEN_OP2({name.base}, {name.overload})" if name.overload else f"ATEN_OP({name.base})"
        call = f"{_FALLBACK.format(operator)}({kernel.dispatcher_arguments})"
        return f"""if (force_eager_fallback({kernel.node.op_kind}){self._given_generator(kernel)}) {{
    return {call};
  }}"""

    def _given_generator(self, kernel: LazyKernel) -> str:
        """Where nodes hold no generators, a further reason to run eagerly."""
        left_out = [item.name for item in kernel.node.arguments if not item.is_held and item.is_keyword]
        if len(left_out) > 1:
            raise LazyFault("an operator can have one keyword-only generator", "lazy-generator")
        return "".join([f" || ({name}.has_value() && {name}->defined())" for name in left_out])

    def metrics(self, kernel: LazyKernel) -> str:
        """The statement that counts calls."""
        return f"{self.options.metrics_counter};"

    def device(self, kernel: LazyKernel) -> str:
        """The statements that set `common_device` to the device of the arguments."""
        devices = [item.name for item in kernel.node.scalars if item.schema_type.text == "Device?"]
        names = [*kernel.tensors, *devices]
        if not names:
            raise LazyFault(
                "no argument tells the device: there is neither a tensor nor a 'Device?'",
                "lazy-no-device",
                "list the operator under 'supported' and write its kernel by hand",
            )
        return f"""auto common_device = {self.options.get_device_fn}({", ".join(names)});
  TORCH_INTERNAL_ASSERT(common_device);
  """

    def tensor_declarations(self, kernel: LazyKernel) -> str:
        """The declarations of the lazy tensors and nodes of the arguments, `lazy_x` and `node_x`."""
        return "\n  ".join(filter(None, map(self._declared, kernel.node.values)))

    def _declared(self, item: NodeArgument) -> str:
        name, options, text = item.name, self.options, item.schema_type.text
        if item.is_wrapped_scalar:
            number = f"{_GRAPH}->GetIrValueForScalarFromCodegen({'*' * item.is_optional}{name}, *common_device)"
            if item.is_optional:
                number = f"{name} ? {self.make_optional}({number}) : {self.nullopt}"
            return f"auto node_{name} = {number};"
        if item.is_symint:
            return ""
        namespace, pointer = options.backend_namespace, options.lazy_tensor_ptr
        if text == "Tensor[]":
            return f"auto lazy_{name}_tensorlist = {namespace}::{options.get_tensorlist}({name});"
        if text == "Tensor":
            get = options.get_tensor_or_wrap_number
            return f"{pointer} lazy_{name} = {namespace}::{get}({name}, *common_device);"
        if text == "Tensor?":
            get = options.try_get_tensor
            return f"{pointer} lazy_{name} = {namespace}::{get}({name}.value_or(at::Tensor()));"
        raise _no_value(item)

    def inputs(self, kernel: LazyKernel) -> str:
        """The arguments of the functions that make or find the node, without shapes."""
        return ", ".join([self._value(item) if item.is_value else _scalar(item) for item in kernel.node.held])

    def _value(self, item: NodeArgument) -> str:
        name, text = item.name, item.schema_type.text
        makers = {
            "Scalar": "node_{0}",
            "Scalar?": "node_{0}",
            "Tensor[]": "lazy_{0}_tensorlist",
            "Tensor": "lazy_{0}->GetIrValue()",
            "Tensor?": "lazy_{0} ? {1}(lazy_{0}->GetIrValue()) : {2}",
            "SymInt": "GetSymIntValue({0})",
            "SymInt?": "{0} ? {1}(GetSymIntValue(*{0})) : {2}",
        }
        if text not in makers:
            raise _no_value(item)
        return makers[text].format(name, self.make_optional, self.nullopt)

    def shapes(self, kernel: LazyKernel) -> str:
        """The statements that set `shapes` to the shapes of the results."""
        inputs = ", ".join([item.name for item in kernel.node.held])
        return f"""{self.shape_inference(kernel)}
      TORCH_INTERNAL_ASSERT(shapes.size() == {kernel.node.returns});
      if (torch::lazy::symbolicShapeEnabled()) {{
          std::vector<torch::jit::IValue> inputs = {{ {inputs} }};
          const char* schema_str = {c_string(f"aten::{kernel.operator.schema.text}")};
          applySymbolicShapesOnLT(schema_str, inputs, shapes);
      }}
"""

    def shape_inference(self, kernel: LazyKernel) -> str:
        """The declaration of `shapes`: from the function on meta tensors, or from the shape function."""
        if kernel.meta_function is None:
            return f"auto shapes = torch::lazy::compute_shape_{kernel.name}({', '.join(kernel.names)});"
        tensors = [item.name for item in kernel.node.arguments if item.schema_type.is_tensor_like]
        copies = [f"auto {name}_meta = to_meta({name});" for name in tensors]
        arguments = ", ".join([f"{name}_meta" if name in tensors else name for name in kernel.names])
        count = kernel.node.returns
        results = ["out_meta"] if count == 1 else [f"std::get<{index}>(out_meta)" for index in range(count)]
        shapes = ", ".join([f"torch::lazy::Shape({one}.scalar_type(), {one}.sizes().vec())" for one in results])
        return "\n      ".join(
            [
                *copies,
                f"auto out_meta = {kernel.meta_function}({arguments});",
                f"std::vector<torch::lazy::Shape> shapes{{{shapes}}};",
            ]
        )

    def build_node(self, kernel: LazyKernel) -> str:
        """The statements that set `node` to a node that can be used again, or to a new one."""
        name, inputs = kernel.node.class_name, self.inputs(kernel)
        return f"""torch::lazy::NodePtr node = torch::lazy::ReuseNode<{name}>({inputs});
  if (!node) {{
      {self.shapes(kernel)}
      node = torch::lazy::MakeNode<{name}>({", ".join(filter(None, [inputs, "std::move(shapes)"]))});
      CacheNode(node);
  }}
"""

    def create_tensor(self, kernel: LazyKernel) -> str:
        """The function that makes a lazy tensor of a node."""
        options = self.options
        owner = f"{_first(kernel)}." if options.create_from_first_tensor else f"{options.backend_namespace}::"
        return owner + options.create_tensor

    def result(self, kernel: LazyKernel) -> str:
        """The statements that make the result of the node and return it."""
        return f"{self.make_result(kernel)}\n  return result;"

    def make_result(self, kernel: LazyKernel) -> str:
        """The statements that set `result`."""
        options, count = self.options, kernel.node.returns
        if kernel.writes:
            return _written_result(kernel)
        _check_results(kernel)
        create = self.create_tensor(kernel)
        if count <= 1:
            return f"auto result = {options.create_aten_from_ltc_tensor}({create}(std::move(node), *common_device));"
        _first(kernel)
        return f"""std::vector<{options.lazy_tensor_ptr}> lazy_tensors;
  for (int i = 0; i < {count}; i++) {{
      lazy_tensors.push_back({create}({options.lazy_value_class}(node, i), *common_device));
  }}
  auto result = {options.tuple_aten_from_ltc_tensors}<{count}>(lazy_tensors);"""


def _written_result(kernel: LazyKernel) -> str:
    """The result of an operator that writes into what it returns."""
    if kernel.node.returns != 1:
        raise LazyFault(
            f"an operator that writes into its arguments must return exactly one of them, not {kernel.node.returns}",
            "lazy-written-returns",
            "list the operator under 'supported' and write its kernel by hand",
        )
    name = _first(kernel)
    return f"""lazy_{name}->SetInPlaceIrValue(node);
  auto& result = {name};"""


def _check_results(kernel: LazyKernel) -> None:
    """Refuse results that are not tensors: nothing in the graph stands for them."""
    for item in kernel.operator.schema.returns:
        if item.type.text != "Tensor":
            raise LazyFault(
                f"generated kernels return tensors, and this operator returns '{item.type.text}'",
                "lazy-return-type",
                "list the operator under 'supported' and write its kernel by hand",
            )


def _first(kernel: LazyKernel) -> str:
    """The first argument that is a tensor."""
    if not kernel.tensors:
        raise LazyFault(
            "no argument is a tensor, and results are made from the first one",
            "lazy-no-tensor",
            "list the operator under 'supported' and write its kernel by hand",
        )
    return kernel.tensors[0]


def _scalar(item: NodeArgument) -> str:
    """A constant as the node takes it."""
    name, type = item.name, item.schema_type
    if item.has_symint and type.form is Form.LIST and type.element is not None and type.element.text == "SymInt":
        return f"GetSymIntArrayRefValue({name})"
    inner = type.element if type.form is Form.OPTIONAL else type
    if inner is None or inner.form is not Form.LIST or inner.element is None or inner.element.form is not Form.BASE:
        return name
    if "vector<" not in item.type:  # a list of tensors is a single value, whatever the class of values is
        return name
    element = item.type.partition("vector<")[2].partition(">")[0]
    if inner is type:
        return f"std::vector<{element}>({name}.begin(), {name}.end())"
    return f"torch::lazy::ToOptionalVector<{element}>({name})"


def _no_value(item: NodeArgument) -> LazyFault:
    return LazyFault(
        f"generated kernels take no values of type '{item.schema_type.text}', as '{item.name}' is one",
        "lazy-argument-type",
        "list the operator under 'supported' and write its kernel by hand",
    )
