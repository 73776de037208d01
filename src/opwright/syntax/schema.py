"""The schema language: operator schemas as interned, immutable trees.

In: schema text, as a YAML entry or as the dispatcher prints it. Out: a `Schema` whose `str()` is that text exactly, and
the faults of the text, all of them, with offsets into it.

    parse_schema("mul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)").out[0].annotation.is_write
"""

from __future__ import annotations

import re
from enum import Enum

from opwright.syntax.misspelt import (
    after_name,
    after_return,
    comma_without_blank,
    no_name,
    open_returns,
    outline_fault,
    second_star,
    several_returns,
)
from opwright.syntax.names import OperatorName, read_name
from opwright.syntax.pieces import careful_pieces, is_whole, outer_comma
from opwright.syntax.types import Annotation, SyntaxFault, Type, TypeTable
from opwright.values import Value, derived

_NAME = re.compile(r"[^\s=,]+")
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
    is_write: bool = derived()
    plain: str = derived()

    def __post_init__(self) -> None:
        default = "" if self.default is None else "=" + self.default
        object.__setattr__(self, "is_write", self.annotation is not None and self.annotation.is_write)
        object.__setattr__(self, "plain", f"{self.type.text} {self.name}{default}")

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


class Schema(Value):
    """One operator schema.

    `positional`, `keyword` (keyword-only, without out arguments) and `out` are the sections. `self_index` is the place
    of the `self` argument in `positional`, and `options_index` that of `dtype` in `keyword` when dtype, layout, device
    and pin_memory form a tensor-options bundle (`has_options`); both are -1 when absent. `namespace` is empty when none
    is written; `text` is the schema without it. `has_symint` says that a non-out argument is SymInt-like, and
    `is_annotated` that an argument or a return has an alias annotation.
    """

    namespace: str
    name: OperatorName
    positional: tuple[Argument, ...]
    keyword: tuple[Argument, ...]
    out: tuple[Argument, ...]
    returns: tuple[Return, ...]
    self_index: int
    options_index: int
    has_options: bool
    kind: Kind
    text: str
    non_out: tuple[Argument, ...]
    arguments: tuple[Argument, ...]
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


class Parsed(Value):
    """A schema text after parsing; `schema` is None when `faults` left nothing to work with."""

    schema: Schema | None
    faults: tuple[SyntaxFault, ...]


class SchemaError(ValueError):
    """Raised by `parse_schema`; `faults` holds every fault of the text."""

    def __init__(self, faults: tuple[SyntaxFault, ...]) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = faults


def parse_schema(text: str) -> Schema:
    """Parse one schema. Raises `SchemaError` with all faults of the text."""
    parsed = SchemaParser().parse(text)
    if parsed.schema is None or parsed.faults:
        raise SchemaError(parsed.faults)
    return parsed.schema


