"""How functionalization kernels take functional tensors apart, before they call on.

In: arguments. Out: lines that make `x_` (what a functional tensor wraps) or `x_meta` (a meta tensor) of each tensor
`x`, and the arguments of calls with these.

    Tensor self  ->  at::Tensor self_; if (...isFunctionalTensor(self)) { self_ = from_functional_tensor(self); } ...

Rules: spec 08 section 12.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from opwright.cpp.types import SYMINT, CppType, returned
from opwright.memo import Memo, Texts
from opwright.signatures.bindings import BindingRow
from opwright.signatures.convert import Converter, NoConversionError, Scope
from opwright.signatures.facts import Facts, FactTable
from opwright.syntax.schema import Argument, Return, Schema

IMPL = "at::functionalization::impl"
#: How a list of tensors is copied, by its type; anything else is copied as it is.
_COPIES = {"at::TensorList": "{}.vec()", "const at::ITensorListRef &": "{{{0}.begin(), {0}.end()}}"}

UNWRAPPED, AS_META = "_", "_meta"


class ArgumentTexts:
    """The texts about arguments of operators with the same flags; those about an argument that is no tensor are empty.

    `unwrapped` has the lines that unwrap a tensor, `synced` those that do pending writes to it first, and `as_meta` the
    one that makes a meta tensor of it. `names` has the arguments with the suffixes of `UNWRAPPED` and `AS_META`.
    `passed` has what an unwrapped argument is passed on as, by that argument and the one that is wanted; it is empty
    where that does not follow from the two. `written` and `read` have tests whether a tensor is functional, of those
    that are annotated and of the others, and `on_xla` those whether a tensor is on XLA. `returns` has return types
    without references.
    """

    def __init__(self, flags: int, table: FactTable) -> None:
        bindings = table.bindings
        row, types = bindings.rows[flags | SYMINT].plain, bindings.types.returns(flags | SYMINT)
        self.unwrapped = Texts(partial(_unwrap, row, False))
        self.synced = Texts(partial(_unwrap, row, True))
        self.as_meta = Texts(_meta_line)
        self.names = {suffix: Texts(partial(_renamed, suffix)) for suffix in (UNWRAPPED, AS_META)}
        self.passed = Texts(partial(_passed, row, table.converter))
        self.written = Texts(partial(_functional_test, " && ", True))
        self.read = Texts(partial(_functional_test, " || ", False))
        self.on_xla = Texts(_xla_test)
        self._rows = Memo(self._row)
        self.returns = Texts(partial(_plain_return, types))

    def _row(self, argument: Argument) -> tuple[str, ...]:
        texts = (self.as_meta, self.names[AS_META], self.synced, self.written, self.on_xla, self.read)
        return (*[found[argument] for found in texts], self.names[UNWRAPPED][argument])

    def columns(self, arguments: Sequence[Argument]) -> Iterable[tuple[str, ...]]:
        """For who needs them together, of one argument or more: first all `as_meta`, then their names with `AS_META`,
        and so on: `synced`, `written`, `on_xla`, `read`, and the names with `UNWRAPPED`.
        """
        return zip(*map(self._rows.__getitem__, arguments), strict=True)


class FunctionalTexts:
    """The texts of one run."""

    def __init__(self, table: FactTable) -> None:
        self._by_flags = Memo[int, ArgumentTexts](lambda flags: ArgumentTexts(flags, table))

    def of(self, facts: Facts) -> ArgumentTexts:
        """The texts about the arguments of an operator."""
        return self._by_flags[facts.flags]


def _unwrap(row: BindingRow, sync: bool, argument: Argument) -> str:
    if not argument.type.is_tensor_like:
        return ""
    name, type = argument.name, row[argument].type
    copy = _COPIES.get(type.text)
    held = "::std::vector<at::Tensor>" if copy else (type.target or type).text
    return f"""  {held} {name}_;
  if ({IMPL}::isFunctionalTensor({name})) {{
{f"    {IMPL}::sync({name});" if sync else ""}
    {name}_ = {IMPL}::from_functional_tensor({name});
  }} else {{
    {name}_ = {copy.format(name) if copy else name};
  }}
"""


def _meta_line(argument: Argument) -> str:
    return f"    auto {argument.name}_meta = to_meta({argument.name});\n" if argument.type.is_tensor_like else ""


def _renamed(suffix: str, argument: Argument) -> str:
    return argument.name + suffix if argument.type.is_tensor_like else argument.name


def _passed(row: BindingRow, converter: Converter, pair: tuple[Argument, Argument]) -> str:
    own, wanted = pair
    if own is wanted:
        return _renamed(UNWRAPPED, own)
    if own.name != wanted.name:
        return ""
    scope = Scope()
    converter.add(scope, _renamed(UNWRAPPED, own), own.name, row[own].type)
    try:
        return converter.arguments(scope, (row[wanted],))[0]
    except NoConversionError:
        return ""


def _functional_test(operator: str, is_annotated: bool, argument: Argument) -> str:
    if not argument.type.is_tensor_like or (argument.annotation is not None) is not is_annotated:
        return ""
    return f"{operator}{IMPL}::isFunctionalTensor({argument.name})"


def _xla_test(argument: Argument) -> str:
    if argument.type.text != "Tensor" or argument.annotation:
        return ""
    return f" || {argument.name}.device().type() == c10::DeviceType::XLA"


def _plain_return(types: Mapping[Return, CppType], returns: tuple[Return, ...]) -> str:
    return returned([(type.target or type).text for type in map(types.__getitem__, returns)])


def renamed_scope(facts: Facts, suffix: str, converter: Converter) -> Scope:
    """The scope in which the tensors among an operator's parameters have a suffix."""
    scope = Scope()
    for argument, binding in zip(facts.operator.schema.arguments, facts.dispatcher.bindings, strict=True):
        name = binding.name + suffix if argument.type.is_tensor_like else binding.name
        converter.add(scope, name, binding.meaning, binding.type)
    return scope


def return_line(indent: str, facts: Facts, values: Sequence[str], end: str = "") -> str:
    """The line that returns some values, with a further `end`; nothing for none."""
    if len(values) == 1:
        return f"{indent}return {values[0]};{end}\n"
    if values:
        return f"{indent}return {facts.dispatcher.returns}({', '.join(values)});{end}\n"
    return f"{indent}{end}\n" if end else ""


def aliased(schema: Schema) -> list[str]:
    """The arguments that stand for returns, in the order of the returns."""
    by_annotation = {item.annotation: item.name for item in reversed(schema.arguments) if item.annotation}
    return [by_annotation[item.annotation] for item in schema.returns if item.annotation in by_annotation]


def fresh(schema: Schema, value: str) -> list[str]:
    """The expressions for returns that no argument stands for, when `value` is all that is returned."""
    taken = {item.annotation for item in schema.arguments if item.annotation}
    returned = zip(schema.returns, parts(value, len(schema.returns)), strict=True)
    return [part for item, part in returned if item.annotation not in taken]


def parts(value: str, count: int) -> list[str]:
    """The expressions for `count` returned values of which `value` is the whole."""
    return [value] if count == 1 else [f"std::get<{index}>({value})" for index in range(count)]
