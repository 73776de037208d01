"""Derived operators: the out and functional variants that follow from others.

In: the operators of a file. Out: those that are generated, family by family, to be put behind the file's own.

    nudge_(Tensor(a!) self) -> Tensor(a!), autogen: nudge, nudge.out
        ->  nudge.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)  and  nudge(Tensor self) -> Tensor

Rules: spec 04 sections 1 to 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opwright.memo import Memo
from opwright.model.context import Context
from opwright.model.dispatch import DEFAULT_NAMESPACE
from opwright.model.operators import Kernel, Operator, default_kernel_name, is_abstract
from opwright.model.rules import expansion as rules
from opwright.model.signature import Member, member, normal_tail, written_arguments
from opwright.releases.keys import COMPOSITE_EXPLICIT
from opwright.syntax.names import OperatorName
from opwright.syntax.parser import SchemaParser
from opwright.syntax.schema import Argument, Kind, Return, Schema, Tail, named
from opwright.syntax.types import Annotation
from opwright.values import Value

Family = dict[Kind, Operator]

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: In which order a member of a family is looked for that the others are generated from.
_MUTABLE_FIRST = (Kind.MUTABLE, Kind.INPLACE, Kind.OUT, Kind.FUNCTIONAL, Kind.SCRATCH)
_INPLACE_FIRST = (Kind.INPLACE, Kind.MUTABLE, Kind.OUT, Kind.FUNCTIONAL, Kind.SCRATCH)


class Expansion(Value):
    """The operators after generation, the file's own first, without and with their signatures."""

    operators: tuple[Operator, ...]
    members: tuple[Member, ...]


def families(members: Iterable[Member], context: Context) -> list[Family]:
    """The operators by signature and kind, in order of first appearance; a kind that comes twice is reported."""
    found: dict[str, Family] = {}
    for item in members:
        family = found.setdefault(item.family, {})
        known = family.setdefault(item.operator.schema.kind, item.operator)
        if known is not item.operator:
            rules.same_kind_twice(item.operator, known, context)
    return list(found.values())


def expand(operators: Sequence[Operator], context: Context) -> Expansion:
    """Add to `operators` the variants that are generated from them."""
    scatter = context.release.has_scatter_views
    tails = Memo(normal_tail)
    members = [member(operator, tails, has_scatter_views=scatter) for operator in operators]
    taken = {operator.name.text: operator for operator in operators}
    made: list[Member] = []
    for family in families(members, context):
        if is_left_alone(family, operators, context):
            rules.ineffective_autogen(family, context)
            continue
        for operator in variants(family, context):
            known = taken.setdefault(operator.name.text, operator)
            if known is not operator:
                rules.generated_name_taken(operator, known, context)
            elif not rules.generated_schema(operator, context):
                made.append(member(operator, tails, has_scatter_views=scatter))
    every = (*members, *made)
    return Expansion(tuple([item.operator for item in every]), every)


def is_left_alone(family: Family, operators: Sequence[Operator], context: Context) -> bool:
    """Whether nothing is generated for a family, of all `operators`, whatever it declares (spec 04 section 3)."""
    release = context.release
    members = family.values()
    if False not in [operator.is_composite_implicit for operator in members] and not (
        release.core_is_generated and any("core" in operator.tags for operator in members)
    ):
        return True
    if False not in [operator.manual_cpp_binding for operator in members]:
        return True
    despite_view = release.lists.generated_despite_view
    if [operator for operator in members if operator.is_view and operator.name.base not in despite_view]:
        return True
    if len(family) == 1 and not family.keys().isdisjoint((Kind.OUT, Kind.SCRATCH)):
        if Kind.OUT in family and family[Kind.OUT].name.text not in release.lists.lone_out:
            rules.lone_out(family[Kind.OUT], operators, context)
        return True
    inplace = family.get(Kind.INPLACE)
    return inplace is not None and inplace.name.text in release.lists.ungrouped_inplace


def base_of(family: Family, context: Context) -> Operator:
    """The member that the others are generated from."""
    order = _MUTABLE_FIRST if context.release.mutable_is_base else _INPLACE_FIRST
    return family[next(filter(family.__contains__, order))]


def can_have_out(operator: Operator) -> bool:
    """Whether an out variant of the operator is possible."""
    schema = operator.schema
    return schema.kind is Kind.INPLACE or any([item.type.is_tensor_like for item in schema.returns])


def variants(family: Family, context: Context) -> list[Operator]:
    """The variants to generate for a family, the out variant first."""
    base = base_of(family, context)
    has_out = Kind.OUT in family
    if not has_out and not can_have_out(base):
        lists, name = context.release.lists, base.name.text
        if name not in lists.mutable_without_out and name not in lists.functional_without_out:
            rules.no_out_possible(base, context)
        check_declared(family, base, [], context)
        return []
    wants_out = not has_out and any(["out" in name.text for name in base.autogen])
    made: list[Operator] = []
    if wants_out:
        made.append(generate(base, out_schema(base.schema, context), context))
    if Kind.FUNCTIONAL not in family and (has_out or wants_out):
        made.append(generate(base, functional_schema(base.schema, context.parser), context))
    check_declared(family, base, made, context)
    return made


