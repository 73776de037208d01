"""The classes of nodes of lazy graphs.

In: a `LazyNode`. Out: the text of its class. `NodeHooks` has a method for each part that a backend may want to write
itself; the defaults give nodes that are neither made nor lowered by generated code.

    lz  ->  class Lz : public Node { ... bool CanBeReused(const torch::lazy::Value& self) const { return false; } ... };

Rules: spec 12 section 4.
"""

from __future__ import annotations

from collections.abc import Iterable

from opwright.options import LazyOptions
from opwright.releases.release import Release
from opwright.signatures.lazy import LazyNode, NodeArgument
from opwright.syntax.types import Form

SHAPES_PARAMETER = "std::vector<torch::lazy::Shape>&& shapes"
_STRING = "c10::string_view"


class LazyFault(Exception):
    """Something about an operator for which no code can be made; the message is a plain sentence.

    Raised by hooks, it becomes a diagnostic `code` at the operator's place in the backend file.
    """

    def __init__(self, message: str, code: str = "lazy-operator", help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.help = help


class NodeHooks:
    """The parts of the class of a node. Override a method to write that part otherwise; all return C++.

    While files are made, `options` and `release` say what is generated, and for which PyTorch.
    """

    options: LazyOptions
    release: Release

    def begin(self, options: LazyOptions, release: Release) -> None:
        """Take note of what is generated; called before any other method."""
        self.options = options
        self.release = release
        #: `std::optional` and so on as this release spells them inside functions; types are qualified from the root.
        self.optional = release.spelling.optional.removeprefix("::")
        self.make_optional = release.spelling.make_optional.removeprefix("::")
        self.nullopt = release.spelling.nullopt

    def node(self, node: LazyNode) -> str:
        """The class of a node."""
        name, present = node.class_name, [item.name for item in node.values if item.is_optional]
        return f"""class {name} : public {self.options.node_base} {{
 public:
  static torch::lazy::OpKind ClassOpKind() {{
    return torch::lazy::OpKind({node.op_kind});
  }}

  {name}({self.constructor_parameters(node)})
      : {", ".join([self.base_call(node), *map(self._initializer, node.scalars)])} {{
{_lines(f"    has_{value} = !!{value};" for value in present)}  }}

  std::string ToString() const override {{
    std::stringstream ss;
    ss << {self.options.node_base}::ToString();
{_lines(map(self._printed, node.scalars))}    return {self.release.lazy.node_text};
  }}

  {self.create(node)}

  {self.reuse(node)}

  {self.lowering(node)}

{_lines(map(self._member, node.scalars))}{_lines(f"  bool has_{value}: 1;" for value in present)}}};
"""

    def constructor_parameters(self, node: LazyNode) -> str:
        """The parameters of the constructor."""
        has_shapes = self.options.use_lazy_shape and "ShapePrecompute" in node.properties
        return ", ".join(filter(None, [node.parameters, SHAPES_PARAMETER if has_shapes else ""]))

    def base_call(self, node: LazyNode) -> str:
        """The call of the base class's constructor."""
        values = ", ".join(map(self._operand, node.values))
        scalars = ", ".join([item.name for item in node.scalars])
        return f"""{self.options.node_base}(
              {node.class_name}::ClassOpKind(),
              OpList{{{values}}},
              {self.shape_argument(node)}
              /* outputs */ {node.returns},
              torch::lazy::MHash({scalars}))"""

    def shape_argument(self, node: LazyNode) -> str:
        """The argument of that call that is about shapes, with the comma behind it; empty when there is none."""
        function = f"compute_shape_{node.name}"
        scalars = [item.name for item in node.scalars]
        if "ShapePrecompute" in node.properties:
            return "std::move(shapes),"
        if "ShapeCompute" in node.properties:
            return f"{function}({', '.join([*[item.name for item in node.values], *scalars])}),"
        if "ShapeCache" in node.properties:
            operands = [f"operand({index})" for index in range(len(node.values))]
            return f"[&](){{ return {function}({', '.join([*operands, *scalars])})[0]; }},"
        return ""

    def create(self, node: LazyNode) -> str:
        """The function that makes a node or finds one that can be used again; empty leaves it out."""
        return ""

    def reuse(self, node: LazyNode) -> str:
        """The function that says whether a node can be used again for other arguments."""
        return f"bool CanBeReused({node.parameters}) const {{ return false; }}"

    def lowering(self, node: LazyNode) -> str:
        """The function that translates a node for the backend; empty leaves it out."""
        return ""

    def _operand(self, item: NodeArgument) -> str:
        """A value among the operands."""
        if item.schema_type.form is Form.LIST and item.type.startswith("c10::List"):
            raise LazyFault(
                f"'{item.schema_type.text} {item.name}' cannot be an operand of a node", "lazy-argument-type"
            )
        return f"{item.name}.value_or(kNullValue)" if item.is_optional else item.name

    def _initializer(self, item: NodeArgument) -> str:
        name, spelling = item.name, self.release.spelling
        if item.type == f"{spelling.optional}<{_STRING}>":
            owned = f"{spelling.make_optional}(std::string(*{name}))"
            return f"{name}({name}.has_value() ? {owned} : {spelling.nullopt})"
        return f"{name}({name})"

    def _member(self, item: NodeArgument) -> str:
        optional = self.release.spelling.optional
        # A view of characters would outlive them.
        owning = {_STRING: "std::string", f"{optional}<{_STRING}>": f"{optional}<std::string>"}
        return f"  {owning.get(item.type, item.type)} {item.name};"

    def _printed(self, item: NodeArgument) -> str:
        name = item.name
        if not item.is_optional:
            return f'    ss << ", {name}=" << {name};'
        shown = '"torch.Generator()"' if item.schema_type.base == "Generator" else f"{name}.value()"
        return f"""    if ({name}.has_value()) {{
      ss << ", {name}=" << {shown};
    }} else {{
      ss << ", {name}=null";
    }}"""


def _lines(texts: Iterable[str]) -> str:
    """The texts, each on a line of its own."""
    return "".join([f"{text}\n" for text in texts])
