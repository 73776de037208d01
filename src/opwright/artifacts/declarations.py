"""Declarations.yaml: every operator with its C++ signature, for authors of bindings.

In: facts. Out: a YAML list with one mapping for each operator. The text is written directly, one remembered block for
each distinct argument; a general YAML writer takes fifty times as long.

Rules: spec 08 section 16.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain, repeat

from opwright.artifacts.emission import Emission, Planned
from opwright.cpp.literals import default_value
from opwright.cpp.types import SYMINT
from opwright.memo import Memo, Texts
from opwright.model.operators import Operator, return_names
from opwright.signatures.facts import Facts, FactTable
from opwright.syntax.schema import Argument, Return, Schema
from opwright.syntax.types import Form, Type
from opwright.syntax.yaml_writing import write_number, write_scalar

_INTEGER = re.compile(r"-?\d+", re.ASCII)
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_OPTIONS_TYPE = "at::TensorOptions"
#: How a truth value is written, by its integer value.
_TRUTH = ("false", "true")
#: The items of `method_of`, by whether there is a method and whether there is a function.
_METHOD_OF = {
    (is_method, is_function): "".join(
        f"  - {place}\n" for place in ["Type"] + ["Tensor"] * is_method + ["namespace"] * is_function
    )
    for is_method in (False, True)
    for is_function in (False, True)
}


def declarations_yaml(emission: Emission) -> Iterator[Planned]:
    """Declarations.yaml."""

    def text() -> str:
        writer = _Writer(emission)
        return "".join([writer.operator(facts) for facts in emission.facts.items]) or "[]\n"

    yield Planned("Declarations.yaml", text)


class _Writer:
    """Writes operators."""

    def __init__(self, emission: Emission) -> None:
        self.emission = emission
        #: Strings as YAML scalars: the same names and types come again and again.
        self.scalars = Texts(write_scalar)
        self.blocks = Memo[int, _Blocks](lambda flags: _Blocks(flags, emission.facts, self.scalars))

    def operator(self, facts: Facts) -> str:
        """The mapping of one operator."""
        operator, schema, scalar = facts.operator, facts.operator.schema, self.scalars
        name, blocks = schema.name, self.blocks[facts.flags]
        own, out = blocks.non_out(schema), ""
        in_order = public = _items(own)
        if schema.out or schema.has_options:
            out = blocks.out[schema.out, schema.returns]
            in_order = _items(own + out)
            public = _items(out + (self._packed(schema, blocks) if schema.has_options else own))
        base, types = scalar[name.base], blocks.types.join(schema.arguments, ", ")
        return f"""- name: {scalar[name.base + "_out"] if out else base}
  operator_name: {base}
  overload_name: {scalar[name.overload]}
  manual_kernel_registration: {_TRUTH[operator.manual_kernel_registration]}
  category_override: {scalar[operator.category_override or ""]}
  schema_string: {_schema_string(facts, self.emission.namespace(operator))}
  arguments:{public}  schema_order_cpp_signature: {facts.public[0].returns} ({types})
  schema_order_arguments:{in_order}  method_of:
{_METHOD_OF[operator.is_method, operator.is_function]}  mode: native
  python_module: {scalar[operator.python_module or ""]}
  returns:{_items(blocks.returns(operator))}  inplace: {_TRUTH[name.is_inplace]}
  is_factory_method: {_TRUTH[schema.has_options and not operator.is_method]}
  abstract: {_TRUTH[operator.is_abstract]}
  device_guard: {_TRUTH[operator.device_guard]}
  with_gil: false
  deprecated: false
  has_math_kernel: {_TRUTH[operator.is_composite_implicit]}
"""

    def _packed(self, schema: Schema, blocks: _Blocks) -> str:
        """The blocks of the non-out arguments, with the tensor options packed."""
        at, keyword = schema.options_index, blocks.keyword
        options = self._options(schema.keyword[at : at + 4])
        before, after = keyword.join(schema.keyword[:at]), keyword.join(schema.keyword[at + 4 :])
        return f"{blocks.positional.join(schema.positional)}{before}{options}{after}"

    def _options(self, bundle: tuple[Argument, ...]) -> str:
        default = self.emission.facts.bindings.options(bundle).default
        shown = f"    default: {write_scalar(default)}\n" if default else ""
        return f"""  - annotation: null
{shown}    dynamic_type: {_OPTIONS_TYPE}
    is_nullable: false
    kwarg_only: true
    name: options
    type: {_OPTIONS_TYPE}
