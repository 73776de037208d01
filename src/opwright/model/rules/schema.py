"""Rules for whole schemas: what arguments and returns must be to each other.

In: a schema. Out: its faults, with offsets into `str(schema)`.

Rules: spec 03 sections 2 (AR-6, AR-7) and 3 (SC), and faults that torchgen does not look for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from opwright.model.context import Context
from opwright.model.rules.arguments import Part, part_faults
from opwright.model.rules.names import name_faults, namespace_form
from opwright.syntax.schema import Argument, Kind, Schema, bundle_index
from opwright.syntax.types import SyntaxFault

SchemaRule = Callable[[Schema], Iterable[SyntaxFault]]


def schema_faults(schema: Schema, context: Context) -> tuple[SyntaxFault, ...]:
    """All faults of a schema: of its name, its parts and the whole."""
    found = [fault.shifted(schema.name_span()[0]) for fault in name_faults(schema.name, schema.name.text)]
    if schema.namespace and (fault := namespace_form(schema.namespace) or nested_namespace(schema)):
        found.append(fault)
    key = schema.tail, schema.kind
    if key not in context.sound_tails or "functional" in schema.name.overload:
        faults = _tail_faults(schema, context)
        if not faults:
            context.sound_tails.add(key)
        found += faults
    return tuple(found)


def nested_namespace(schema: Schema) -> SyntaxFault | None:
    """NS-1: more than one level of namespace."""
    namespace = schema.namespace
    if "::" not in namespace:
        return None
    message = f"'{namespace}' has several levels; an operator has one namespace"
    help = f"write '{namespace.partition('::')[0]}::{schema.name}'"
    return SyntaxFault("nested-namespace", message, 0, len(namespace), help)


def _tail_faults(schema: Schema, context: Context) -> list[SyntaxFault]:
    """The faults that a schema has by its tail, its kind, and an overload that is called functional."""
    found: list[SyntaxFault] = []
    is_sound = context.sound_parts.issuperset
    sound = (is_sound(schema.arguments) and is_sound(schema.returns)) or _check_parts(schema, context, found)
    for rule in SCHEMA_RULES:
        found += rule(schema)
    if len(schema.returns) > 1:
        found += duplicate_return(schema)
    for rule in OPTIONS_RULES if schema.has_options else ():
        found += rule(schema)
    if (schema.is_annotated or schema.name.is_inplace) and sound and not is_ordinary(schema):
        found += next(filter(None, (tuple(rule(schema)) for rule in ALIAS_RULES[schema.kind])), ())
        if schema.kind is not Kind.FUNCTIONAL:
            for rule in KIND_RULES:
                found += rule(schema)
    return found


def is_ordinary(schema: Schema) -> bool:
    """Whether a schema writes `self`, or its out arguments, as nearly all that write do.

    Tensors only, each returned, nothing else annotated: no rule about annotations can find anything in such a schema.
    """
    if schema.kind is Kind.OUT:
        written = schema.out
    elif schema.kind is Kind.INPLACE and schema.self_index >= 0 and not schema.out:
        written = (schema.positional[schema.self_index],)
    else:
        return False
    return (
        [item.annotation for item in written] == [item.annotation for item in schema.returns]
        and [argument for argument in schema.arguments if argument.annotation is not None] == [*written]
        and all([item.is_write and item.type.text == "Tensor" for item in written])
        and not schema.has_options
        and "functional" not in schema.name.overload
    )


def _check_parts(schema: Schema, context: Context, found: list[SyntaxFault]) -> bool:
    """Add the faults of the arguments and returns; returns whether no annotated one has any."""
    sound = True
    parts: list[tuple[int, Part]] = [*enumerate(schema.arguments), *enumerate(schema.returns)]
    for index, part in parts:
        if part in context.sound_parts:
            continue
        faults = part_faults(part, context)
        if faults:
            span = schema.argument_span(index) if isinstance(part, Argument) else schema.return_span(index)
            found += [fault.shifted(span[0]) for fault in faults]
            sound = sound and part.annotation is None
    return sound


def duplicate_argument(schema: Schema) -> list[SyntaxFault]:
    """Two arguments of one name; torchgen writes C++ that does not compile."""
    found: list[SyntaxFault] = []
    names = [argument.name for argument in schema.arguments]
    if len(set(names)) == len(names) or second_bundle(schema) >= 0:
        return found
    for index, name in enumerate(names):
        known = names.index(name)
        if known != index:
            related = ((*schema.argument_name_span(known), "first named here"),)
            message = f"an argument is called '{name}' already"
            found.append(SyntaxFault("duplicate-argument", message, *schema.argument_name_span(index), None, related))
    return found


def duplicate_return(schema: Schema) -> Iterator[SyntaxFault]:
    """Two returns of one name."""
    first: dict[str, int] = {}
    for index, item in enumerate(schema.returns):
        if not item.name:
            continue
        known = first.setdefault(item.name, index)
        if known != index:
            (_, stop), (_, first_stop) = schema.return_span(index), schema.return_span(known)
            size = len(item.name)
            related = ((first_stop - size, first_stop, "first named here"),)
            message = f"a return is called '{item.name}' already"
            yield SyntaxFault("duplicate-return", message, stop - size, stop, None, related)


def required_after_default(schema: Schema) -> tuple[SyntaxFault, ...]:
    """A positional argument without a default behind one that has a default."""
    optional: Argument | None = None
    for argument in schema.positional:
        if argument.default is not None:
            optional = optional or argument
        elif optional is not None:
            message = f"'{argument.name}' has no default but follows '{optional.name}', which has one"
            related = ((*schema.argument_span(optional), "this argument may be left out"),)
            help = "give it a default too, or make it keyword-only: '*' in front of it"
            return (SyntaxFault("required-after-default", message, *schema.argument_span(argument), help, related),)
    return ()


def second_options(schema: Schema) -> Iterator[SyntaxFault]:
    """AR-6: a second tensor-options bundle."""
    second = second_bundle(schema)
    if second >= 0:
        start, stop = _options_span(schema, second)
        related = ((*_options_span(schema, schema.options_index), "first given here"),)
        message = "dtype, layout, device and pin_memory stand here a second time"
        yield SyntaxFault("second-options", message, start, stop, None, related)


def options_memory_format(schema: Schema) -> Iterator[SyntaxFault]:
    """A memory format beside tensor options that is not optional, though the options may name one instead."""
    for argument in schema.arguments:
        if argument.name == "memory_format" and argument.type.text != "MemoryFormat?":
            message = "beside dtype, layout, device and pin_memory, 'memory_format' must be a 'MemoryFormat?'"
            yield SyntaxFault("options-memory-format", message, *schema.argument_type_span(argument))


def second_bundle(schema: Schema) -> int:
    """Where in `keyword` a second tensor-options bundle starts; -1 without one."""
    return bundle_index(schema.keyword, schema.options_index + 4) if schema.has_options else -1


def _options_span(schema: Schema, at: int) -> tuple[int, int]:
    """The four tensor options of which the first is `keyword[at]`."""
    at += len(schema.positional)
    return schema.argument_span(at)[0], schema.argument_span(at + 3)[1]


def written_before_self(schema: Schema) -> Iterator[SyntaxFault]:
    """AR-7: a written argument in front of `self`."""
    for argument in schema.pre_self:
        if argument.is_write:
            message = f"'{argument.name}' is written, so it must stand behind 'self'"
            related = ((*schema.argument_span(schema.self_index), "'self' stands here"),)
            yield SyntaxFault("written-before-self", message, *schema.argument_span(argument), None, related)


def out_return_alias(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-1: a return that is not the out argument at its place."""
    for index, (argument, item) in enumerate(zip(schema.out, schema.returns, strict=False)):
        if argument.annotation is not item.annotation:
            message = f"return {index + 1} must have the annotation of the out argument '{argument.name}'"
            related = ((*schema.argument_span(argument), "this out argument"),)
            help = _returns_of_out(schema)
            yield SyntaxFault("out-return-alias", message, *schema.return_span(index), help, related)
            return  # one that is missing or two that are swapped concern all that follow