def check_declared(family: Family, base: Operator, made: Sequence[Operator], context: Context) -> None:
    """Hold the declarations of a family to what is made of it, and to what could be."""
    names = [operator.name.text for operator in made]
    if [name for operator in family.values() for name in operator.autogen if name.text not in names]:
        rules.autogen_not_made(family, base, names, possible_names(family, base), context)


def possible_names(family: Family, base: Operator) -> list[str]:
    """The names of the variants that could be generated for a family from its base."""
    if Kind.OUT not in family and not can_have_out(base):
        return []
    names = {Kind.OUT: out_name(base.name).text, Kind.FUNCTIONAL: functional_name(base.schema).text}
    return [name for kind, name in names.items() if kind not in family]


def generate(base: Operator, schema: Schema, context: Context) -> Operator:
    """The operator with this schema, generated from `base` (spec 04 section 6)."""
    release = context.release
    tags = (base.tags & release.inherited_tags) | {"generated"}
    if schema.out and release.tags_generated_out:
        tags |= {"out"}
    kernel = schema.name.unambiguous if schema.out else default_kernel_name(schema)
    if base.schema.has_symint:
        kernel += "_symint"
    return Operator(
        base.namespace,
        schema.name,
        schema,
        base.record,
        True,
        False,
        {context.keys[COMPOSITE_EXPLICIT]: Kernel(kernel, DEFAULT_NAMESPACE, False)},
        tags,
        False,
        is_abstract(base.kernels, base.structured_delegate),
        False,
        is_generated=True,
        device_check=False,
        device_guard=False,
        const_ref_mutable=base.const_ref_mutable,
    )


def out_name(base: OperatorName) -> OperatorName:
    """The name of the out variant (spec 04 section 5.1)."""
    return base.with_overload(f"{base.overload}_out" if base.overload else "out")


def functional_name(base: Schema) -> OperatorName:
    """The name of the functional variant (spec 04 section 5.1)."""
    return base.name.with_overload(base.name.overload, functional=base.kind is Kind.MUTABLE)


def out_schema(base: Schema, context: Context) -> Schema:
    """The schema of the out variant (spec 04 section 5.2)."""
    key = base.tail, base.kind
    tail = context.out_tails.get(key)
    if tail is None:
        tail = context.out_tails[key] = _out_tail(base, context.parser)
    return named(out_name(base.name), tail)


def _out_tail(base: Schema, parser: SchemaParser) -> Tail:
    """The arguments and returns of the out variant."""
    own = base.self_argument
    if base.kind is Kind.INPLACE and own is not None:
        positional = tuple([_plain(item, parser) if item is own else item for item in base.positional])
        out = parser.argument(own.type, own.annotation, own.annotation_at, "out")
        return parser.tail(positional, base.keyword, (out,), base.returns)
    positional, keyword = base.positional, base.keyword
    if base.kind is Kind.FUNCTIONAL:
        positional, keyword = _all_plain(positional, parser), _all_plain(base.keyword_without_options, parser)
    out_arguments, returns = _out_returns(base, parser)
    return parser.tail(positional, keyword, out_arguments, returns)


def _out_returns(base: Schema, parser: SchemaParser) -> tuple[tuple[Argument, ...], tuple[Return, ...]]:
    """The out arguments that take the place of the returns, and what is still returned."""
    letters = _free_letters(base)
    only_tensors = all([item.type.text == "Tensor" for item in base.returns])
    out: list[Argument] = []
    returns: list[Return] = []
    for index, item in enumerate(base.returns):
        if not item.type.is_tensor_like:
            returns.append(item)
            continue
        name = "out" if len(base.returns) == 1 else f"out{index}"
        annotation = _written(letters[index], parser)
        out.append(parser.argument(item.type, annotation, len("Tensor"), name))
        if only_tensors:
            returns.append(parser.returned(item.type, annotation, len("Tensor")))
    return tuple(out), tuple(returns)


def _free_letters(base: Schema) -> str:
    """The letters for the annotations of out arguments: those that no argument uses."""
    used = {letter for item in base.arguments if item.annotation for letter in item.annotation.before}
    return "".join([letter for letter in _LETTERS if letter not in used]) if used else _LETTERS


def _written(letter: str, parser: SchemaParser) -> Annotation:
    return parser.types.annotation(f"({letter}!)", 0)[0]


def _all_plain(arguments: tuple[Argument, ...], parser: SchemaParser) -> tuple[Argument, ...]:
    """The arguments without their annotations."""
    return tuple([item if item.annotation is None else _plain(item, parser) for item in arguments])


def _plain(argument: Argument, parser: SchemaParser) -> Argument:
    """The argument without its annotation."""
    return parser.argument(argument.type, None, -1, argument.name, argument.default)


def functional_schema(base: Schema, parser: SchemaParser) -> Schema:
    """The schema of the functional variant (spec 04 section 5.3): written arguments are returned at the end."""
    name = functional_name(base)
    returns = [parser.returned(item.type, None, -1, item.name) for item in base.returns]
    returns += [parser.returned(item.type, None, -1, f"{item.name}_out") for item in written_arguments(base.tail)]
    positional, keyword = _all_plain(base.positional, parser), _all_plain(base.keyword_without_options, parser)
    return named(name, parser.tail(positional, keyword, (), tuple(returns)))