class SchemaParser:
    """Parses schemas and keeps each distinct type, argument and return once."""

    __slots__ = ("_arguments", "_return_lists", "_returns", "types")

    def __init__(self) -> None:
        self.types = TypeTable()
        self._arguments: dict[str, Argument] = {}
        self._returns: dict[str, Return] = {}
        self._return_lists: dict[str, tuple[Return, ...]] = {"()": ()}

    def parse(self, text: str) -> Parsed:
        """Parse one schema, with or without a namespace in front."""
        faults: list[SyntaxFault] = []
        head = text.find("(")
        arrow = text.rfind(") -> ")
        if head < 0 or arrow < head:
            return Parsed(None, (outline_fault(text),))
        prefix, separator, name_text = text[:head].rpartition("::")
        if separator and not prefix:
            faults.append(SyntaxFault("namespace-form", "there is no namespace in front of '::'", 0, len(separator)))
        if name_text.endswith("."):
            faults.append(SyntaxFault("overload-form", "an overload name is missing behind the dot", head - 1, head))
        sections = self._sections(text, head + 1, arrow, faults)
        start = arrow + len(") -> ")
        returns = self._return_lists.get(text[start:])
        if returns is None:
            returns = self._read_returns(text, start, faults)
        if faults:
            return Parsed(None, tuple(faults))
        self._return_lists[text[start:]] = returns
        # Arguments without faults are written as they are printed.
        own = text[len(prefix) + len(separator) : start] + print_returns(returns)
        return Parsed(_schema(read_name(name_text), *sections, returns, prefix, own), ())

    def build(
        self,
        name: OperatorName,
        positional: tuple[Argument, ...],
        keyword: tuple[Argument, ...],
        out: tuple[Argument, ...],
        returns: tuple[Return, ...],
    ) -> Schema:
        """Put a schema together from its parts."""
        shown = [argument.text for argument in positional]
        if keyword or out:
            shown.append("*")
            shown += [argument.text for argument in keyword + out]
        text = f"{name.text}({', '.join(shown)}) -> {print_returns(returns)}"
        return _schema(name, positional, keyword, out, returns, "", text)

    def argument(
        self, type: Type, annotation: Annotation | None, annotation_at: int, name: str, default: str | None = None
    ) -> Argument:
        """The argument made of these parts, interned."""
        shown = "" if default is None else "=" + default
        text = f"{annotated(type, annotation, annotation_at)} {name}{shown}"
        known = self._arguments.get(text)
        if known is None:
            known = self._arguments[text] = Argument(text, type, annotation, annotation_at, name, default)
        return known

    def returned(self, type: Type, annotation: Annotation | None, annotation_at: int, name: str = "") -> Return:
        """The return made of these parts, interned."""
        text = annotated(type, annotation, annotation_at) + (f" {name}" if name else "")
        known = self._returns.get(text)
        if known is None:
            known = self._returns[text] = Return(text, type, annotation, annotation_at, name)
        return known

    def parts(self) -> list[Argument | Return]:
        """Every distinct argument and return that was read or made so far."""
        return [*self._arguments.values(), *self._returns.values()]

    def _sections(
        self, text: str, start: int, stop: int, faults: list[SyntaxFault]
    ) -> tuple[tuple[Argument, ...], tuple[Argument, ...], tuple[Argument, ...]]:
        """The positional, keyword-only and out arguments between the offsets `start` and `stop`."""
        body = text[start:stop]
        regular = self._regular_sections(body.split(", ") if body else [])
        return regular or self._judged_sections(self._pieces(body), start, faults)

    def _regular_sections(
        self, pieces: list[str]
    ) -> tuple[tuple[Argument, ...], tuple[Argument, ...], tuple[Argument, ...]] | None:
        """The sections of an argument list that is in order; None for any other."""
        if "*" not in pieces:
            found = self._known(pieces)
            return None if found is None else (tuple(found), (), ())
        star = pieces.index("*")
        found = self._known(pieces[:star])
        rest = self._known(pieces[star + 1 :])
        if found is None or not rest:
            return None
        written = [argument.is_write for argument in rest]
        first_out = written.index(True) if True in written else len(rest)
        if not all(written[first_out:]):
            return None
        return tuple(found), tuple(rest[:first_out]), tuple(rest[first_out:])

    def _known(self, pieces: list[str]) -> list[Argument] | None:
        """The arguments that the pieces are; None when one of them is none."""
        known = self._arguments
        for piece in pieces:
            if piece not in known:
                if not is_whole(piece):
                    return None
                try:
                    known[piece] = self.read_argument(piece)
                except SyntaxFault:
                    return None
        return list(map(known.__getitem__, pieces))

    def _judged_sections(
        self, pieces: list[str], start: int, faults: list[SyntaxFault]
    ) -> tuple[tuple[Argument, ...], tuple[Argument, ...], tuple[Argument, ...]]:
        """The sections as far as they can be told, with what is wrong with them; the list starts at `start`."""
        positional: list[Argument] = []
        keyword: list[Argument] = []
        out: list[Argument] = []
        section = positional
        star = -1
        complete = True
        known = self._arguments
        at = start
        for piece in pieces:
            argument = known.get(piece)
            if argument is None and piece == "*":
                if star >= 0:
                    faults.append(second_star(star, at))
                    complete = False
                section, star = keyword, at
            elif argument is None:
                argument = self._new_argument(piece, at, faults)
            if argument is not None:
                if section is keyword and argument.is_write:
                    section = out
                elif section is out and not argument.is_write and complete:
                    message = f"'{argument.name}' follows an out argument but is not written itself"
                    help = "out arguments come last and are annotated, as in 'Tensor(a!) out'"
                    faults.append(SyntaxFault("argument-after-out", message, at, at + len(piece), help))
                    complete = False  # those that follow need not be told as well
                section.append(argument)
            at += len(piece) + len(", ")
        if complete and pieces and pieces[-1] == "*":
            help = "remove it, or write a keyword-only argument behind it"
            faults.append(SyntaxFault("last-star", "no argument follows this '*'", star, star + 1, help))
        return tuple(positional), tuple(keyword), tuple(out)

    def _new_argument(self, piece: str, at: int, faults: list[SyntaxFault]) -> Argument | None:
        try:
            argument = self._arguments[piece] = self.read_argument(piece)
        except SyntaxFault as fault:
            faults.append(fault.shifted(at))
            return None
        return argument

    def _pieces(self, body: str) -> list[str]:
        """Cut an argument list at its separators, not at those inside brackets and strings."""
        if not body:
            return []
        pieces = body.split(", ")
        known = self._arguments
        for piece in pieces:
            if piece not in known and not is_whole(piece):
                return list(careful_pieces(body))
        return pieces

    def read_argument(self, text: str) -> Argument:
        """Read one argument. Raises `SyntaxFault` with offsets into `text`."""
        if not text:
            raise SyntaxFault("argument-syntax", "an argument is missing here", 0, 0)
        if text.startswith("*"):
            help = "'*' stands alone between two commas: 'int a, *, int b'"
            raise SyntaxFault("argument-syntax", "'*' is not part of an argument", 0, 1, help)
        type, annotation, where, at = self.types.read(text, 0)
        name = _NAME.match(text, at + 1) if text.startswith(" ", at) else None
        if name is None:
            raise no_name(text, at)
        end = name.end()
        default = None
        if end < len(text):
            if text[end] != "=":
                raise after_name(text, end)
            default = text[end + 1 :]
            if not default:
                message = f"the default of '{name.group()}' is missing"
                raise SyntaxFault("empty-default", message, end, end + 1, "write it, or remove the '='")
            comma = outer_comma(default)
            if comma >= 0:
                raise comma_without_blank(comma + end + 1)
        return Argument(text, type, annotation, where, name.group(), default)

    def _read_returns(self, text: str, start: int, faults: list[SyntaxFault]) -> tuple[Return, ...]:
        body = text[start:]
        if not body:
            help = "an operator that returns nothing is written with '-> ()'"
            faults.append(SyntaxFault("return-syntax", "the returns are missing here", start, start, help))
            return ()
        if not body.startswith("("):
            if outer_comma(body) >= 0:
                faults.append(several_returns(text, start))
                return ()
            found = self._return(body, start, faults)
            return (found,) if found else ()
        if not body.endswith(")"):
            faults.append(open_returns(text, start))
            return ()
        pieces = list(careful_pieces(body[1:-1]))
        if len(pieces) == 1 and "," not in body:
            help = f"write '{pieces[0]}'"
            message = "a single return stands without parentheses"
            faults.append(SyntaxFault("single-return", message, start, len(text), help))
        returns, at = [], start + 1
        for piece in pieces:
            found = self._return(piece, at, faults)
            if found:
                returns.append(found)
            at += len(piece) + len(", ")
        return tuple(returns)

    def _return(self, text: str, at: int, faults: list[SyntaxFault]) -> Return | None:
        known = self._returns.get(text)
        if known is not None:
            return known
        try:
            known = self._returns[text] = self._read_return(text)
        except SyntaxFault as fault:
            faults.append(fault.shifted(at))
        return known

    def _read_return(self, text: str) -> Return:
        if not text:
            raise SyntaxFault("return-syntax", "a return is missing here", 0, 0)
        type, annotation, where, at = self.types.read(text, 0)
        if at == len(text):
            return Return(text, type, annotation, where, "")
        name = _NAME.fullmatch(text, at + 1) if text[at] == " " else None
        if name is None:
            raise after_return(text, at)
        return Return(text, type, annotation, where, name.group())