def _returns_of_out(schema: Schema) -> str:
    """What an operator with out arguments returns, as a hint."""
    shown = [f"Tensor({item.annotation})" for item in schema.out if not item.name.startswith("_scratch_")]
    return f"write '-> {shown[0]}'" if len(shown) == 1 else f"write '-> ({', '.join(shown)})'"


def written_argument_returned(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-2: a return that is a written argument other than `self` or an out argument."""
    for argument in schema.post_self:
        for index, item in enumerate(schema.returns):
            if argument.is_write and item.annotation is argument.annotation:
                message = f"'{argument.name}' is written and returned, which only 'self' and out arguments can be"
                related = ((*schema.argument_span(argument), "the argument"),)
                help = f"write '*, {argument.text}' to make it an out argument, or return a new tensor"
                yield SyntaxFault("written-argument-returned", message, *schema.return_span(index), help, related)


def mixed_returns(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-3: returns of which some are written and some are not."""
    written = [item.is_write for item in schema.returns]
    if any(written) and not all(written):
        index = written.index(False)
        message = "this return is new, but another one is an argument that is written; they cannot be mixed"
        related = ((*schema.return_span(written.index(True)), "a written argument"),)
        yield SyntaxFault("mixed-returns", message, *schema.return_span(index), None, related)


def unmatched_written_return(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-4: a written return that is neither `self` nor an out argument."""
    own = [argument.annotation for argument in schema.out]
    if schema.self_argument is not None:
        own.append(schema.self_argument.annotation)
    for index, item in enumerate(schema.returns):
        if item.is_write and item.annotation not in own:
            message = f"no out argument and no 'self' has the annotation '({item.annotation})' of this return"
            help = f"write '{item.type.text}' if it is a new value"
            yield SyntaxFault("unmatched-written-return", message, *schema.return_span(index), help)


def out_list_returns(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-5: returns although an out argument is not a plain tensor."""
    if not schema.returns:
        return
    for argument in schema.out:
        if argument.type.text != "Tensor":
            message = f"an operator whose out argument '{argument.name}' is a '{argument.type.text}' returns nothing"
            yield SyntaxFault("out-list-returns", message, *_returns_span(schema), "write '-> ()'")
            return


def out_return_count(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-6: not one return for each out argument; scratch arguments do not count."""
    if not schema.out or any(argument.type.text != "Tensor" for argument in schema.out):
        return
    wanted = sum(not argument.name.startswith("_scratch_") for argument in schema.out)
    if wanted != len(schema.returns):
        message = f"an operator returns each of its out arguments: {wanted} here, not {len(schema.returns)}"
        yield SyntaxFault("out-return-count", message, *_returns_span(schema), _returns_of_out(schema))


def _returns_span(schema: Schema) -> tuple[int, int]:
    text = str(schema)
    return text.rfind(") -> ") + len(") -> "), len(text)


def inplace_self(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-7: an in-place operator that does not write `self`."""
    own = schema.self_argument
    if not schema.name.is_inplace or (own is not None and own.is_write):
        return
    name = schema.name.text
    if own is None:
        message = f"the in-place operator '{name}' has no argument 'self', which is the one that it writes"
        help = "if it is not in-place, its name must not end in '_'"
        yield SyntaxFault("inplace-self", message, *schema.name_span(), help)
        return
    message = f"the in-place operator '{name}' must write 'self'"
    hint = f"write 'Tensor(a!){own.type.text[len('Tensor') :]} self'" if own.type.is_tensor_like else None
    yield SyntaxFault("inplace-self", message, *schema.argument_span(own), hint)


def inplace_return(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-8: an in-place operator on a tensor that does not return exactly `self`."""
    own = schema.self_argument
    if not _writes_self(schema) or own is None or own.type.text != "Tensor":
        return
    returns = schema.returns
    if len(returns) != 1 or returns[0].annotation is not own.annotation:
        message = f"the in-place operator '{schema.name.text}' must return 'self' and nothing else"
        related = ((*schema.argument_span(own), "the argument"),)
        help = f"write '-> Tensor({own.annotation})'"
        yield SyntaxFault("inplace-return", message, *_returns_span(schema), help, related)


def inplace_list_return(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-9: an in-place operator on something other than a tensor that returns something."""
    own = schema.self_argument
    if _writes_self(schema) and own is not None and own.type.text != "Tensor" and schema.returns:
        message = f"an in-place operator on '{own.type.text}' returns nothing"
        yield SyntaxFault("inplace-list-return", message, *_returns_span(schema), "write '-> ()'")


def _writes_self(schema: Schema) -> bool:
    own = schema.self_argument
    return schema.name.is_inplace and own is not None and own.is_write


def options_not_functional(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-11: a tensor-options bundle on an operator that writes."""
    if schema.has_options and schema.kind is not Kind.FUNCTIONAL:
        message = f"{_KINDS[schema.kind]} cannot have dtype, layout, device and pin_memory"
        span = _options_span(schema, schema.options_index)
        help = "the tensor that it writes has them already; remove these four"
        yield SyntaxFault("options-not-functional", message, *span, help)


def functional_overload(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-12: an overload called functional on an operator that writes."""
    if "functional" in schema.name.overload and schema.kind is not Kind.FUNCTIONAL:
        message = f"the overload '{schema.name.overload}' says functional, but this is {_KINDS[schema.kind]}"
        stop = schema.name_span()[1]
        yield SyntaxFault("functional-overload", message, stop - len(schema.name.overload), stop)


def out_and_inplace(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-13: an in-place name on an operator with out arguments."""
    if schema.name.is_inplace and schema.out:
        message = f"'{schema.name.text}' is in-place by its name but has out arguments"
        related = ((*schema.argument_span(schema.out[0]), "the first out argument"),)
        help = f"write '{schema.name.with_overload(schema.name.overload or 'out')}' for the out variant"
        yield SyntaxFault("out-and-inplace", message, *schema.name_span(), help, related)


def return_alias(schema: Schema) -> Iterator[SyntaxFault]:
    """A return in an alias set that no argument belongs to; torchgen takes it for a view of nothing."""
    for index, item in enumerate(schema.returns):
        if item.annotation is None or item.is_write:
            continue
        for letter in item.annotation.before:
            if not any(letter in _alias_sets(argument) for argument in schema.arguments):
                message = f"no argument is in the alias set '{letter}' of this return"
                help = f"annotate the argument that it is a view of, as in 'Tensor({item.annotation}) self'"
                yield SyntaxFault("return-alias", message, *schema.return_span(index), help)


def _alias_sets(argument: Argument) -> tuple[str, ...]:
    annotation = argument.annotation
    return annotation.before + annotation.after if annotation else ()


#: What an operator of each kind is called in a message.
_KINDS = {
    Kind.FUNCTIONAL: "a functional operator",
    Kind.INPLACE: "an in-place operator",
    Kind.MUTABLE: "an operator that writes an argument",
    Kind.OUT: "an operator with out arguments",
    Kind.SCRATCH: "an operator with scratch arguments",
}

SCHEMA_RULES: tuple[SchemaRule, ...] = (
    duplicate_argument,
    required_after_default,
)
#: Rules that only a schema with tensor options can break.
OPTIONS_RULES: tuple[SchemaRule, ...] = (second_options, options_memory_format)
_EVERY = frozenset(Kind)
_INPLACE = frozenset({Kind.INPLACE})
_OUT = frozenset({Kind.OUT, Kind.SCRATCH})
#: Rules that only a schema with annotations or an in-place name can break, and the kinds of schemas that can.
_ALIAS_RULES: tuple[tuple[SchemaRule, frozenset[Kind]], ...] = (
    (written_before_self, _EVERY),
    (out_and_inplace, _INPLACE),
    (inplace_self, _INPLACE),
    (inplace_return, _INPLACE),
    (inplace_list_return, _INPLACE),
    (out_list_returns, _OUT),
    (out_return_count, _OUT),
    (out_return_alias, _OUT),
    (written_argument_returned, _EVERY),
    (mixed_returns, _EVERY),
    (unmatched_written_return, _EVERY),
    (return_alias, _EVERY),
)
#: These rules by kind, in order. The first that finds something speaks: those behind it would find what follows from
#: the same mistake.
ALIAS_RULES: dict[Kind, tuple[SchemaRule, ...]] = {
    kind: tuple(rule for rule, kinds in _ALIAS_RULES if kind in kinds) for kind in Kind
}
#: As those above, but each about something of its own; a functional schema cannot break them.
KIND_RULES: tuple[SchemaRule, ...] = (options_not_functional, functional_overload)
