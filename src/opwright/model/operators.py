"""The operator: an entry after reading, or an operator that was generated from others.

In: what the catalog read. Out: immutable `Operator`s, compared by identity.
"""

from __future__ import annotations

from opwright.releases.keys import COMPOSITE_IMPLICIT, COMPOSITE_IMPLICIT_NESTED, DispatchKey
from opwright.source import Place
from opwright.syntax.names import OperatorName
from opwright.syntax.records import Record
from opwright.syntax.schema import Argument, Schema
from opwright.syntax.yamltree import Scalar
from opwright.values import Value, made


class Kernel(Value):
    """One kernel: its C++ name and namespace (`at::native`), and whether it is a structured class."""

    name: str
    namespace: str
    is_structured: bool

    @property
    def has_symint(self) -> bool:
        return "_symint" in self.name


class Guards(Value):
    """What the wrapper of an operator does about devices: demand one for all tensors, and switch to it."""

    check: bool
    guard: bool


#: Every value there is, by its fields.
GUARDS = {(check, guard): Guards(check, guard) for check in (False, True) for guard in (False, True)}
NO_GUARDS = GUARDS[False, False]


class Precomputed(Value):
    """Values that a meta function computes for its impl: what replaces which parameter, and what is added."""

    replaced: dict[str, tuple[Argument, ...]]
    added: tuple[Argument, ...]


class UfuncLoop(Value):
    """One inner loop of a ufunc: its C++ name and the scalar types it serves, in order."""

    name: str
    scalar_types: tuple[str, ...]


class Operator(Value):
    """One operator.

    `record` is the YAML entry it was read from; a generated operator has that of its base. `kernels` is its own
    dispatch table. The fields from `structured` on are those of the YAML entry.
    """

    namespace: str
    name: OperatorName
    schema: Schema
    record: Record
    is_function: bool
    is_method: bool
    kernels: dict[DispatchKey, Kernel]
    tags: frozenset[str]
    is_composite_implicit: bool
    is_abstract: bool
    is_view: bool
    is_generated: bool = False
    structured: bool = False
    structured_delegate: OperatorName | None = None
    structured_inherits: str | None = None
    precomputed: Precomputed | None = None
    ufunc_loops: dict[str, UfuncLoop] = made(default_factory=dict)
    device_check: bool = True
    device_guard: bool = True
    python_module: str | None = None
    category_override: str | None = None
    autogen: tuple[OperatorName, ...] = ()
    cpp_no_default_args: frozenset[str] = frozenset()
    manual_cpp_binding: bool = False
    manual_kernel_registration: bool = False
    const_ref_mutable: bool = False

    def __str__(self) -> str:
        return self.full_name

    @property
    def full_name(self) -> str:
        """The name with its namespace, `aten::add.Tensor`."""
        return f"{self.namespace}::{self.name.text}"

    @property
    def is_structured_member(self) -> bool:
        """Whether the operator belongs to a structured group."""
        return self.structured or self.structured_delegate is not None

    @property
    def default_kernel(self) -> str:
        """The kernel name that stands for the operator when none is given."""
        return default_kernel_name(self.schema)

    def kernel(self, key: str) -> Kernel | None:
        """The operator's own kernel under the dispatch key of this name."""
        for own, kernel in self.kernels.items():
            if own.name == key:
                return kernel
        return None

    def has_kernel(self, key: str) -> bool:
        return self.kernel(key) is not None

    # Places for diagnostics

    @property
    def func(self) -> Scalar:
        node = self.record.fields["func"][1]
        assert isinstance(node, Scalar)
        return node

    def schema_place(self, start: int, stop: int) -> Place:
        """The place of the characters `start` to `stop` of the schema text, namespace included."""
        if self.is_generated:
            return self.name_place
        return self.func.part(start, stop)

    @property
    def name_place(self) -> Place:
        """The operator's name; of a generated operator, the name of the entry that it was made from."""
        func = self.func
        head = func.value.find("(")
        start = func.value.rfind("::", 0, head) + 2 if "::" in func.value[:head] else 0
        return func.part(start, head if head >= 0 else len(func.value))

    def argument_place(self, argument: Argument) -> Place:
        return self.schema_place(*self.schema.argument_span(argument))

    def field_place(self, name: str) -> Place:
        """The value of a YAML field; the operator's name when the field is not given."""
        return self.record.place(name) if name in self.record.fields else self.name_place


def default_kernel_name(schema: Schema) -> str:
    """The base name, plus `_out` for an operator with out arguments."""
    return schema.name.base + ("_out" if schema.out else "")


_WITHOUT_BACKEND = (COMPOSITE_IMPLICIT, COMPOSITE_IMPLICIT_NESTED)


def is_abstract(kernels: dict[DispatchKey, Kernel], delegate: OperatorName | None) -> bool:
    """Whether an operator needs a backend: it delegates, or has other than composite implicit kernels."""
    if delegate is not None or len(kernels) > 2:
        return True
    return not kernels or any([key.name not in _WITHOUT_BACKEND for key in kernels])


def return_names(operator: Operator) -> list[str]:
    """The names of the returns (spec 06 section 3.2)."""
    schema, returns = operator.schema, operator.schema.returns
    if schema.name.is_inplace:
        return ["self"] * len(returns)
    if schema.out:
        return [argument.name for argument in schema.out[: len(returns)]]
    if len(returns) == 1 and not returns[0].name:
        return ["result"]
    names = []
    for index, item in enumerate(returns):
        if not item.name:
            names.append(f"result{index}")
        elif any(argument.name == item.name for argument in schema.arguments):
            names.append(f"{item.name}_return")
        else:
            names.append(item.name)
    return names
