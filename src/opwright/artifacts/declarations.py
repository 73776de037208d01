"""Declarations.yaml: every operator with its C++ signature, for authors of bindings.

In: facts. Out: a YAML list with one mapping for each operator. The text is written directly, one remembered block for
each distinct argument; a general YAML writer takes fifty times as long.

Rules: spec 08 section 16.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from opwright.artifacts.emission import Emission, Planned
from opwright.cpp.literals import default_value
from opwright.cpp.types import SYMINT
from opwright.memo import Texts
from opwright.model.operators import Operator, return_names
from opwright.signatures.facts import Facts
from opwright.syntax.schema import Argument, Return
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
    """Writes operators and remembers the blocks of arguments and returns."""

    def __init__(self, emission: Emission) -> None:
        self.emission = emission
        self.types = emission.facts.bindings.types
        self.spelling = emission.model.release.spelling
        #: Strings as YAML scalars: the same names and types come again and again.
        self.scalars = Texts(write_scalar)
        self._arguments: dict[tuple[int, str], Texts[Argument]] = {}
        self._returns: dict[tuple[Return, int, str], str] = {}

    def operator(self, facts: Facts) -> str:
        """The mapping of one operator."""
        operator, schema = facts.operator, facts.operator.schema
        name = schema.name
        flags = facts.flags
        blocks = self.arguments(operator, flags)
        in_order = public = _items(blocks)
        if schema.out or schema.has_options:
            public = _items(blocks[len(schema.non_out) :] + self._public(operator, blocks))
        scalar = self.scalars
        base = scalar[name.base]
        symbols = self.emission.namespace(operator)
        row = self.emission.facts.bindings.rows[flags].plain
        types = ", ".join([row[argument].type.text for argument in schema.arguments])
        return f"""- name: {scalar[name.base + "_out"] if schema.out else base}
  operator_name: {base}
  overload_name: {scalar[name.overload]}
  manual_kernel_registration: {_TRUTH[operator.manual_kernel_registration]}
  category_override: {scalar[operator.category_override or ""]}
  schema_string: {_schema_string(facts, symbols)}
  arguments:{public}  schema_order_cpp_signature: {facts.public[0].returns} ({types})
  schema_order_arguments:{in_order}  method_of:
{_METHOD_OF[operator.is_method, operator.is_function]}  mode: native
  python_module: {scalar[operator.python_module or ""]}
  returns:{_items(self.returns(operator, flags))}  inplace: {_TRUTH[name.is_inplace]}
  is_factory_method: {_TRUTH[schema.has_options and not operator.is_method]}
  abstract: {_TRUTH[operator.is_abstract]}
  device_guard: {_TRUTH[operator.device_guard]}
  with_gil: false
  deprecated: false
  has_math_kernel: {_TRUTH[operator.is_composite_implicit]}
"""

    def _public(self, operator: Operator, blocks: list[str]) -> list[str]:
        """The blocks of the non-out arguments, with the tensor options packed."""
        schema = operator.schema
        own = blocks[: len(schema.non_out)]
        if not schema.has_options:
            return own
        at = len(schema.positional) + schema.options_index
        return [*own[:at], self._options(operator), *own[at + 4 :]]

    def _options(self, operator: Operator) -> str:
        at = operator.schema.options_index
        default = self.emission.facts.bindings.options(operator.schema.keyword[at : at + 4]).default
        shown = f"    default: {write_scalar(default)}\n" if default else ""
        return f"""  - annotation: null
{shown}    dynamic_type: {_OPTIONS_TYPE}
    is_nullable: false
    kwarg_only: true
    name: options
    type: {_OPTIONS_TYPE}
"""

    def arguments(self, operator: Operator, flags: int) -> list[str]:
        """The blocks of all arguments in schema order."""
        schema = operator.schema
        known = self.blocks(flags, "positional")
        blocks = [known[argument] for argument in schema.positional]
        if schema.keyword:
            known = self.blocks(flags, "keyword")
            blocks += [known[argument] for argument in schema.keyword]
        for index, argument in enumerate(schema.out):
            name = schema.returns[index].name if index < len(schema.returns) else ""
            blocks.append(self.blocks(flags, f"out:{name}")[argument])
        return blocks

    def blocks(self, flags: int, role: str) -> Texts[Argument]:
        """The blocks of arguments in a role: `positional`, `keyword`, or `out:` and the name of the return."""
        found = self._arguments.get((flags, role))
        if found is None:
            found = self._arguments[flags, role] = Texts(partial(self.argument, flags, role))
        return found

    def argument(self, flags: int, role: str, argument: Argument) -> str:
        """The block of an argument in a role; its fields are sorted."""
        type, scalar = argument.type, self.scalars
        is_out = role.startswith("out:")
        fields = ["annotation: " + (scalar[argument.annotation.text] if argument.annotation else "null")]
        if is_out:
            fields.insert(0, "allocate: true")
        if argument.default is not None:
            fields.append("default: " + _default(default_value(argument.default, type, False, self.spelling)))
        fields.append("dynamic_type: " + scalar[self._dynamic(type, flags)])
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
        fields.append("type: " + scalar[self.types.argument(type, argument.is_write, flags).text])
        return _block(fields)

    def returns(self, operator: Operator, flags: int) -> list[str]:
        """The blocks of the returns."""
        blocks = []
        for item, name in zip(operator.schema.returns, return_names(operator), strict=True):
            key = (item, flags, name)
            found = self._returns.get(key)
            if found is None:
                found = self._returns[key] = self._return(item, flags, name)
            blocks.append(found)
        return blocks

    def _return(self, item: Return, flags: int, name: str) -> str:
        """The block of a return; its fields are sorted."""
        scalar = self.scalars
        symint = 0 if self.emission.model.release.symint_returns else SYMINT
        fields = ["dynamic_type: " + scalar[self._dynamic(item.type, flags)]]
        if item.name:
            fields.append("field_name: " + scalar[item.name])
        fields.append("name: " + scalar[name])
        fields.append("type: " + scalar[self.types.returned(item.type, item.is_write, flags | symint).text])
        return _block(fields)

    def _dynamic(self, type: Type, flags: int) -> str:
        """The type without optionals, as an argument that is not written."""
        while type.form is Form.OPTIONAL and type.element is not None:
            type = type.element
        return "at::Tensor" if type.text == "Tensor" else self.types.argument(type, False, flags).text


def _block(fields: list[str]) -> str:
    """A list item whose mapping has these fields."""
    return "  - " + "\n    ".join(fields) + "\n"


def _schema_string(facts: Facts, namespace: str) -> str:
    """The schema with its namespace; only a default that is a string can make quotes necessary."""
    text = facts.operator.schema.text
    if len(facts.schema_literal) == len(text) + len('""') and "'" not in text:
        return f"{namespace}::{text}"
    return write_scalar(f"{namespace}::{text}")


def _items(blocks: list[str]) -> str:
    """What follows the name of a list field."""
    return "\n" + "".join(blocks) if blocks else " []\n"


def _default(text: str) -> str:
    """A C++ default as a YAML value: a boolean or a number where it is one, else a string."""
    if text in ("true", "false"):
        return text
    if _INTEGER.fullmatch(text):
        return write_number(int(text))
    if _NUMBER.fullmatch(text):
        return write_number(float(text))
    return write_scalar(text)
