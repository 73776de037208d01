"""The types of the schema language as interned, immutable trees.

In: type text. Out: a `Type`; equal texts give the same object, so types are compared by identity. The facts that
later stages ask for on every use (innermost base, nullable, list) are attributes.

    TypeTable().read("Tensor?[]", 0)  ->  (ListType(OptionalType(BaseType "Tensor")), 9)
"""

from __future__ import annotations

import re
from enum import Enum

from opwright.values import Value, derived, made


class Form(Enum):
    """How a type is built."""

    BASE = "base"
    OPTIONAL = "optional"
    LIST = "list"
    CLASS = "class"
    GENERIC = "generic"  # Dict(...), tuples: the dispatcher prints them, no operator of a library can use them


class Type(Value):
    """One type.

    `text` is the printed form; `element` is what an optional or a list is made of; `size` is the N of `int[N]`;
    `base` is the innermost base name (`Tensor` for `Tensor?[]`, empty for classes and generics); `is_tensor_like` says
    that it is `Tensor`.
    """

    text: str
    form: Form
    base: str
    element: Type | None = None
    size: int | None = None
    is_tensor_like: bool = derived()
    is_nullable: bool = derived()
    list_type: Type | None = derived()

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_tensor_like", self.base == "Tensor")
        inner = self.element
        nullable = self.form is Form.OPTIONAL or (self.form is Form.LIST and inner is not None and inner.is_nullable)
        object.__setattr__(self, "is_nullable", nullable)
        found = self if self.form is Form.LIST else inner.list_type if inner and self.form is Form.OPTIONAL else None
        object.__setattr__(self, "list_type", found)

    def __str__(self) -> str:
        return self.text

    def innermost(self) -> Type:
        """The type under all optionals and lists."""
        inner = self
        while inner.element is not None:
            inner = inner.element
        return inner


class Annotation(Value):
    """An alias annotation: `a|b! -> c`. `before` and `after` are the letters, `*` being the wildcard."""

    text: str
    before: tuple[str, ...]
    is_write: bool
    after: tuple[str, ...]

    def __str__(self) -> str:
        return self.text


#: A message that quotes more of the input than this many characters is cut in the middle.
_MAX_MESSAGE = 400


class SyntaxFault(Exception):
    """A fault of a text, raised or kept as a value.

    Offsets, those of the `related` places (start, stop, message) too, are relative to the text that was read.
    """

    def __init__(
        self,
        code: str,
        message: str,
        start: int,
        stop: int,
        help: str | None = None,
        related: tuple[tuple[int, int, str], ...] = (),
    ) -> None:
        if len(message) > _MAX_MESSAGE:
            message = f"{message[: _MAX_MESSAGE // 2]} ... {message[-_MAX_MESSAGE // 2 :]}"
        super().__init__(message)
        self.related = related
        self.code = code
        self.message = message
        self.start = start
        self.stop = max(stop, start)
        self.help = help

    def shifted(self, by: int) -> SyntaxFault:
        """The same fault in a text that has `by` characters more in front."""
        related = tuple((start + by, stop + by, message) for start, stop, message in self.related)
        return SyntaxFault(self.code, self.message, self.start + by, self.stop + by, self.help, related)


_WORD = re.compile(r"__torch__(?:\.\w+)+|\w+")
_SIZE = re.compile(r"\[([^\[\]\s]*)\]")
_DIGITS = re.compile(r"[1-9][0-9]{0,8}")
_LETTERS = r"(?:\*|[A-Za-z_]\w*(?:\|[A-Za-z_]\w*)*)"
_ANNOTATION = re.compile(rf"\(({_LETTERS})(!?)(?: -> ({_LETTERS}))?\)")
_GENERICS = frozenset({"Dict", "Future", "RRef", "Await", "Union", "Optional", "List", "Tuple"})
#: More `?`, `[]` and levels of parentheses than this in one type are refused; real types have two.
_MAX_DEPTH = 20


