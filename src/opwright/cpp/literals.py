"""C++ literals: strings and default values.

In: schema text. Out: C++ text.

    c_string('f(str x="a")')  ->  "f(str x=\\"a\\")"

Rules: spec 06 section 4.4 and spec 08 section 3.1.
"""

from __future__ import annotations

from opwright.releases.release import Spelling
from opwright.syntax.types import Form, Type

_ESCAPES = str.maketrans(
    {
        "\\": "\\\\",
        '"': '\\"',
        "\a": "\\a",
        "\b": "\\b",
        "\f": "\\f",
        "\n": "\\n",
        "\v": "\\v",
        "\t": "\\t",
    }
)


def c_string(text: str) -> str:
    """`text` as a C++ string literal."""
    if '"' in text or "\\" in text or not text.isprintable():
        text = text.translate(_ESCAPES)
    return f'"{text}"'


def default_value(default: str, type: Type, symint: bool, spelling: Spelling) -> str:
    """The C++ text of a schema default for an argument of `type`."""
    if default == "None" and type.text == "Tensor?":
        return "{}"
    while type.form is Form.OPTIONAL and type.element is not None:
        if default == "None":
            return spelling.nullopt
        type = type.element
    if type.text == "str" and default.startswith("'") and default.endswith("'"):
        return _double_quoted(default[1:-1])
    if type.form is Form.LIST and type.element is not None:
        if default.startswith("["):
            return "{" + default[1:-1] + "}"
        if symint and type.element.text == "SymInt" and default.isdigit():
            return f"c10::SymInt({default})"
    return _word(default, spelling)


def _word(default: str, spelling: Spelling) -> str:
    if default == "contiguous_format":
        return spelling.contiguous_format
    if default == "None":
        return spelling.nullopt
    return _WORDS.get(default, default)


_WORDS = {"True": "true", "False": "false", "Mean": "at::Reduction::Mean", "[]": "{}", "long": "at::kLong"}


def _double_quoted(inner: str) -> str:
    """The characters of a single-quoted schema string in double quotes."""
    parts, at = [], 0
    while at < len(inner):
        char = inner[at]
        if char == '"':
            parts.append('\\"')
        elif inner.startswith("\\'", at):
            parts.append("'")
            at += 1
        elif char == "\\":
            parts.append(inner[at : at + 2])
            at += 1
        else:
            parts.append(char)
        at += 1
    return f'"{"".join(parts)}"'