"""


class _Blocks:
    """The blocks of arguments and returns of operators with the same flags, which are remembered.

    `positional` and `keyword` have those of arguments, and `out` those of all out arguments, by these and the returns.
    `types` has the C++ types of arguments.
    """

    def __init__(self, flags: int, facts: FactTable, scalars: Texts[str]) -> None:
        self.flags = flags
        self.returned_flags = flags if facts.release.symint_returns else flags | SYMINT
        self.argument_types = facts.bindings.types
        self.spelling = facts.release.spelling
        self.scalars = scalars
        row = facts.bindings.rows[flags].plain
        self.types = Texts[Argument](lambda argument: row[argument].type.text)
        self.positional = Texts[Argument](partial(self._argument, "positional"))
        self.keyword = Texts[Argument](partial(self._argument, "keyword"))
        self.out = Memo(self._out)
        self._returns: dict[tuple[object, ...], str] = {}

    def non_out(self, schema: Schema) -> str:
        """The blocks of all arguments but those of `out`."""
        positional = self.positional.join(schema.positional)
        return positional + self.keyword.join(schema.keyword) if schema.keyword else positional

    def _out(self, arguments_and_returns: tuple[tuple[Argument, ...], tuple[Return, ...]]) -> str:
        """The blocks of out arguments, which have the names of the returns that they stand for."""
        arguments, returns = arguments_and_returns
        names = chain([item.name for item in returns], repeat(""))
        blocks = [self._argument(f"out:{name}", argument) for name, argument in zip(names, arguments, strict=False)]
        return "".join(blocks)

    def _argument(self, role: str, argument: Argument) -> str:
        """The block of an argument, with sorted fields. `role` is `positional`, `keyword`, or `out:` and a name."""
        type, scalar = argument.type, self.scalars
        is_out = role.startswith("out:")
        fields = ["annotation: " + (scalar[argument.annotation.text] if argument.annotation else "null")]
        if is_out:
            fields.insert(0, "allocate: true")
        if argument.default is not None:
            fields.append("default: " + _default(default_value(argument.default, type, False, self.spelling)))
        fields.append("dynamic_type: " + scalar[self._dynamic(type)])
        if is_out and role != "out:":
            fields.append("field_name: " + scalar[role[len("out:") :]])
        fields.append("is_nullable: " + _TRUTH[type.is_nullable])
        if role == "keyword":
            fields.append("kwarg_only: true")
        fields.append("name: " + scalar[argument.name])
        if is_out:
            fields.append("output: true")
        sized = type.list_type
        if sized is not None and sized.size is not None and sized.element is not None and sized.element.text != "bool":
            fields.append(f"size: {sized.size}")
        fields.append("type: " + scalar[self.argument_types.argument(type, argument.is_write, self.flags).text])
        return _block(fields)

    def returns(self, operator: Operator) -> str:
        """The blocks of the returns."""
        returns, names = operator.schema.returns, return_names(operator)
        key = (returns, *names)
        found = self._returns.get(key)
        if found is None:
            blocks = [self._return(item, name) for item, name in zip(returns, names, strict=True)]
            found = self._returns[key] = "".join(blocks)
        return found

    def _return(self, item: Return, name: str) -> str:
        """The block of a return; its fields are sorted."""
        scalar = self.scalars
        fields = ["dynamic_type: " + scalar[self._dynamic(item.type)]]
        if item.name:
            fields.append("field_name: " + scalar[item.name])
        fields.append("name: " + scalar[name])
        type = self.argument_types.returned(item.type, item.is_write, self.returned_flags)
        fields.append("type: " + scalar[type.text])
        return _block(fields)

    def _dynamic(self, type: Type) -> str:
        """The type without optionals, as an argument that is not written."""
        while type.form is Form.OPTIONAL and type.element is not None:
            type = type.element
        return "at::Tensor" if type.text == "Tensor" else self.argument_types.argument(type, False, self.flags).text


def _block(fields: list[str]) -> str:
    """A list item whose mapping has these fields."""
    return "  - " + "\n    ".join(fields) + "\n"


def _schema_string(facts: Facts, namespace: str) -> str:
    """The schema with its namespace; only a default that is a string can make quotes necessary."""
    text = facts.operator.schema.text
    if len(facts.schema_literal) == len(text) + len('""') and "'" not in text:
        return f"{namespace}::{text}"
    return write_scalar(f"{namespace}::{text}")


def _items(blocks: str) -> str:
    """What follows the name of a list field."""
    return "\n" + blocks if blocks else " []\n"


def _default(text: str) -> str:
    """A C++ default as a YAML value: a boolean or a number where it is one, else a string."""
    if text in ("true", "false"):
        return text
    if _INTEGER.fullmatch(text):
        return write_number(int(text))
    if _NUMBER.fullmatch(text):
        return write_number(float(text))
    return write_scalar(text)
