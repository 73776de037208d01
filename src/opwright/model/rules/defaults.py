"""Whether a default is a value of its argument's type, in a form that becomes valid C++.

In: an argument. Out: the fault of its default, if any.

    int x=banana  ->  default-value: 'banana' is not a value of 'int'

torchgen copies most defaults into C++ unseen; the forms that it translates are those of spec 06 section 4.4.
"""

from __future__ import annotations

import re

from opwright.syntax.schema import Argument
from opwright.syntax.types import Form, SyntaxFault, Type

_INTEGER = r"-?\d+"
_NUMBER = r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_DOUBLE_QUOTED = r'"(?:[^"\\]|\\.)*"'
_SINGLE_QUOTED = r"'(?:[^'\\]|\\.)*'"
#: What a default of each base type looks like. A type that is not here takes no default but `None`, when optional.
_FORMS = {
    base: re.compile(form)
    for base, form in {
        "int": rf"{_INTEGER}|Mean",
        "SymInt": _INTEGER,
        "DeviceIndex": _INTEGER,
        "float": _NUMBER,
        "Scalar": rf"{_NUMBER}|True|False",
        "bool": r"True|False",
        "SymBool": r"True|False",
        "str": rf"{_DOUBLE_QUOTED}|{_SINGLE_QUOTED}",
        "ScalarType": r"long",
        "MemoryFormat": r"contiguous_format",
    }.items()
}
#: What to say of a default that is close to none of the forms of its base type.
_HINTS = {
    "ScalarType": "the only default of a 'ScalarType' is 'long'",
    "MemoryFormat": "the only default of a 'MemoryFormat' is 'contiguous_format'",
    "int": "write an integer",
    "SymInt": "write an integer",
    "bool": "write 'True' or 'False'",
}
#: What can stand inside a list default: its text is copied into C++ as it is.
_ITEMS = {
    base: re.compile(rf"(?:{item})(?:, ?(?:{item}))*")
    for base, item in {
        "int": _INTEGER,
        "SymInt": _INTEGER,
        "DeviceIndex": _INTEGER,
        "float": _NUMBER,
        "Scalar": _NUMBER,
        "str": _DOUBLE_QUOTED,
    }.items()
}
_QUOTES = ("'", '"')
_STRING = re.compile(rf"{_DOUBLE_QUOTED}|{_SINGLE_QUOTED}")


def default_fault(argument: Argument) -> SyntaxFault | None:
    """The fault of an argument's default; None when it has no default, or one without fault."""
    if argument.default is None:
        return None
    faults = (rule(argument) for rule in (second_equals, unsized_list_default, default_value))
    return next(filter(None, faults), None)


def second_equals(argument: Argument) -> SyntaxFault | None:
    """AR-2: an equal sign in a default that is no string; the dispatcher prints, and reads, those in strings."""
    default = argument.default or ""
    if "=" not in default or "=" not in _STRING.sub("", default):
        return None
    start = argument.default_span()[0] + default.find("=")
    message = f"the default of '{argument.name}' is followed by a second '='"
    return SyntaxFault("second-equals", message, start, start + 1)


def unsized_list_default(argument: Argument) -> SyntaxFault | None:
    """LT-11: one value as the default of a list that has no size."""
    default = argument.default or ""
    list_type = argument.type.list_type
    if list_type is None or list_type.size is not None or default.startswith("[") or default == "None":
        return None
    if not is_value(argument.type, f"[{default}]"):
        return None
    message = f"a list without a size cannot have the single value '{default}' as its default"
    return SyntaxFault("unsized-list-default", message, *argument.default_span(), f"write '[{default}]'")


def default_value(argument: Argument) -> SyntaxFault | None:
    """A default that is no value of its type."""
    default = argument.default or ""
    if is_value(argument.type, default):
        return None
    message = f"'{default}' is not a value of '{argument.type.text}'"
    return SyntaxFault("default-value", message, *argument.default_span(), _advice(argument, default))


def is_value(type: Type, text: str) -> bool:
    """Whether `text` is a default that `type` can take."""
    if type.form is Form.OPTIONAL and type.element is not None:
        return text == "None" or is_value(type.element, text)
    if type.form is Form.LIST and type.element is not None:
        if text.startswith("[") and text.endswith("]"):
            items = _ITEMS.get(type.element.text)
            return text == "[]" or (items is not None and items.fullmatch(text[1:-1]) is not None)
        return type.size is not None and type.base != "bool" and is_value(type.element, text)
    form = _FORMS.get(type.text)
    return form is not None and form.fullmatch(text) is not None


def _advice(argument: Argument, default: str) -> str | None:
    type = argument.type
    for better in (default.strip(), default.capitalize(), f"[{default}]"):
        if is_value(type, better):
            return f"write '{argument.name}={better}'"
    if default == "None":
        return f"write '{type.text}? {argument.name}=None'"
    if default[:1] in _QUOTES or default[-1:] in _QUOTES:
        return "the quotes do not match" if type.base == "str" else None
    if type.base == "str" and not default.startswith("["):
        return f"write it in quotes: '\"{default}\"'"
    form = _HINTS.get(type.base)
    return form if type.list_type is None else None
