"""The operators that AOT-inductor's shims offer to compiled models, each as a C function in one or more versions.

In: a list of such operators, that of a release or one that takes its place, and the operators of the source. Out: a
`ShimList`.

    devices: {'aten::blend': {v2: {new_args: [weight]}}}  ->  Shim(blend, versions 2 and 1)

Rules: spec 13 section 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as Table

from opwright.diagnostics import Related, did_you_mean, nearest
from opwright.model.context import Context
from opwright.model.fields import string
from opwright.model.operators import Operator
from opwright.model.rules.other_releases import no_operator
from opwright.releases import NAMES, NEWEST
from opwright.source import Place
from opwright.syntax.records import Record
from opwright.syntax.schema import Argument
from opwright.syntax.types import Form
from opwright.syntax.yamltree import Mapping, Node, Scalar, Sequence, describe, shown_place
from opwright.values import Value

OPERATOR_LIST = "a mapping from operator names to mappings"
#: The keys of a list, and what each holds.
SECTIONS = {"devices": OPERATOR_LIST, "aten": OPERATOR_LIST, "optional_returns": "a list of parts of operator names"}
RANGE_FIELDS = ("from", "until")
VERSION_FIELDS = ("new_args", "since", *RANGE_FIELDS)
_OPERATOR_HELP = "the keys are 'since', 'from', 'until' and, for the versions behind the first, 'v2', 'v3' and so on"

_VERSION = re.compile(r"v([2-9]|[1-9][0-9]+)")
_SINCE = re.compile(r"TORCH_VERSION_[0-9]+_[0-9]+_[0-9]+")
_NAME_PART = re.compile(r"\w+", re.ASCII)


class ShimVersion(Value):
    """One version of an operator's function: `since` is the macro of the release that has it, or empty.

    `new_arguments` are those that the versions before do not have.
    """

    number: int = 1
    since: str = ""
    new_arguments: frozenset[str] = frozenset()


class Shim(Value):
    """One operator with the versions of its function, the newest first."""

    operator: Operator
    versions: tuple[ShimVersion, ...] = (ShimVersion(),)

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of its functions, without what stands for the device."""
        name = self.operator.name.unambiguous
        return tuple(name if version.number == 1 else f"{name}_v{version.number}" for version in self.versions)


class ShimList(Value):
    """What shims offer: `devices` those of the devices, `aten` the one that goes through the dispatcher; both in order.

    An operator whose name contains one of `optional_returns` may be given null pointers for its results, besides those
    of which the release says so. `is_own` tells a list of the user's from that of the release.
    """

    devices: tuple[Shim, ...] = ()
    aten: tuple[Shim, ...] = ()
    optional_returns: tuple[str, ...] = ()
    is_own: bool = False


def every_operator(operators: Iterable[Operator]) -> ShimList:
    """What the shims of a release without a list offer, in the order of the source.

    Compiled models call no pointwise operators: code is generated for these.
    """
    return ShimList(tuple(Shim(operator) for operator in operators if "pointwise" not in operator.tags))


def read_shim_list(
    root: Node, context: Context, operators: Table[str, Operator] | None, *, is_partial: bool = False
) -> ShimList:
    """Read a list of operators.

    `operators` are those of the source by full name; None leaves names unchecked. A source that has only part of what
    the list is for (`is_partial`) may lack operators and arguments, and these are passed over, as is what other
    releases offer.
    """
    if not isinstance(root, Mapping):
        list_not_a_mapping(root, context)
        return ShimList()
    record = Record.of(root)
    unknown_keys(record, tuple(SECTIONS), "a list of operators for shims", context)
    reader = _Reader(context, operators, is_partial)
    return ShimList(
        devices=reader.section(record, "devices"),
        aten=reader.section(record, "aten"),
        optional_returns=_name_parts(record, context),
        is_own=not is_partial,
    )


