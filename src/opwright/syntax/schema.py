"""The schema language: operator schemas as interned, immutable trees.

In: the parts of a schema. Out: a `Schema`, which prints back to its text, with what follows from its parts.

    mul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
        ->  a name, and a `Tail` that every schema with the same arguments and returns has
"""

from __future__ import annotations

from enum import Enum

from opwright.syntax.names import OperatorName
from opwright.syntax.types import Annotation, Type
from opwright.values import Value

_OPTIONS = (("dtype", "ScalarType"), ("layout", "Layout"), ("device", "Device"), ("pin_memory", "bool"))


class Kind(Enum):
    """What a schema does with its arguments."""

    FUNCTIONAL = "functional"
    INPLACE = "inplace"
    MUTABLE = "mutable"
    OUT = "out"
    SCRATCH = "scratch"

    # Members are singletons; the hash that enumerations compute from their names is far slower.
    __hash__ = object.__hash__


class Argument(Value):
    """One argument. `default` is the default's text or None; `plain` is the text without the annotation."""

    text: str
    type: Type
    annotation: Annotation | None
    annotation_at: int
    name: str
    default: str | None
    is_write: bool
    plain: str

    def __str__(self) -> str:
        default = "" if self.default is None else "=" + self.default
        return f"{annotated(self.type, self.annotation, self.annotation_at)} {self.name}{default}"

    def type_span(self) -> tuple[int, int]:
        """Offsets of the type, annotation included, in `text`."""
        return 0, len(self.text) - len(self.name) - 1 - (0 if self.default is None else len(self.default) + 1)

    def name_span(self) -> tuple[int, int]:
        start = self.type_span()[1] + 1
        return start, start + len(self.name)

    def default_span(self) -> tuple[int, int]:
        return (len(self.text) - len(self.default or ""), len(self.text))


def make_argument(
    text: str, type: Type, annotation: Annotation | None, annotation_at: int, name: str, default: str | None
) -> Argument:
    """The argument with these parts, which `text` is made of."""
    if annotation is None:
        return Argument(text, type, None, annotation_at, name, default, False, text)
    plain = type.text + text[len(type.text) + len(annotation.text) + 2 :]
    return Argument(text, type, annotation, annotation_at, name, default, annotation.is_write, plain)


class Return(Value):
    """One return; `name` is empty when it has none."""

    text: str
    type: Type
    annotation: Annotation | None
    annotation_at: int
    name: str

    def __str__(self) -> str:
        shown = annotated(self.type, self.annotation, self.annotation_at)
        return f"{shown} {self.name}" if self.name else shown

    @property
    def is_write(self) -> bool:
        return self.annotation is not None and self.annotation.is_write


def annotated(type: Type, annotation: Annotation | None, at: int) -> str:
    """The text of a type with its annotation put in at offset `at`."""
    text = type.text
    return text if annotation is None else f"{text[:at]}({annotation.text}){text[at:]}"


class Tail(Value):
    """What follows the name in a schema: arguments and returns. Half of all operators share theirs with another one.

    `positional`, `keyword` (keyword-only, without out arguments) and `out` are the sections. `self_index` is the place
    of the `self` argument in `positional`, and `options_index` that of `dtype` in `keyword` when dtype, layout, device
    and pin_memory form a tensor-options bundle (`has_options`); both are -1 when absent. `kind` is that of a schema
    with a name that is not in-place. `has_symint` says that a non-out argument is SymInt-like, `is_annotated` that an
    argument or a return has an alias annotation, and `is_view` that a return is an alias of what is not written.
    """

    text: str
    kind: Kind
    positional: tuple[Argument, ...]
    keyword: tuple[Argument, ...]
    out: tuple[Argument, ...]
    returns: tuple[Return, ...]
    non_out: tuple[Argument, ...]
    arguments: tuple[Argument, ...]
    self_index: int
    options_index: int
    has_options: bool
    has_symint: bool
    is_annotated: bool
    is_view: bool


