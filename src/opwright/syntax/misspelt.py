"""What is wrong with a schema text that cannot be read: the part that is at fault, and what should stand there.

In: a text that the parser cannot go on with, and where it stopped. Out: the `SyntaxFault`. Nothing here runs for a
text without faults.

    no_name("int  x", 3)  ->  argument-syntax: "one blank stands between type and name, not several"
"""

from __future__ import annotations

import re

from opwright.syntax.types import SyntaxFault

_ARROW = re.compile(r"\s*->\s*")
_SCHEMA_HELP = "a schema looks like 'name(Tensor self, int n=1) -> Tensor'"
_ARGUMENT_HELP = "an argument looks like 'Tensor self' or 'int n=1'"


def outline_fault(text: str) -> SyntaxFault:
    """A text that has no `name(` or no `) -> `."""

    def fault(message: str, start: int, stop: int, help: str = _SCHEMA_HELP) -> SyntaxFault:
        return SyntaxFault("schema-syntax", message, start, stop, help)

    if "(" not in text:
        return fault("the arguments in parentheses are missing", 0, len(text))
    arrows = list(_ARROW.finditer(text))
    before = text[: arrows[-1].start()] if arrows else text
    depth = before.count("(") - before.count(")")
    if not arrows or depth > 1:  # an arrow that deep belongs to an annotation
        end = len(text)
        if text.count("(") > text.count(")"):
            return fault("the ')' behind the arguments is missing", end, end)
        return fault("the returns are missing", end, end, "an operator that returns nothing is written with '-> ()'")
    arrow = arrows[-1]
    start, stop = arrow.span()
    if not before.endswith(")"):
        return fault("the ')' behind the arguments is missing", start, start)
    if arrow.group() == " ->" and stop == len(text):
        return fault("the returns are missing", stop, stop, "an operator that returns nothing is written with '-> ()'")
    return fault("the arrow stands between two single blanks", start, stop, "write ') -> '")


def no_name(text: str, at: int) -> SyntaxFault:
    """An argument whose type ends at `at`, where no blank and name follow."""
    rest = text[at:]
    if rest.startswith(","):
        return comma_without_blank(at)
    if not rest.strip():
        return SyntaxFault("argument-syntax", f"'{text}' has a type but no name", 0, len(text), _ARGUMENT_HELP)
    blanks = len(rest) - len(rest.lstrip())
    if rest[blanks] in "=,":
        message = "the name of the argument is missing here"
        return SyntaxFault("argument-syntax", message, at + blanks, at + blanks + 1, _ARGUMENT_HELP)
    if blanks:
        message = "one blank stands between type and name, not several"
        if rest[:blanks].strip(" "):
            message = "type and name are separated by a blank, not by a tab or a line end"
        return SyntaxFault("argument-syntax", message, at, at + blanks)
    message = f"'{text[at]}' cannot follow the type '{text[:at]}'"
    return SyntaxFault("argument-syntax", message, at, at + 1, _ARGUMENT_HELP)


def after_name(text: str, end: int) -> SyntaxFault:
    """An argument with something other than a default behind its name, which ends at `end`."""
    rest = text[end:]
    blanks = len(rest) - len(rest.lstrip())
    following = rest[blanks : blanks + 1]
    if not blanks:
        return comma_without_blank(end)
    if not following:
        message = "there is a blank too many here"
    elif following in "=,":
        message = f"'{following}' follows the name without a blank"
    else:
        message = "a comma is missing, or this does not belong here"
        return SyntaxFault("argument-syntax", message, end + blanks, len(text), _ARGUMENT_HELP)
    return SyntaxFault("argument-syntax", message, end, end + blanks)


def after_return(text: str, at: int) -> SyntaxFault:
    """A return with something other than a name behind its type, which ends at `at`."""
    rest = text[at:]
    blanks = len(rest) - len(rest.lstrip())
    stop = len(text)
    if rest.startswith(","):
        return comma_without_blank(at, "return-syntax")
    if blanks == len(rest):
        return SyntaxFault("return-syntax", "a blank or line end behind the return is too many", at, stop)
    if blanks > 1:
        return SyntaxFault("return-syntax", "one blank stands between type and name, not several", at, at + blanks)
    if "=" in rest:
        return SyntaxFault("return-syntax", "a return has no default", at + rest.index("="), stop)
    message = "only a name can follow the type of a return"
    return SyntaxFault("return-syntax", message, at + blanks, stop, "a return looks like 'Tensor' or 'Tensor values'")


def open_returns(text: str, start: int) -> SyntaxFault:
    """Returns that open a parenthesis at `start` and do not end with one."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return SyntaxFault("return-syntax", "nothing can follow the returns", at + 1, len(text))
    return SyntaxFault("return-syntax", "this parenthesis is not closed", start, start + 1)


def comma_without_blank(at: int, code: str = "argument-syntax") -> SyntaxFault:
    """A comma at `at` that is not followed by exactly one blank."""
    return SyntaxFault(code, "a comma must be followed by one blank", at, at + 1)


def several_returns(text: str, start: int) -> SyntaxFault:
    """Returns from `start` on that are separated by commas without parentheses around them."""
    shown = ", ".join(piece.strip() for piece in text[start:].split(","))
    message = "several returns stand in parentheses"
    return SyntaxFault("return-syntax", message, start, len(text), f"write '({shown})'")


def second_star(first: int, at: int) -> SyntaxFault:
    """A `*` at `at` behind the one at `first`."""
    related = ((first, first + 1, "first given here"),)
    return SyntaxFault("second-star", "'*' stands here a second time", at, at + 1, None, related)