class _Reader:
    """Reads sections of a list."""

    def __init__(self, context: Context, operators: Table[str, Operator] | None, is_partial: bool) -> None:
        self.context = context
        self.operators = operators
        self.is_partial = is_partial

    def section(self, record: Record, name: str) -> tuple[Shim, ...]:
        """The operators of one section in the order of their functions."""
        node = record.value(name)
        if node is None:
            return ()
        if not isinstance(node, Mapping):
            section_type(record, name, self.context)
            return ()
        found: dict[str, tuple[Scalar, Shim]] = {}
        for key, value in node.fields.values():
            shim = self.shim(key, value)
            if shim is None:
                continue
            first = next((found[function][0] for function in shim.functions if function in found), None)
            if first is not None:
                same_function(key, shim, first, self.context)
            else:
                found.update(dict.fromkeys(shim.functions, (key, shim)))
        shims = dict.fromkeys(shim for _, shim in found.values())
        return tuple(sorted(shims, key=lambda shim: sort_key(shim.operator)))

    def shim(self, key: Scalar, value: Node) -> Shim | None:
        """The operator that is listed as `key`; None when it is unknown or nothing can be told of it."""
        if not isinstance(value, Mapping):
            operator_type(key, value, self.context)
            return None
        record = Record.of(value)
        later = [name for name in record.fields if _VERSION.fullmatch(name)]
        unknown_keys(record, ("since", *RANGE_FIELDS, *later), "a listed operator", self.context, _OPERATOR_HELP)
        operator = self.operator(key) if self.is_offered(record) else None
        versions = [ShimVersion(1, _since(record, self.context))]
        seen: dict[str, Place] = {}
        for name in later:
            version = self.version(record, name, operator, seen)
            if version is not None:
                versions.append(version)
        versions.sort(key=lambda version: -version.number)
        return None if operator is None else Shim(operator, tuple(versions))

    def operator(self, key: Scalar) -> Operator | None:
        """The operator that is listed as `key`; None when it is unknown."""
        if self.operators is None:
            return None
        operator = self.operators.get(key.value)
        if operator is None and not self.is_partial:
            unknown_operator(key, self.operators, self.context)
        return operator

    def is_offered(self, record: Record) -> bool:
        """Whether the release is among those that the record says it is for."""
        first, last = (_release(record, name, self.context) for name in RANGE_FIELDS)
        place = NAMES.index(self.context.release.name)
        return (first is None or first <= place) and (last is None or place <= last)

    def version(
        self, record: Record, name: str, operator: Operator | None, seen: dict[str, Place]
    ) -> ShimVersion | None:
        """The version called `name`, None when the release has no such version.

        `seen` gives the place of each argument that a version has named as new.
        """
        number, node = int(name[1:]), record.value(name)
        if not isinstance(node, Mapping):
            version_type(record, name, self.context)
            return None
        own = Record.of(node)
        unknown_keys(own, VERSION_FIELDS, "a version", self.context)
        is_offered = self.is_offered(own)
        new = _words(own.value("new_args"))
        if new is None:
            new_args_type(own, self.context)
            new = []
        for argument in new:
            if argument.value in seen:
                repeated_argument(argument, seen[argument.value], self.context)
            seen.setdefault(argument.value, argument.place)
            if operator is not None and is_offered:
                self.new_argument(argument, operator)
        version = ShimVersion(number, _since(own, self.context), frozenset(argument.value for argument in new))
        return version if is_offered else None

    def new_argument(self, node: Scalar, operator: Operator) -> None:
        """Check an argument that a version is said to bring."""
        arguments = {argument.name: argument for argument in operator.schema.arguments}
        argument = arguments.get(node.value)
        if argument is not None:
            has_default = argument.default is not None and self.context.release.shims.passes_defaults
            if not has_default and argument.type.form is not Form.OPTIONAL:
                argument_without_default(node, argument, operator, self.context)
        elif not self.is_partial:
            unknown_argument(node, operator, arguments, self.context)


def sort_key(operator: Operator) -> str:
    """What the functions are ordered by."""
    name = operator.name
    return f"{operator.namespace}.{name.base}.{name.overload or 'default'}"


def _since(record: Record, context: Context) -> str:
    node = record.value("since")
    if node is None:
        return ""
    text = string(node) or ""
    if not _SINCE.fullmatch(text):
        since_form(record, node, context)
    return text


def _release(record: Record, name: str, context: Context) -> int | None:
    """The place of the release that a field names; None when it names none."""
    node = record.value(name)
    if node is None:
        return None
    text = node.value if isinstance(node, Scalar) else ""
    if text not in NAMES:
        release_name(record, name, context)
        return None
    return NAMES.index(text)


def _words(node: Node | None) -> list[Scalar] | None:
    """The items of a list of words; an absent list is empty, and None stands for anything else."""
    if node is None:
        return []
    if not isinstance(node, Sequence):
        return None
    words = [item for item in node.items if isinstance(item, Scalar) and string(item)]
    return words if len(words) == len(node.items) else None


def _not_words(node: Node) -> str:
    """What stands where a list of words should."""
    return "one with something else in it" if isinstance(node, Sequence) else describe(node)


def _name_parts(record: Record, context: Context) -> tuple[str, ...]:
    words = _words(record.value("optional_returns"))
    if words is None or not all(_NAME_PART.fullmatch(word.value) for word in words):
        section_type(record, "optional_returns", context)
        return ()
    return tuple(word.value for word in words)


# Rules


def list_not_a_mapping(root: Node, context: Context) -> None:
    """A list of operators that is no mapping."""
    message = f"a list of operators for shims is a mapping with the key 'devices' or 'aten', not {describe(root)}"
    context.error("aoti-not-a-mapping", message, root.place)


def unknown_keys(record: Record, known: tuple[str, ...], what: str, context: Context, help: str | None = None) -> None:
    """Keys that a list, one of its operators or one of their versions does not have."""
    for name in record.fields:
        if name not in known:
            message = f"'{name}' is not a key of {what}"
            context.error("aoti-unknown-key", message, record.key_place(name), did_you_mean(name, known) or help)


def section_type(record: Record, name: str, context: Context) -> None:
    """A section that does not hold what it must."""
    node = record.fields[name][1]
    found = _not_words(node) if name == "optional_returns" else describe(node)
    context.error("aoti-section-type", f"'{name}' must be {SECTIONS[name]}, not {found}", record.place(name))


