"""What only structured operators have: precomputed values and ufunc inner loops.

In: the fields `precomputed` and `ufunc_inner_loop`. Out: `Precomputed` and the loops by ufunc key.

    precomputed: ["size -> int h, int w", "int extra"]  ->  Precomputed({"size": (h, w)}, (extra,))

Rules: spec 03 section 4 (PR, UF) and spec 01 sections 7 and 8.
"""

from __future__ import annotations

import re

from opwright.diagnostics import did_you_mean
from opwright.model.context import Context
from opwright.model.operators import Precomputed, UfuncLoop
from opwright.model.rules.arguments import part_faults
from opwright.model.rules.names import is_cpp_name
from opwright.releases.history import when_known
from opwright.syntax.records import Record
from opwright.syntax.schema import Argument
from opwright.syntax.types import SyntaxFault
from opwright.syntax.yamltree import Mapping, Node, Scalar, Sequence, describe, shown_place

ARROW = " -> "
LOOP_KINDS = (
    "CUDAFunctor", "CUDAFunctorOnOther", "CUDAFunctorOnSelf", "CPUScalar", "CPUVector", "ScalarOnly", "Generic",
)  # fmt: skip
_INTEGRAL = ("Byte", "Char", "Int", "Long", "Short")
_FLOATING = ("Float", "Double")
_COMPLEX = ("ComplexFloat", "ComplexDouble")
SCALAR_CLASSES: dict[str, tuple[str, ...]] = {
    "Integral": _INTEGRAL,
    "Floating": _FLOATING,
    "Complex": _COMPLEX,
    "All": _INTEGRAL + _FLOATING,
    "AllAndComplex": _INTEGRAL + _FLOATING + _COMPLEX,
    "FloatingAndComplex": _FLOATING + _COMPLEX,
}
_LOOP = re.compile(r"(?P<name>\S+) \((?P<types>[^()]*)\)")


def read_precomputed(record: Record, structured: bool, context: Context) -> Precomputed | None:
    """The `precomputed` field; None when it is absent, empty or faulty."""
    if not record.has("precomputed"):
        return None
    if not structured:
        precomputed_not_structured(record, context)
    node = record.value("precomputed")
    if not isinstance(node, Sequence):
        precomputed_type(record, context)
        return None
    replaced: dict[str, tuple[Argument, ...]] = {}
    added: tuple[Argument, ...] = ()
    for item in node.items:
        if not isinstance(item, Scalar) or item.kind != "str":
            precomputed_item_type(record, item, context)
        elif item.value.endswith(ARROW.rstrip()) or item.value.endswith(ARROW):
            precomputed_empty(item, context)
        elif ARROW in item.value:
            parameter, declarations = _replacement(item, replaced, context)
            replaced.setdefault(parameter, declarations)
        elif item is node.items[-1]:
            added = _declarations(item, 0, context)
        else:
            precomputed_arrow(item, context)
    return Precomputed(replaced, added) if node.items else None


def _replacement(
    item: Scalar, seen: dict[str, tuple[Argument, ...]], context: Context
) -> tuple[str, tuple[Argument, ...]]:
    parameter, _, declarations = item.value.partition(ARROW)
    if ARROW in declarations:
        precomputed_second_arrow(item, context)
        return parameter, ()
    if not parameter.isidentifier():
        precomputed_parameter(item, parameter, context)
    if parameter in seen:
        precomputed_repeated(item, parameter, context)
    start = len(parameter) + len(ARROW)
    arguments = _declarations(item, start, context)
    if arguments and ", ".join(argument.text for argument in arguments) != declarations:
        precomputed_spacing(item, start, arguments, context)
    return parameter, arguments


def _declarations(item: Scalar, start: int, context: Context) -> tuple[Argument, ...]:
    """The arguments declared in an item from `start` on."""
    arguments: list[Argument] = []
    at = start
    for word in item.value[start:].split(","):
        text = word.strip()
        lead = at + len(word) - len(word.lstrip())
        at += len(word) + 1
        try:
            argument = context.parser.read_argument(text)
        except SyntaxFault as fault:
            _report(item, lead, fault, context)
            continue
        faults = part_faults(argument, context)
        for found in faults:
            _report(item, lead, found, context)
        if not faults:
            precomputed_upper_case(item, lead, argument, context)
        arguments.append(argument)
    return tuple(arguments)