class Schema(Value):
    """One operator schema.

    `namespace` is empty when none is written; `text` is the schema without it. What follows `tail` is what that says,
    at hand here too.
    """

    namespace: str
    name: OperatorName
    kind: Kind
    text: str
    tail: Tail
    positional: tuple[Argument, ...]
    keyword: tuple[Argument, ...]
    out: tuple[Argument, ...]
    returns: tuple[Return, ...]
    non_out: tuple[Argument, ...]
    arguments: tuple[Argument, ...]
    self_index: int
    options_index: int
    has_options: bool
    has_symint: bool
    is_annotated: bool

    def __str__(self) -> str:
        prefix = f"{self.namespace}::" if self.namespace else ""
        return prefix + self.text

    @property
    def self_argument(self) -> Argument | None:
        return self.positional[self.self_index] if self.self_index >= 0 else None

    @property
    def pre_self(self) -> tuple[Argument, ...]:
        return self.positional[: max(self.self_index, 0)]

    @property
    def post_self(self) -> tuple[Argument, ...]:
        return self.positional[self.self_index + 1 :]

    @property
    def keyword_without_options(self) -> tuple[Argument, ...]:
        at = self.options_index
        return self.keyword if at < 0 else self.keyword[:at] + self.keyword[at + 4 :]

    def name_span(self) -> tuple[int, int]:
        """Offsets of the operator name in `str(self)`."""
        start = len(str(self)) - len(self.text)
        return start, start + len(self.name.text)

    def argument_span(self, wanted: Argument | int) -> tuple[int, int]:
        """Offsets in `str(self)` of an argument, or of the argument with that index."""
        at = self.name_span()[1] + 1
        for index, argument in enumerate(self.arguments):
            if index == len(self.positional):
                at += len("*, ")
            if index == wanted or argument is wanted:
                break
            at += len(argument.text) + len(", ")
        return at, at + len(argument.text)

    def argument_name_span(self, wanted: Argument | int) -> tuple[int, int]:
        """Offsets in `str(self)` of the name of an argument, or of the argument with that index."""
        argument = self.arguments[wanted] if isinstance(wanted, int) else wanted
        at = self.argument_span(wanted)[0]
        start, stop = argument.name_span()
        return at + start, at + stop

    def argument_type_span(self, wanted: Argument | int) -> tuple[int, int]:
        """Offsets in `str(self)` of the type, annotation included, of an argument, or of the one with that index."""
        argument = self.arguments[wanted] if isinstance(wanted, int) else wanted
        at = self.argument_span(wanted)[0]
        start, stop = argument.type_span()
        return at + start, at + stop

    def return_span(self, wanted: int) -> tuple[int, int]:
        """Offsets in `str(self)` of the return with that index."""
        returns = self.returns
        at = len(str(self)) - len(print_returns(returns)) + (len(returns) > 1)
        at += sum(len(item.text) + len(", ") for item in returns[:wanted])
        return at, at + len(returns[wanted].text)


def print_returns(returns: tuple[Return, ...]) -> str:
    """The text of returns: a single one as it is, any other number in parentheses."""
    if len(returns) == 1:
        return returns[0].text
    return f"({', '.join([item.text for item in returns])})"


def bundle_index(keyword: tuple[Argument, ...], start: int = 0) -> int:
    """Where, from `start` on, dtype, layout, device and pin_memory stand in a row with their types; -1 if nowhere."""
    for at in range(start, len(keyword) - 3):
        if all(
            argument.name == name and argument.type.text in (base, base + "?")
            for argument, (name, base) in zip(keyword[at : at + 4], _OPTIONS, strict=True)
        ):
            return at
    return -1


def make_tail(
    text: str,
    positional: tuple[Argument, ...],
    keyword: tuple[Argument, ...],
    out: tuple[Argument, ...],
    returns: tuple[Return, ...],
) -> Tail:
    """The tail with these parts, which `text` is made of, and with what follows from them."""
    non_out = positional + keyword
    arguments = non_out + out
    names = [argument.name for argument in positional]
    self_index = names.index("self") if "self" in names else -1
    annotations = [item.annotation for item in arguments if item.annotation is not None]
    annotations += [item.annotation for item in returns if item.annotation is not None]
    options = bundle_index(keyword) if len(keyword) > 3 else -1
    return Tail(
        text,
        _kind(positional[self_index + 1 :], out, bool(annotations)),
        positional,
        keyword,
        out,
        returns,
        non_out,
        arguments,
        self_index,
        options,
        options >= 0,
        "SymInt" in text and "SymInt" in [argument.type.base for argument in non_out],
        bool(annotations),
        any([not item.is_write or item.after for item in annotations]) and _is_view(arguments, returns),
    )


def _kind(post_self: tuple[Argument, ...], out: tuple[Argument, ...], is_annotated: bool) -> Kind:
    if out:
        scratch = any([argument.name.startswith("_scratch_") for argument in out])
        return Kind.SCRATCH if scratch else Kind.OUT
    if is_annotated and any([argument.is_write for argument in post_self]):
        return Kind.MUTABLE
    return Kind.FUNCTIONAL


def _is_view(arguments: tuple[Argument, ...], returns: tuple[Return, ...]) -> bool:
    if any([item.annotation is not None and not item.is_write for item in returns]):
        return True
    return any([argument.annotation is not None and "*" in argument.annotation.after for argument in arguments])


def named(name: OperatorName, tail: Tail, namespace: str = "") -> Schema:
    """The schema with this name and this tail."""
    return Schema(
        namespace,
        name,
        Kind.INPLACE if name.is_inplace else tail.kind,
        name.text + tail.text,
        tail,
        tail.positional,
        tail.keyword,
        tail.out,
        tail.returns,
        tail.non_out,
        tail.arguments,
        tail.self_index,
        tail.options_index,
        tail.has_options,
        tail.has_symint,
        tail.is_annotated,
    )