def operator_type(key: Scalar, value: Node, context: Context) -> None:
    """An operator whose value is no mapping."""
    message = f"what is said of '{key.value}' must be a mapping, not {describe(value)}"
    context.error("aoti-operator-type", message, shown_place(value, key.place), "write '{}' when there is nothing")


def version_type(record: Record, name: str, context: Context) -> None:
    """A version that is no mapping."""
    message = f"'{name}' must be a mapping with 'new_args' and 'since', not {describe(record.fields[name][1])}"
    context.error("aoti-version-type", message, record.place(name), f"write '{name}: {{new_args: [...]}}'")


def since_form(record: Record, node: Node, context: Context) -> None:
    """A release that is not named by its macro."""
    found = f"'{node.value}'" if isinstance(node, Scalar) and node.value else describe(node)
    numbers = re.fullmatch(r"v?([0-9]+)\.([0-9]+)(?:\.([0-9]+))?", node.value) if isinstance(node, Scalar) else None
    macro = "_".join(("TORCH_VERSION", *(part or "0" for part in numbers.groups()))) if numbers else None
    message = f"'since' must be a macro such as TORCH_VERSION_2_13_0, not {found}"
    context.error("aoti-since-form", message, record.place("since"), f"write '{macro}'" if macro else None)


def release_name(record: Record, name: str, context: Context) -> None:
    """A release that is not known."""
    node = record.fields[name][1]
    found = f"'{node.value}'" if isinstance(node, Scalar) and node.value else describe(node)
    message = f"'{name}' must be a release such as {NEWEST}, not {found}"
    numbers = re.search(r"([0-9]+)[._]([0-9]+)", node.value) if isinstance(node, Scalar) else None
    meant = ".".join(numbers.groups()) if numbers else ""
    context.error("aoti-release-name", message, record.place(name), f"write '{meant}'" if meant in NAMES else None)


def new_args_type(record: Record, context: Context) -> None:
    """The new arguments of a version that are no list of names."""
    message = f"'new_args' must be a list of argument names, not {_not_words(record.fields['new_args'][1])}"
    context.error("aoti-new-args-type", message, record.place("new_args"))


def unknown_operator(key: Scalar, operators: Table[str, Operator], context: Context) -> None:
    """A listed operator that the source does not have."""
    message, help = no_operator(key.value, operators, context.release.name) or (
        f"there is no operator '{key.value}'",
        _meant(key.value, operators),
    )
    context.error("aoti-unknown-operator", message, key.place, help)


def _meant(name: str, operators: Table[str, Operator]) -> str | None:
    """A hint at the operator that `name` may stand for."""
    if "::" not in name:  # as torchgen writes it: aten.add.Tensor, aten.relu.default
        spelled = name.replace(".", "::", 1).removesuffix(".default")
        return f"write '{spelled}'" if spelled in operators else did_you_mean(f"aten::{name}", operators)
    overload = next((full for full in operators if full.startswith(f"{name}.")), None)
    if overload is not None:
        return f"every operator of that name has an overload name; list those you want, such as '{overload}'"
    namespace, _, own = name.rpartition("::")
    namespaces = dict.fromkeys(operator.namespace for operator in operators.values())
    start = f"{namespace if namespace in namespaces else nearest(namespace, namespaces)}::"
    near = nearest(own, [full.removeprefix(start) for full in operators if full.startswith(start)])
    return f"did you mean '{start}{near}'?" if near else None


def unknown_argument(node: Scalar, operator: Operator, arguments: Table[str, Argument], context: Context) -> None:
    """A new argument that the operator does not have."""
    message = f"'{operator}' has no argument '{node.value}'"
    context.error("aoti-unknown-argument", message, node.place, did_you_mean(node.value, arguments))


def repeated_argument(node: Scalar, first: Place, context: Context) -> None:
    """An argument that is new twice."""
    message = f"the argument '{node.value}' is new in one version only"
    context.faults.error("aoti-repeated-argument", message, node.place, related=[Related(first, "first named here")])


def argument_without_default(node: Scalar, argument: Argument, operator: Operator, context: Context) -> None:
    """A new argument for which the versions before have nothing to pass; torchgen passes a null option nonetheless."""
    reason = "it has no default"
    if argument.default is not None:
        reason = f"in PyTorch {context.release.name} only optional arguments can"
    message = f"'{argument.name}' cannot be left out by earlier versions: {reason}"
    related = [Related(operator.argument_place(argument), "the argument")]
    context.faults.error("aoti-argument-without-default", message, node.place, related=related)


def same_function(key: Scalar, shim: Shim, first: Scalar, context: Context) -> None:
    """Two operators that get functions of one name, as operators of different namespaces do."""
    message = f"the functions of '{shim.operator}' have the same names as those of '{first.value}'"
    related = [Related(first.place, "listed here")]
    help = "list one of them, or give one another name"
    context.faults.error("aoti-same-function", message, key.place, help, related)
