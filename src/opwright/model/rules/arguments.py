"""Rules for single arguments and returns: their types, annotations, names and defaults.

In: an interned argument or return. Out: its faults, with offsets into its text; each distinct one is judged once.

Rules: spec 03 section 2 (TY, AN, AR) and defaults, which torchgen does not look at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from opwright.diagnostics import did_you_mean
from opwright.model.context import Context
from opwright.model.rules.defaults import default_fault
from opwright.model.rules.names import is_cpp_name, parameter_fault
from opwright.releases.history import when_known
from opwright.releases.release import Release
from opwright.syntax.schema import Argument, Return
from opwright.syntax.types import Form, SyntaxFault, Type

Part = Argument | Return
PartRule = Callable[[Part, Release], Iterator[SyntaxFault]]


def part_faults(part: Part, context: Context) -> tuple[SyntaxFault, ...]:
    """The faults of an argument or a return."""
    known = context.part_faults.get(part)
    if known is None:
        known = context.part_faults[part] = (*_type_faults(part, context), *_own_faults(part, context))
        if not known:
            context.sound_parts.add(part)
    return known


def _type_faults(part: Part, context: Context) -> list[SyntaxFault]:
    """The faults of a type with its annotation; each that is sound, of an argument or a return, is judged once."""
    key = type(part), part.type, part.annotation, part.annotation_at
    if key in context.sound_types:
        return []
    found = [fault for rule in TYPE_RULES for fault in rule(part, context.release)]
    if not found:
        context.sound_types.add(key)
    return found


def _own_faults(part: Part, context: Context) -> list[SyntaxFault]:
    """The faults of a name and a default; each default of a type that is sound is judged once."""
    found = [] if not part.name or is_cpp_name(part.name) else [parameter_name(part)]
    if isinstance(part, Argument) and part.default is not None and is_known(part.type, context.release):
        key = part.type, part.default
        fault = None if key in context.sound_defaults else default_fault(part)
        if fault is None:
            context.sound_defaults.add(key)
        else:
            found.append(fault)
    return found


def _type_span(part: Part) -> tuple[int, int]:
    if isinstance(part, Argument):
        return part.type_span()
    return 0, len(part.text) - (len(part.name) + 1 if part.name else 0)


def unknown_type(part: Part, release: Release) -> Iterator[SyntaxFault]:
    """TY-1: a base type that the release does not know."""
    if part.type.innermost().form is Form.BASE and not is_known(part.type, release):
        name = part.type.base
        message = f"'{name}' is not a type of PyTorch {release.name}"
        when = when_known(lambda other: name in other.base_types, release.name)
        yield SyntaxFault("unknown-type", message, 0, len(name), when or did_you_mean(name, release.base_types))


def is_known(type: Type, release: Release) -> bool:
    """Whether a type is made of one that the release knows, or of a custom class."""
    form = type.innermost().form
    return form is Form.CLASS or (form is Form.BASE and type.base in release.base_types)


def generic_type(part: Part, release: Release) -> Iterator[SyntaxFault]:
    """A type that only the dispatcher knows."""
    inner = part.type.innermost()
    if inner.form is Form.GENERIC:
        message = f"'{inner.text}' is a type of TorchScript that operators of a library cannot use"
        yield SyntaxFault("generic-type", message, *_type_span(part))


def repeated_optional(part: Part, release: Release) -> Iterator[SyntaxFault]:
    """An optional of an optional; torchgen turns it into C++ that nothing can call."""
    at = part.text.find("??")
    if "??" in part.type.text and at >= 0:
        stop = at + len(part.text[at:]) - len(part.text[at:].lstrip("?"))
        yield SyntaxFault("repeated-optional", "a type can be optional once", at, stop, "write one '?'")


def symint_form(part: Part, release: Release) -> Iterator[SyntaxFault]:
    """An argument of symbolic integers in a form that has no counterpart with plain integers; torchgen fails on it."""
    if isinstance(part, Argument) and part.type.base == "SymInt" and not _SYMINT.fullmatch(part.type.text):
        message = f"'{part.type.text}' cannot be made of plain integers, which C++ callers pass"
        help = "symbolic integers come as SymInt, SymInt? and SymInt[], with a size or not, optional or not"
        yield SyntaxFault("symint-form", message, *_type_span(part), help)


_SYMINT = re.compile(r"SymInt(\[\d*\])?\??")


def annotation_place(part: Part, release: Release) -> Iterator[SyntaxFault]:
    """AR-3, AN-5: an annotation elsewhere than directly behind `Tensor`, or followed by more than `?` or `[]`."""
    if part.annotation is None or not is_known(part.type, release):
        return
    if part.type.text in ("Tensor", "Tensor?", "Tensor[]") and part.annotation_at == len("Tensor"):
        return
    message = "only Tensor, Tensor? and Tensor[] can be annotated, directly behind the word 'Tensor'"
    yield SyntaxFault("annotation-place", message, *_annotation_span(part))


def _annotation_span(part: Part) -> tuple[int, int]:
    assert part.annotation is not None
    at = part.annotation_at
    return at, at + len(part.annotation.text) + 2


def annotation_letters(part: Part, release: Release) -> Iterator[SyntaxFault]:
    """AN-1: alias sets that are not lower-case letters; the wildcard can only stand behind the arrow."""
    annotation = part.annotation
    if annotation is None:
        return
    after = () if annotation.after == ("*",) else annotation.after
    for name in (*annotation.before, *after):
        if not (len(name) == 1 and name.isascii() and name.islower()):
            message = f"'{name}' cannot name an alias set here; alias sets are single lower-case letters"
            help = "the wildcard follows an arrow, as in '(a -> *)'" if name == "*" else None
            yield SyntaxFault("annotation-letters", message, *_annotation_span(part), help)
            return


def written_alias_set(part: Part, release: Release) -> Iterator[SyntaxFault]:
    """AN-2: a written annotation with several alias sets."""
    annotation = part.annotation
    if annotation is not None and annotation.is_write and len(annotation.before) > 1:
        message = "a tensor that is written belongs to one alias set"
        help = f"write '({annotation.before[0]}!)'"
        yield SyntaxFault("written-alias-set", message, *_annotation_span(part), help)


def alias_after_set(part: Part, release: Release) -> Iterator[SyntaxFault]:
    """AN-3: several alias sets both before and after the arrow."""
    annotation = part.annotation
    if annotation is not None and len(annotation.before) == 2 and len(annotation.after) > 1:
        message = "several alias sets can lead to one alias set only"
        yield SyntaxFault("alias-after-set", message, *_annotation_span(part))


def alias_set_size(part: Part, release: Release) -> Iterator[SyntaxFault]:
    """AN-4: more than two alias sets before the arrow."""
    annotation = part.annotation
    if annotation is not None and len(annotation.before) > 2 and not annotation.is_write:
        message = "a tensor belongs to two alias sets at most"
        yield SyntaxFault("alias-set-size", message, *_annotation_span(part))


def parameter_name(part: Part) -> SyntaxFault:
    """A name that C++ cannot take."""
    code, message = parameter_fault(part.name, "an argument" if isinstance(part, Argument) else "a return")
    start = part.name_span()[0] if isinstance(part, Argument) else len(part.text) - len(part.name)
    return SyntaxFault(code, message, start, start + len(part.name))


#: Rules about types and their annotations.
TYPE_RULES: tuple[PartRule, ...] = (
    unknown_type,
    generic_type,
    repeated_optional,
    annotation_place,
    annotation_letters,
    written_alias_set,
    alias_after_set,
    alias_set_size,
    symint_form,
)
