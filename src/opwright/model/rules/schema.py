"""Rules for whole schemas: what arguments and returns must be to each other.

In: a schema. Out: its faults, with offsets into `str(schema)`.

Rules: spec 03 sections 2 (AR-6, AR-7) and 3 (SC), and faults that torchgen does not look for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from opwright.model.context import Context
from opwright.model.rules.arguments import part_faults
from opwright.model.rules.names import IDENTIFIER, name_faults
from opwright.syntax.schema import Argument, Kind, Schema, bundle_index
from opwright.syntax.types import SyntaxFault

SchemaRule = Callable[[Schema], Iterator[SyntaxFault]]


def schema_faults(schema: Schema, context: Context) -> tuple[SyntaxFault, ...]:
    """All faults of a schema: of its name, its parts and the whole."""
    found = [fault.shifted(schema.name_span()[0]) for fault in name_faults(schema.name, schema.name.text)]
    known = context.part_faults
    for argument in schema.arguments:
        for fault in known[argument] if argument in known else part_faults(argument, context):
            found.append(fault.shifted(schema.argument_span(argument)[0]))
    for index, item in enumerate(schema.returns):
        for fault in known[item] if item in known else part_faults(item, context):
            found.append(fault.shifted(schema.return_span(index)[0]))
    for rule in SCHEMA_RULES:
        found += rule(schema)
    if schema.is_annotated or schema.name.is_inplace:
        for rule in ALIAS_RULES:
            found += rule(schema)
    return tuple(found)


def namespace_form(schema: Schema) -> Iterator[SyntaxFault]:
    """A namespace that is no identifier."""
    namespace = schema.namespace
    if namespace and not all(IDENTIFIER.fullmatch(level) for level in namespace.split("::")):
        yield SyntaxFault("namespace-form", f"'{namespace}' is not a namespace", 0, len(namespace))


def duplicate_argument(schema: Schema) -> Iterator[SyntaxFault]:
    """Two arguments of one name; torchgen writes C++ that does not compile."""
    arguments = schema.arguments
    names = {argument.name for argument in arguments}
    if len(names) == len(arguments):
        return
    first: dict[str, int] = {}
    for index, argument in enumerate(arguments):
        known = first.setdefault(argument.name, index)
        if known != index:
            related = ((*_name_span(schema, known), "first named here"),)
            message = f"there is an argument '{argument.name}' already"
            yield SyntaxFault("duplicate-argument", message, *_name_span(schema, index), None, related)


def _name_span(schema: Schema, index: int) -> tuple[int, int]:
    start = schema.argument_span(index)[0]
    span = schema.arguments[index].name_span()
    return start + span[0], start + span[1]


def duplicate_return(schema: Schema) -> Iterator[SyntaxFault]:
    """Two returns of one name."""
    first: dict[str, int] = {}
    for index, item in enumerate(schema.returns) if len(schema.returns) > 1 else ():
        if not item.name:
            continue
        known = first.setdefault(item.name, index)
        if known != index:
            (_, stop), (_, first_stop) = schema.return_span(index), schema.return_span(known)
            size = len(item.name)
            related = ((first_stop - size, first_stop, "first named here"),)
            message = f"there is a return '{item.name}' already"
            yield SyntaxFault("duplicate-return", message, stop - size, stop, None, related)


def required_after_default(schema: Schema) -> Iterator[SyntaxFault]:
    """A positional argument without a default behind one that has a default."""
    optional: Argument | None = None
    for argument in schema.positional:
        if argument.default is not None:
            optional = optional or argument
        elif optional is not None:
            message = f"'{argument.name}' has no default but follows '{optional.name}', which has one"
            related = ((*schema.argument_span(optional), "this argument may be left out"),)
            yield SyntaxFault("required-after-default", message, *schema.argument_span(argument), None, related)


def second_options(schema: Schema) -> Iterator[SyntaxFault]:
    """AR-6: a second tensor-options bundle."""
    if not schema.has_options:
        return
    second = bundle_index(schema.keyword, schema.options_index + 4)
    if second >= 0:
        first, last = schema.keyword[second], schema.keyword[second + 3]
        start, stop = schema.argument_span(first)[0], schema.argument_span(last)[1]
        message = "dtype, layout, device and pin_memory stand here a second time"
        yield SyntaxFault("second-options", message, start, stop)


def written_before_self(schema: Schema) -> Iterator[SyntaxFault]:
    """AR-7: a written argument in front of `self`."""
    for argument in schema.pre_self:
        if argument.is_write:
            message = f"'{argument.name}' is written, so it must stand behind 'self'"
            yield SyntaxFault("written-before-self", message, *schema.argument_span(argument))


def out_return_alias(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-1: a return that is not the out argument at its place."""
    for index, (argument, item) in enumerate(zip(schema.out, schema.returns, strict=False)):
        if argument.annotation is not item.annotation:
            message = f"return {index + 1} must have the annotation of the out argument '{argument.name}'"
            help = f"write '{argument.type.text}({argument.annotation})'" if argument.type.text == "Tensor" else None
            yield SyntaxFault("out-return-alias", message, *schema.return_span(index), help)