class TypeTable(Value, frozen=False):
    """The types and annotations of one run, each kept once."""

    types: dict[str, Type] = made(default_factory=dict)
    annotations: dict[str, Annotation] = made(default_factory=dict)

    def base(self, name: str) -> Type:
        """The base type, or the custom class, called `name`."""
        if name.startswith("__torch__."):
            return self._intern(name, Form.CLASS, "")
        return self._intern(name, Form.BASE, name)

    def optional(self, element: Type) -> Type:
        return self._intern(element.text + "?", Form.OPTIONAL, element.base, element)

    def list(self, element: Type, size: int | None = None) -> Type:
        shown = "" if size is None else str(size)
        return self._intern(f"{element.text}[{shown}]", Form.LIST, element.base, element, size)

    def _intern(
        self,
        text: str,
        form: Form,
        base: str,
        element: Type | None = None,
        size: int | None = None,
    ) -> Type:
        found = self.types.get(text)
        if found is None:
            found = self.types[text] = Type(text, form, base, element, size)
        return found

    def read(self, text: str, at: int, depth: int = 0) -> tuple[Type, Annotation | None, int, int]:
        """Read a type, annotated or not, that starts at `at`; `depth` counts the parentheses around it.

        Returns the type without its annotation, the annotation, the offset of the annotation's parenthesis (-1 without
        one) and the offset behind the type. Raises `SyntaxFault`.
        """
        start = at
        found, at = self._head(text, at, depth)
        annotation, where = None, -1
        while at < len(text):
            depth += 1
            if depth > _MAX_DEPTH:
                raise SyntaxFault("type-syntax", "this type is nested too deeply", start, at)
            char = text[at]
            if char == "?":
                found, at = self.optional(found), at + 1
            elif char == "[":
                found, at = self._list(text, at, found)
            elif char == "(" and annotation is None:
                where = at
                annotation, at = self.annotation(text, at)
            else:
                break
        return found, annotation, where, at

    def _head(self, text: str, at: int, depth: int) -> tuple[Type, int]:
        if text.startswith("(", at):
            parameters, end = self._parameters(text, at, depth)
            return self._generic("", parameters), end
        word = _WORD.match(text, at)
        if not word:
            message = "there is a blank too many here" if text.startswith(" ", at) else "a type should stand here"
            raise SyntaxFault("type-syntax", message, at, min(at + 1, len(text)))
        name, end = word.group(), word.end()
        if name in _GENERICS and text.startswith("(", end):
            parameters, end = self._parameters(text, end, depth)
            return self._generic(name, parameters), end
        return self.base(name), end

    def _generic(self, name: str, parameters: tuple[Type, ...]) -> Type:
        text = f"{name}({', '.join(parameter.text for parameter in parameters)})"
        return self._intern(text, Form.GENERIC, "")

    def _parameters(self, text: str, at: int, depth: int) -> tuple[tuple[Type, ...], int]:
        start = at
        parameters: list[Type] = []
        at += 1
        if depth >= _MAX_DEPTH:
            raise SyntaxFault("type-syntax", "this type is nested too deeply", start, at)
        while not text.startswith(")", at):
            if parameters:
                if not text.startswith(", ", at):
                    raise SyntaxFault("type-syntax", "this parenthesis of a type is not closed", start, start + 1)
                at += 2
            found, annotation, where, at = self.read(text, at, depth + 1)
            if annotation is not None:
                raise SyntaxFault("annotation-place", "an annotation cannot stand inside a type", where, at)
            parameters.append(found)
        return tuple(parameters), at + 1

    def _list(self, text: str, at: int, element: Type) -> tuple[Type, int]:
        size = _SIZE.match(text, at)
        if not size:
            raise SyntaxFault("type-syntax", "this bracket of a list type is not closed", at, at + 1)
        digits = size.group(1)
        if digits and not _DIGITS.fullmatch(digits):
            message = f"'{digits}' is not the size of a list"
            help = "a size is a positive number without leading zeros; a list of any size is written '[]'"
            raise SyntaxFault("list-size", message, size.start(1), size.end(1), help)
        return self.list(element, int(digits) if digits else None), size.end()

    def annotation(self, text: str, at: int) -> tuple[Annotation, int]:
        """Read `(a!)`, `(a -> *)`, `(a|b)` at `at`. Raises `SyntaxFault`."""
        found = _ANNOTATION.match(text, at)
        if not found:
            raise _annotation_fault(text, at)
        shown = found.group()[1:-1]
        known = self.annotations.get(shown)
        if known is None:
            before, after = (tuple(part.split("|")) if part else () for part in found.group(1, 3))
            known = self.annotations[shown] = Annotation(shown, before, found.group(2) == "!", after)
        return known, found.end()


def _annotation_fault(text: str, at: int) -> SyntaxFault:
    close = text.find(")", at)
    help = "an annotation looks like (a), (a!), (a|b) or (a -> *)"
    if close < 0:
        return SyntaxFault("annotation-syntax", "this parenthesis is not closed", at, at + 1, help)
    shown = text[at : close + 1]
    if shown == "()":
        help += "; a list is written with '[]'"
    return SyntaxFault("annotation-syntax", f"'{shown}' is not an alias annotation", at, close + 1, help)
