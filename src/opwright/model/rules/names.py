"""Rules for names: of operators, overloads, arguments and returns.

In: a name. Out: its faults, with offsets into its text.

Rules: spec 03 section 2 (NM) and names that C++ cannot take, which torchgen does not look at.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from opwright.diagnostics import nearest
from opwright.syntax.names import AUGMENTED, OperatorName
from opwright.syntax.types import SyntaxFault

IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_FUNCTIONAL = "_functional"
#: How base names end about which there may be a rule: all of Python's methods end in `__`.
_SUFFIXES = ("_out", "_functional_", "__")
_WORD = re.compile(r"\w+", re.ASCII)

#: Words that C++20 keeps for itself.
_KEYWORDS = (
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class "
    "co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype "
    "default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline "
    "int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public "
    "register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch "
    "template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile "
    "wchar_t while xor xor_eq"
)
CPP_KEYWORDS = frozenset(_KEYWORDS.split())


def is_cpp_name(text: str) -> bool:
    """Whether C++ can name something `text`: an identifier, without namespace, that is no keyword."""
    return text.isidentifier() and text.isascii() and text not in CPP_KEYWORDS


NameRule = Callable[[OperatorName, str], "SyntaxFault | None"]


def name_faults(name: OperatorName, text: str) -> list[SyntaxFault]:
    """The faults of an operator name that was read from `text`."""
    base = name.base
    is_ordinary = name.root and text == name.text and base not in CPP_KEYWORDS and not base.endswith(_SUFFIXES)
    if is_ordinary and is_cpp_name(name.unambiguous):
        return []  # nearly every name; the rules below would find nothing
    return [fault for rule in NAME_RULES if (fault := rule(name, text))]


def empty_name(name: OperatorName, text: str) -> SyntaxFault | None:
    """NM-1: nothing in front of the overload name, or only what marks a variant."""
    if name.root:
        return None
    message = f"'{name.base}' marks a variant of an operator that has no name" if name.base else "the name is missing"
    return SyntaxFault("empty-name", message, 0, len(name.base) or min(1, len(text)))


def out_suffix(name: OperatorName, text: str) -> SyntaxFault | None:
    """NM-2: a base name that ends in `_out`, which C++ functions of out variants end in."""
    if not name.base.endswith("_out"):
        return None
    message = f"the base name '{name.base}' must not end in '_out'"
    help = f"write '{name.base[: -len('_out')] or 'name'}.out'; C++ functions get the '_out' by themselves"
    return SyntaxFault("out-suffix", message, 0, len(name.base), help)


def augmented_name(name: OperatorName, text: str) -> SyntaxFault | None:
    """NM-3: a dunder name that starts with `i` and is no augmented assignment of Python."""
    if not name.is_dunder or name.is_inplace or not name.root.startswith("i"):
        return None
    message = f"'{name.base}' is not an in-place method of Python, as its 'i' says"
    near = nearest(name.root[1:], AUGMENTED)
    help = f"did you mean '__i{near}__'?" if near else "in-place methods of Python are '__iadd__', '__imul__' and such"
    return SyntaxFault("augmented-name", message, 0, len(name.base), help)


def functional_suffix(name: OperatorName, text: str) -> SyntaxFault | None:
    """NM-4: the suffix `_functional` on an in-place or dunder name."""
    if not name.root.endswith(_FUNCTIONAL) or not (name.is_inplace or name.is_dunder):
        return None
    what = "in-place" if name.is_inplace else "a method of Python"
    message = f"'{name.base}' cannot be functional, as its suffix says, and {what}"
    start = name.base.find(_FUNCTIONAL)
    return SyntaxFault("functional-suffix", message, start, start + len(_FUNCTIONAL), f"remove '{_FUNCTIONAL}'")


def name_form(name: OperatorName, text: str) -> SyntaxFault | None:
    """A base name that is no identifier."""
    if not name.base or IDENTIFIER.fullmatch(name.base):
        return None
    if name.base.strip() != name.base:
        message = "there is a blank too many here"
        start = len(name.base.rstrip()) if name.base.rstrip() != name.base else 0
        stop = len(name.base) if start else len(name.base) - len(name.base.lstrip())
        return SyntaxFault("name-form", message, start, stop)
    message = f"'{name.base}' is not an identifier"
    return SyntaxFault("name-form", message, 0, len(name.base), "use letters, digits and '_'")


def overload_form(name: OperatorName, text: str) -> SyntaxFault | None:
    """NM-5: an overload name that is missing behind its dot, or is no word; it becomes part of C++ names."""
    start = len(name.base) + 1
    if text.endswith(".") and not name.overload:
        return SyntaxFault("overload-form", "an overload name is missing behind the dot", start - 1, start)
    if not name.overload or _WORD.fullmatch(name.overload):
        return None
    message = f"'{name.overload}' is not an overload name"
    return SyntaxFault("overload-form", message, start, len(text), "use letters, digits and '_'")


def keyword_name(name: OperatorName, text: str) -> SyntaxFault | None:
    """A base name that is a keyword of C++."""
    if name.base not in CPP_KEYWORDS:
        return None
    message = f"'{name.base}' is a keyword of C++ and cannot name a function"
    return SyntaxFault("keyword-name", message, 0, len(name.base))


def namespace_form(namespace: str) -> SyntaxFault | None:
    """A namespace that C++ cannot take; several levels are the business of `nested-namespace`."""
    for level in namespace.split("::"):
        if not IDENTIFIER.fullmatch(level):
            message = f"'{namespace}' is not an identifier and cannot name a namespace"
            return SyntaxFault("namespace-form", message, 0, len(namespace))
        if level in CPP_KEYWORDS:
            message = f"'{level}' is a keyword of C++ and cannot name a namespace"
            return SyntaxFault("namespace-form", message, 0, len(namespace))
    return None


NAME_RULES: tuple[NameRule, ...] = (
    empty_name,
    out_suffix,
    augmented_name,
    functional_suffix,
    name_form,
    overload_form,
    keyword_name,
)


def parameter_fault(name: str, what: str) -> tuple[str, str]:
    """Code and message of what is wrong with the name of an argument or a return that `is_cpp_name` does not take."""
    if name in CPP_KEYWORDS:
        return "keyword-parameter", f"'{name}' is a keyword of C++ and cannot name {what}"
    return "parameter-name", f"'{name}' is not an identifier and cannot name {what}"