def _report(item: Scalar, at: int, fault: SyntaxFault, context: Context) -> None:
    """Report the fault of a declaration that stands at offset `at` of an item."""
    size = len(item.value)
    start, stop = min(at + fault.start, size - 1), min(at + fault.stop, size)
    context.error(fault.code, fault.message, item.part(start, max(stop, start + 1)), fault.help)


def precomputed_not_structured(record: Record, context: Context) -> None:
    """PR-1: precomputed values on an operator that is not structured."""
    message = "'precomputed' belongs to operators with 'structured: True'"
    context.error("precomputed-not-structured", message, record.key_place("precomputed"))


def precomputed_type(record: Record, context: Context) -> None:
    """PR-2: `precomputed` that is no list."""
    node = record.value("precomputed")
    assert node is not None
    message = f"'precomputed' must be a list of strings, not {describe(node)}"
    context.error("precomputed-type", message, record.place("precomputed"))


def precomputed_item_type(record: Record, item: Node, context: Context) -> None:
    """PR-3: an item of `precomputed` that is no string."""
    place = shown_place(item, record.key_place("precomputed"))
    message = f"an item of 'precomputed' must be a string, not {describe(item)}"
    context.error("precomputed-item-type", message, place)


def precomputed_arrow(item: Scalar, context: Context) -> None:
    """PR-4: an item without an arrow before the last one."""
    help = "write 'parameter -> declarations'; only the last item may list added values alone"
    context.error("precomputed-arrow", f"'{item.value}' does not say what it replaces", item.place, help)


def precomputed_empty(item: Scalar, context: Context) -> None:
    """An item with nothing behind its arrow."""
    help = "name the values that replace the parameter, such as 'dim -> int first, int last'"
    place = item.part(max(item.value.rfind("->"), 0), len(item.value.rstrip()))
    context.error("precomputed-empty", "nothing stands behind this arrow", place, help)


def precomputed_parameter(item: Scalar, parameter: str, context: Context) -> None:
    """PR-5: a replaced parameter that is no name."""
    place = item.part(0, max(len(parameter), 1))
    help = "only the name of the argument stands before the arrow"
    context.error("precomputed-parameter", f"'{parameter}' is not the name of a parameter", place, help)


def precomputed_repeated(item: Scalar, parameter: str, context: Context) -> None:
    """PR-6: a parameter that is replaced twice."""
    message = f"the parameter '{parameter}' is replaced twice"
    context.error("precomputed-repeated", message, item.part(0, len(parameter)))


def precomputed_spacing(item: Scalar, start: int, arguments: tuple[Argument, ...], context: Context) -> None:
    """PR-6: declarations that are not separated by a comma and one blank."""
    help = f"write '{', '.join(argument.text for argument in arguments)}'"
    message = "declarations are separated by a comma and one blank"
    context.error("precomputed-spacing", message, item.part(start, len(item.value)), help)


def precomputed_upper_case(item: Scalar, at: int, argument: Argument, context: Context) -> None:
    """PR-7: a value whose name is its own upper case, which the template parameter needs for itself."""
    if argument.name != argument.name.upper():
        return
    start, stop = argument.name_span()
    message = f"'{argument.name}' needs a lower-case letter: its upper case names the template parameter"
    context.error("precomputed-upper-case", message, item.part(at + start, at + stop))


def precomputed_second_arrow(item: Scalar, context: Context) -> None:
    """PR-8: more than one arrow in an item."""
    at = item.value.find(ARROW, item.value.find(ARROW) + 1)
    message = "an item of 'precomputed' has one arrow"
    context.error("precomputed-second-arrow", message, item.part(at + 1, at + 3))


