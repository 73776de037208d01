"""The nodes of lazy graphs: what a node is made of.

In: a schema, and whether its symbolic integers are values of the graph. Out: a `LazyNode`: the name of its class and,
for each argument, the C++ type that the node takes and whether it is a value of the graph or a constant of the node.

    lz(Tensor self, Scalar a, ScalarType? dtype=None) -> Tensor
        ->  class Lz, values self and a, scalar dtype of type ::std::optional<at::ScalarType>

Rules: spec 06 section 9 and spec 12 sections 4 and 7.
"""

from __future__ import annotations

from collections.abc import Iterator

from opwright.cpp.types import CppType, CppTypes, NoCppTypeError
from opwright.syntax.schema import Argument, Schema
from opwright.syntax.types import Form, Type
from opwright.values import Value

#: The properties of the nodes of operators that have an entry in the source.
NATIVE_PROPERTIES = frozenset({"ShapePrecompute", "Lower", "CanBeReused"})
CONSTANT_SCALARS = "TreatScalarsAsConstants"
#: The type of a list of tensors; it stays the same when values have another class.
TENSOR_LIST = "torch::lazy::Value"

#: Base types that a node takes as they are.
_PLAIN = frozenset("ScalarType int bool float str Device Layout MemoryFormat Generator".split())
#: Operators whose symbol PyTorch has not declared, so that it is looked up by its text.
_WITHOUT_SYMBOL = frozenset({"sigmoid_backward"})


class NodeArgument(Value):
    """One argument of an operator as its node sees it.

    `type` is the C++ type that the node's constructor takes by const reference. An argument with `is_value` is a value
    of the graph, any other a constant that is called a scalar of the node; one without `is_held` is a scalar that the
    node leaves out (the random generators of older releases). `has_symint` says that symbolic integers of this
    operator are values.
    """

    argument: Argument
    type: str
    is_value: bool
    is_held: bool
    is_keyword: bool
    has_symint: bool

    @property
    def name(self) -> str:
        return self.argument.name

    @property
    def schema_type(self) -> Type:
        """The type in the schema."""
        return self.argument.type

    @property
    def is_optional(self) -> bool:
        return self.argument.type.form is Form.OPTIONAL

    @property
    def is_wrapped_scalar(self) -> bool:
        """Whether a number becomes a value: `Scalar`, also as an optional or in a list."""
        return self.argument.type.base == "Scalar"

    @property
    def is_symint(self) -> bool:
        """Whether this is a symbolic integer that is a value."""
        return self.has_symint and self.argument.type.text in ("SymInt", "SymInt?")

    @property
    def definition(self) -> str:
        """The parameter of the node's functions."""
        return f"const {self.type}& {self.name}"


class LazyNode(Value):
    """The node of one operator.

    `class_name` is the name of its C++ class, `op_kind` the C++ expression of its symbol. `arguments` are in the order
    of the schema, positional ones first, out arguments last. `properties` are those of `opwright.model.backend`.
    """

    schema: Schema
    class_name: str
    op_kind: str
    arguments: tuple[NodeArgument, ...]
    properties: frozenset[str]

    @property
    def name(self) -> str:
        """The name of the operator with its overload, `add.Tensor`."""
        return self.schema.name.text

    @property
    def base(self) -> str:
        """The name of the operator without its overload."""
        return self.schema.name.base

    @property
    def returns(self) -> int:
        """How many values the operator returns."""
        return len(self.schema.returns)

    @property
    def held(self) -> tuple[NodeArgument, ...]:
        """The arguments that the node has, in order."""
        return tuple(item for item in self.arguments if item.is_held)

    @property
    def values(self) -> tuple[NodeArgument, ...]:
        """The arguments that are values of the graph."""
        return tuple(item for item in self.arguments if item.is_value)

    @property
    def scalars(self) -> tuple[NodeArgument, ...]:
        """The constants of the node."""
        return tuple(item for item in self.arguments if item.is_held and not item.is_value)

    @property
    def parameters(self) -> str:
        """The parameters of the node's functions, without shapes."""
        return ", ".join([item.definition for item in self.held])


class LazyConvention:
    """Makes nodes; `value_class` is the C++ class of values."""

    def __init__(self, types: CppTypes, value_class: str) -> None:
        self.types = types
        self.value = types.named(value_class)
        self.tensor_list = types.named(TENSOR_LIST)
        self.holds_generators = types.release.lazy.holds_generators

    def node(
        self,
        schema: Schema,
        *,
        symint: bool,
        op_kind: str | None = None,
        properties: frozenset[str] = NATIVE_PROPERTIES,
    ) -> LazyNode:
        """The node for a schema; `symint` makes symbolic integers values, `op_kind` takes the place of its own symbol.

        Raises `NoCppTypeError` for an argument of a type that nodes do not have.
        """
        constants = CONSTANT_SCALARS in properties
        positional = len(schema.positional)
        arguments = [
            self._argument(argument, index >= positional, symint, constants)
            for index, argument in enumerate(schema.arguments)
        ]
        return LazyNode(schema, class_name(schema), op_kind or symbol(schema.name.base), tuple(arguments), properties)

    def _argument(self, argument: Argument, is_keyword: bool, symint: bool, constants: bool) -> NodeArgument:
        is_held = self.holds_generators or argument.type.base != "Generator"
        if not is_held and argument.type.form is not Form.OPTIONAL:
            raise NoCppTypeError(f"the generator '{argument.name}' must be optional")
        type, is_value = self.type(argument.type, symint=symint, constants=constants)
        return NodeArgument(argument, type.text, is_value, is_held, is_keyword, symint)

    def type(self, type: Type, *, symint: bool, constants: bool) -> tuple[CppType, bool]:
        """The C++ type of an argument, and whether it is a value. Raises `NoCppTypeError`."""
        element, types = type.element, self.types
        if type.form is Form.BASE:
            return self._base(type, symint, constants)
        if element is None:
            raise NoCppTypeError(f"nodes have no arguments of type '{type.text}'")
        if type.form is Form.OPTIONAL:
            inner, is_value = self.type(element, symint=symint, constants=constants)
            return types.optional(inner), is_value
        if element.text == "Tensor":
            return self.tensor_list, self.tensor_list is self.value
        if element.text == "Tensor?":
            return types.named(f"c10::List<{types.optional(self.value).text}>"), True
        if element.text == "SymInt":
            return types.vector(types.named("int64_t")), False
        inner, is_value = self.type(element, symint=symint, constants=constants)
        return types.vector(inner), is_value

    def _base(self, type: Type, symint: bool, constants: bool) -> tuple[CppType, bool]:
        if type.base == "Tensor":
            return self.value, True
        if type.base == "Scalar":
            return (self.types.named("at::Scalar"), False) if constants else (self.value, True)
        if type.base == "SymInt":
            return (self.value, True) if symint else (self.types.named("int64_t"), False)
        plain = self.types.value(type, 0) if type.base in _PLAIN else None
        if plain is None:
            raise NoCppTypeError(f"nodes have no arguments of type '{type.text}'")
        return plain, False


def class_name(schema: Schema) -> str:
    """The name of the class of an operator's nodes: its words, each with a capital letter."""
    return "".join(_words(schema.name.unambiguous.lower()))


def _words(text: str) -> Iterator[str]:
    return (word.capitalize() for word in text.split("_"))


def symbol(base: str) -> str:
    """The C++ expression for the symbol of an operator."""
    return f'c10::Symbol::fromQualString("aten::{base}")' if base in _WITHOUT_SYMBOL else f"at::aten::{base}"