def bundle_index(keyword: tuple[Argument, ...], start: int = 0) -> int:
    """Where, from `start` on, dtype, layout, device and pin_memory stand in a row with their types; -1 if nowhere."""
    for at in range(start, len(keyword) - 3):
        if all(
            argument.name == name and argument.type.text in (base, base + "?")
            for argument, (name, base) in zip(keyword[at : at + 4], _OPTIONS, strict=True)
        ):
            return at
    return -1


def _schema(
    name: OperatorName,
    positional: tuple[Argument, ...],
    keyword: tuple[Argument, ...],
    out: tuple[Argument, ...],
    returns: tuple[Return, ...],
    namespace: str,
    text: str,
) -> Schema:
    """The schema with these parts, which `text` is made of, and with what follows from them."""
    non_out = positional + keyword if keyword else positional
    arguments = non_out + out if out else non_out
    names = [argument.name for argument in positional]
    self_index = names.index("self") if "self" in names else -1
    # Nearly every schema has no parentheses but the outer ones, and no SymInt in its text.
    is_annotated = text.count("(") > 1 + (len(returns) != 1) and any(
        [item.annotation for item in arguments] + [item.annotation for item in returns]
    )
    has_symint = "SymInt" in text and "SymInt" in [argument.type.base for argument in non_out]
    options = bundle_index(keyword) if len(keyword) > 3 else -1
    kind = _kind(name, positional, self_index, out, is_annotated)
    return Schema(
        namespace,
        name,
        positional,
        keyword,
        out,
        returns,
        self_index,
        options,
        options >= 0,
        kind,
        text,
        non_out,
        arguments,
        has_symint,
        is_annotated,
    )


def _kind(
    name: OperatorName,
    positional: tuple[Argument, ...],
    self_index: int,
    out: tuple[Argument, ...],
    is_annotated: bool,
) -> Kind:
    if name.is_inplace:
        return Kind.INPLACE
    if out:
        scratch = any(argument.name.startswith("_scratch_") for argument in out)
        return Kind.SCRATCH if scratch else Kind.OUT
    if is_annotated and any(argument.is_write for argument in positional[self_index + 1 :]):
        return Kind.MUTABLE
    return Kind.FUNCTIONAL