def read_ufunc_loops(record: Record, structured: bool, context: Context) -> dict[str, UfuncLoop]:
    """The inner loops by ufunc key; empty when there are none."""
    node = record.value("ufunc_inner_loop")
    if node is None:
        return {}
    loops: dict[str, UfuncLoop] = {}
    if isinstance(node, Scalar) and node.kind == "str":
        _add_loop(loops, "Generic", node, context)
    elif isinstance(node, Mapping):
        for key, value in node.fields.values():
            if not isinstance(value, Scalar) or value.kind != "str" or key.kind != "str":
                ufunc_value_type(key, value, context)
            elif key.value not in LOOP_KINDS:
                unknown_ufunc_key(key, context)
            else:
                _add_loop(loops, key.value, value, context)
    else:
        ufunc_type(record, node, context)
    if loops and not structured:
        ufunc_not_structured(record, context)
    return loops


def _add_loop(loops: dict[str, UfuncLoop], key: str, node: Scalar, context: Context) -> None:
    found = _LOOP.fullmatch(node.value)
    if not found:
        ufunc_syntax(node, context)
        return
    ufunc_name(node, found["name"], context)
    types: dict[str, None] = {}
    at = found.start("types")
    for word in found["types"].split(", "):
        if word in SCALAR_CLASSES:
            types.update(dict.fromkeys(SCALAR_CLASSES[word]))
        elif word in context.release.scalar_types:
            types[word] = None
        else:
            unknown_dtype(node, at, word, context)
        at += len(word) + len(", ")
    loops[key] = UfuncLoop(found["name"], tuple(types))


def ufunc_type(record: Record, node: Node, context: Context) -> None:
    """UF-1: inner loops that are neither a string nor a mapping."""
    message = f"'ufunc_inner_loop' must be a string or a mapping, not {describe(node)}"
    context.error("ufunc-type", message, record.place("ufunc_inner_loop"))


def ufunc_not_structured(record: Record, context: Context) -> None:
    """UF-2: inner loops on an operator that is not structured."""
    message = "'ufunc_inner_loop' belongs to operators with 'structured: True'"
    context.error("ufunc-not-structured", message, record.key_place("ufunc_inner_loop"))


def unknown_ufunc_key(key: Scalar, context: Context) -> None:
    """UF-4: a loop under an unknown key."""
    message = f"'{key.value}' is not a kind of inner loop"
    hint = did_you_mean(key.value, LOOP_KINDS) or f"kinds are {', '.join(LOOP_KINDS)}"
    context.error("unknown-ufunc-key", message, key.place, hint)


def ufunc_value_type(key: Scalar, value: Node, context: Context) -> None:
    """UF-5: a loop that is no string, or one under a key that is no string."""
    wrong = value if key.kind == "str" and value.stop > value.start else key
    help = "a loop looks like 'name (AllAndComplex, Half)'"
    message = f"the kind of an inner loop and the loop itself must be strings, not {describe(wrong)}"
    if wrong is key and key.kind == "str":
        message = f"there is no inner loop behind '{key.value}'"
    context.error("ufunc-value-type", message, wrong.place, help)


def ufunc_syntax(node: Scalar, context: Context) -> None:
    """UF-6: a loop that is not of the form `name (types)`."""
    help = "a loop looks like 'name (AllAndComplex, Half)', with one blank before the parenthesis"
    context.error("ufunc-syntax", f"'{node.value}' is not an inner loop", node.place, help)


def ufunc_name(node: Scalar, name: str, context: Context) -> None:
    """A loop that C++ cannot name; torchgen writes a call of it all the same."""
    if not is_cpp_name(name):
        message = f"'{name}' is not a C++ name and cannot name an inner loop"
        context.error("ufunc-name", message, node.part(0, len(name)))


def unknown_dtype(node: Scalar, at: int, word: str, context: Context) -> None:
    """UF-7: an unknown scalar type or class."""
    names = (*SCALAR_CLASSES, *context.release.scalar_types)
    message = f"'{word}' is not a scalar type of PyTorch {context.release.name} or a class of them"
    when = when_known(lambda other: word in other.scalar_types, context.release.name)
    hint = when or did_you_mean(word, names)
    if "," in word:
        hint = "scalar types are separated by a comma and one blank"
    elif not word:
        message, hint = "a scalar type is missing here", "write 'AllAndComplex', for instance"
    context.error("unknown-dtype", message, node.part(at, at + max(len(word), 1)), hint)