def written_argument_returned(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-2: a return that is a written argument other than `self` or an out argument."""
    for argument in schema.post_self:
        if argument.is_write and any(item.annotation is argument.annotation for item in schema.returns):
            message = f"'{argument.name}' is written and returned, which only 'self' and out arguments can be"
            yield SyntaxFault("written-argument-returned", message, *schema.argument_span(argument))


def mixed_returns(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-3: returns of which some are written and some are not."""
    written = [item.is_write for item in schema.returns]
    if any(written) and not all(written):
        index = written.index(False)
        message = "either all returns are written arguments or none is"
        yield SyntaxFault("mixed-returns", message, *schema.return_span(index))


def unmatched_written_return(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-4: a written return that is neither `self` nor an out argument."""
    own = [argument.annotation for argument in schema.out]
    if schema.self_argument is not None:
        own.append(schema.self_argument.annotation)
    for index, item in enumerate(schema.returns):
        if item.is_write and item.annotation not in own:
            message = f"no out argument and no 'self' has the annotation '({item.annotation})' of this return"
            yield SyntaxFault("unmatched-written-return", message, *schema.return_span(index))


def out_list_returns(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-5: returns although an out argument is not a plain tensor."""
    if not schema.returns:
        return
    for argument in schema.out:
        if argument.type.text != "Tensor":
            message = f"an operator with the out argument '{argument.type.text} {argument.name}' returns nothing"
            yield SyntaxFault("out-list-returns", message, *_returns_span(schema), "write '-> ()'")
            return


def out_return_count(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-6: not one return for each out argument; scratch arguments do not count."""
    if not schema.out or any(argument.type.text != "Tensor" for argument in schema.out):
        return
    wanted = sum(not argument.name.startswith("_scratch_") for argument in schema.out)
    if wanted != len(schema.returns):
        message = f"there are {wanted} out arguments but {len(schema.returns)} returns"
        yield SyntaxFault("out-return-count", message, *_returns_span(schema))


def _returns_span(schema: Schema) -> tuple[int, int]:
    text = str(schema)
    return text.rfind(") -> ") + len(") -> "), len(text)


def inplace_self(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-7: an in-place operator that does not write `self`."""
    own = schema.self_argument
    if schema.name.is_inplace and (own is None or not own.is_write):
        span = schema.name_span() if own is None else schema.argument_span(own)
        message = f"the in-place operator '{schema.name.text}' must have an argument 'self' that it writes"
        yield SyntaxFault("inplace-self", message, *span, "write 'Tensor(a!) self'")


def inplace_return(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-8: an in-place operator on a tensor that does not return exactly `self`."""
    own = schema.self_argument
    if not _writes_self(schema) or own is None or own.type.text != "Tensor":
        return
    returns = schema.returns
    if len(returns) != 1 or returns[0].annotation is not own.annotation:
        message = f"the in-place operator '{schema.name.text}' must return 'self' and nothing else"
        yield SyntaxFault("inplace-return", message, *_returns_span(schema), f"write '-> Tensor({own.annotation})'")


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
        start = schema.argument_span(schema.keyword[schema.options_index])[0]
        stop = schema.argument_span(schema.keyword[schema.options_index + 3])[1]
        message = f"an operator of kind '{schema.kind.value}' has no dtype, layout, device and pin_memory"
        yield SyntaxFault("options-not-functional", message, start, stop)


def functional_overload(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-12: an overload called functional on an operator that writes."""
    if "functional" in schema.name.overload and schema.kind is not Kind.FUNCTIONAL:
        message = f"the overload '{schema.name.overload}' says functional, but the operator is {schema.kind.value}"
        yield SyntaxFault("functional-overload", message, *schema.name_span())


def out_and_inplace(schema: Schema) -> Iterator[SyntaxFault]:
    """SC-13: an in-place name on an operator with out arguments."""
    if schema.name.is_inplace and schema.out:
        message = f"'{schema.name.text}' is in-place by its name and has out arguments"
        yield SyntaxFault("out-and-inplace", message, *schema.name_span())


def return_alias(schema: Schema) -> Iterator[SyntaxFault]:
    """A return in an alias set that no argument belongs to; torchgen takes it for a view of nothing."""
    for index, item in enumerate(schema.returns):
        if item.annotation is None or item.is_write:
            continue
        for letter in item.annotation.before:
            if not any(letter in _alias_sets(argument) for argument in schema.arguments):
                message = f"no argument is in the alias set '{letter}' of this return"
                yield SyntaxFault("return-alias", message, *schema.return_span(index))


def _alias_sets(argument: Argument) -> tuple[str, ...]:
    annotation = argument.annotation
    return annotation.before + annotation.after if annotation else ()


def ambiguous_alias(schema: Schema) -> Iterator[SyntaxFault]:
    """LT-10: a return with the annotation of several arguments."""
    for index, item in enumerate(schema.returns):
        if item.annotation is None:
            continue
        owners = [argument.name for argument in schema.arguments if argument.annotation is item.annotation]
        if len(owners) > 1:
            message = f"this return may alias each of the arguments {', '.join(owners)}; it must be one"
            yield SyntaxFault("ambiguous-alias", message, *schema.return_span(index))


SCHEMA_RULES: tuple[SchemaRule, ...] = (
    namespace_form,
    duplicate_argument,
    duplicate_return,
    required_after_default,
    second_options,
)
#: Rules that only a schema with annotations or an in-place name can break.
ALIAS_RULES: tuple[SchemaRule, ...] = (
    written_before_self,
    out_return_alias,
    written_argument_returned,
    mixed_returns,
    unmatched_written_return,
    out_list_returns,
    out_return_count,
    inplace_self,
    inplace_return,
    inplace_list_return,
    options_not_functional,
    functional_overload,
    out_and_inplace,
    return_alias,
    ambiguous_alias,
)
