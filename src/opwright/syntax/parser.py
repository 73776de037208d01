"""Reading schemas: from text to trees of which each distinct part is one object.

In: schema text, as a YAML entry or as the dispatcher prints it. Out: a `Schema` whose `str()` is that text exactly, and
the faults of the text, all of them, with offsets into it.

    parse_schema("mul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)").out[0].annotation.is_write
"""

from __future__ import annotations

import re

from opwright.memo import Memo
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
from opwright.syntax.names import read_name
from opwright.syntax.pieces import careful_pieces, is_whole, outer_comma
from opwright.syntax.schema import (
    Argument,
    Return,
    Schema,
    Tail,
    annotated,
    make_argument,
    make_tail,
    named,
    print_returns,
)
from opwright.syntax.types import Annotation, SyntaxFault, Type, TypeTable

_NAME = re.compile(r"[^\s=,]+")
#: The positional, keyword-only and out arguments.
Sections = tuple[tuple[Argument, ...], tuple[Argument, ...], tuple[Argument, ...]]


class SchemaError(ValueError):
    """A text that is no schema; `faults` holds every fault of it."""

    def __init__(self, faults: tuple[SyntaxFault, ...]) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = faults


def parse_schema(text: str) -> Schema:
    """Parse one schema. Raises `SchemaError` with all faults of the text."""
    return SchemaParser().parse(text)


class SchemaParser:
    """Parses schemas and keeps each distinct type, argument, return and tail once."""

    __slots__ = ("_annotated", "_arguments", "_return_lists", "_returns", "_tails", "types")

    def __init__(self) -> None:
        self.types = TypeTable()
        self._arguments = Memo(self._read_whole)
        self._returns: dict[str, Return] = {}
        self._return_lists: dict[str, tuple[Return, ...]] = {"()": ()}
        #: Types with their annotations by the texts of both.
        self._annotated: dict[str, tuple[Type, Annotation | None, int]] = {}
        #: By their texts as they were read, and as they are printed.
        self._tails: dict[str, Tail] = {}

    def parse(self, text: str) -> Schema:
        """Parse one schema, with or without a namespace in front. Raises `SchemaError` with all faults of the text."""
        head = text.find("(")
        tail = self._tails.get(text[head:])
        if head < 0 or (tail is None and text.rfind(") -> ") < head):
            raise SchemaError((outline_fault(text),))
        faults: list[SyntaxFault] = []
        namespace, separator, name = text[:head].rpartition("::")
        if separator and not namespace:
            faults.append(SyntaxFault("namespace-form", "there is no namespace in front of '::'", 0, len(separator)))
        if name.endswith("."):
            faults.append(SyntaxFault("overload-form", "an overload name is missing behind the dot", head - 1, head))
        tail = tail or self._read_tail(text, head, faults)
        if faults or tail is None:
            raise SchemaError(tuple(faults))
        return named(read_name(name), tail, namespace)

    def _read_tail(self, text: str, head: int, faults: list[SyntaxFault]) -> Tail | None:
        """The arguments and returns of a schema, which begin at `head`; None when they cannot be read."""
        before = len(faults)
        arrow = text.rfind(") -> ")
        sections = self._sections(text, head + 1, arrow, faults)
        start = arrow + len(") -> ")
        returns = self._return_lists.get(text[start:])
        if returns is None:
            returns = self._read_returns(text, start, faults)
        if len(faults) > before:
            return None
        self._return_lists[text[start:]] = returns
        # Arguments without faults are written as they are printed.
        made = make_tail(text[head:start] + print_returns(returns), *sections, returns)
        self._tails[text[head:]] = made
        return made

    def tail(
        self,
        positional: tuple[Argument, ...],
        keyword: tuple[Argument, ...],
        out: tuple[Argument, ...],
        returns: tuple[Return, ...],
    ) -> Tail:
        """The tail made of these parts, interned."""
        shown = [argument.text for argument in positional]
        if keyword or out:
            shown.append("*")
            shown += [argument.text for argument in keyword + out]
        text = f"({', '.join(shown)}) -> {print_returns(returns)}"
        known = self._tails.get(text)
        if known is None:
            known = self._tails[text] = make_tail(text, positional, keyword, out, returns)
        return known

    def argument(
        self, type: Type, annotation: Annotation | None, annotation_at: int, name: str, default: str | None = None
    ) -> Argument:
        """The argument made of these parts, interned."""
        shown = "" if default is None else "=" + default
        text = f"{annotated(type, annotation, annotation_at)} {name}{shown}"
        known = self._arguments.get(text)
        if known is None:
            known = self._arguments[text] = make_argument(text, type, annotation, annotation_at, name, default)
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

    def _sections(self, text: str, start: int, stop: int, faults: list[SyntaxFault]) -> Sections:
        """The sections of the argument list between the offsets `start` and `stop`."""
        body = text[start:stop]
        try:
            regular = self._regular_sections(body.split(", ") if body else [])
        except SyntaxFault:
            regular = None
        return regular or self._judged_sections(self._pieces(body), start, faults)

    def _regular_sections(self, pieces: list[str]) -> Sections | None:
        """The sections of an argument list that is in order; None, or a fault of an argument, for any other."""
        read = self._arguments.__getitem__
        if "*" not in pieces:
            return tuple(map(read, pieces)), (), ()
        star = pieces.index("*")
        rest = tuple(map(read, pieces[star + 1 :]))
        written = [argument.is_write for argument in rest]
        first_out = written.index(True) if True in written else len(rest)
        if not rest or not all(written[first_out:]):
            return None
        return tuple(map(read, pieces[:star])), rest[:first_out], rest[first_out:]

    def _read_whole(self, piece: str) -> Argument:
        """The argument that a piece between two commas is. Raises `SyntaxFault` when it is none, or a part of one."""
        if not is_whole(piece):
            raise SyntaxFault("argument-syntax", "this may be a part of an argument", 0, len(piece))
        return self.read_argument(piece)

    def _judged_sections(self, pieces: list[str], start: int, faults: list[SyntaxFault]) -> Sections:
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
        shown, _, rest = text.partition(" ")
        name, equals, default = rest.partition("=")
        known = self._annotated.get(shown)
        if known is None or not name.isidentifier() or (equals and not default) or "," in default:
            return self._judged_argument(text)
        return make_argument(text, *known, name, default if equals else None)

    def _judged_argument(self, text: str) -> Argument:
        """Read one argument of which not all is known. Raises `SyntaxFault` with offsets into `text`."""
        if not text:
            raise SyntaxFault("argument-syntax", "an argument is missing here", 0, 0)
        if text.startswith("*"):
            help = "'*' stands alone between two commas: 'int a, *, int b'"
            raise SyntaxFault("argument-syntax", "'*' is not part of an argument", 0, 1, help)
        type, annotation, where, at = self.types.read(text, 0)
        if text.find(" ") == at:
            self._annotated[text[:at]] = type, annotation, where
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
        return make_argument(text, type, annotation, where, name.group(), default)

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
