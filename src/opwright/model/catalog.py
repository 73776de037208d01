"""The catalog: a native functions file as operators, every rule checked.

In: the source of the file and a `Context`. Out: the operators in file order, faulty entries reported and left out.

    - func: blend(Tensor self, Tensor other) -> Tensor   ->   Operator(aten::blend, kernels={...: blend})

Rules: spec 01 sections 3 to 11; spec 03 sections 1 to 6.
"""

from __future__ import annotations

from opwright.diagnostics import Related, Severity, nearest
from opwright.model.context import Context
from opwright.model.dispatch import (
    ABSENT,
    DEFAULT_NAMESPACE,
    Table,
    key_place,
    read_dispatch,
    redundant_dispatch,
    renamed_default_kernel,
)
from opwright.model.fields import FIELD_NAMES, read_fields
from opwright.model.operators import Kernel, Operator, UfuncLoop, default_kernel_name, is_abstract
from opwright.model.rules.crossing import CROSS_RULES
from opwright.model.rules.names import name_faults
from opwright.model.rules.operators import (
    autogen_namespace,
    autogen_separator,
    check_operator,
    delegate_namespace,
    device_check_word,
    factory_without_dispatch,
    unknown_variant,
)
from opwright.model.rules.schema import schema_faults
from opwright.model.structured import read_precomputed, read_ufunc_loops
from opwright.model.tags import read_tags, with_implied
from opwright.releases.keys import COMPOSITE_IMPLICIT, UFUNC_KEYS, DispatchKey
from opwright.source import Place, Source
from opwright.syntax.names import OperatorName, read_name
from opwright.syntax.parser import SchemaError
from opwright.syntax.records import Record
from opwright.syntax.schema import Schema
from opwright.syntax.types import SyntaxFault
from opwright.syntax.yamltree import Mapping, Node, Scalar, Sequence, describe

DEFAULT_OPERATOR_NAMESPACE = "aten"


def read_catalog(root: Node | None, source: Source, context: Context) -> tuple[Operator, ...]:
    """The operators of a native functions file in file order."""
    if not isinstance(root, Sequence):
        native_not_a_list(root, source, context)
        return ()
    read = [read_entry(node, context) for node in root.items]
    operators = duplicate_operator([operator for operator in read if operator is not None], context)
    for rule in CROSS_RULES:
        rule(operators, context)
    return operators


def native_not_a_list(root: Node | None, source: Source, context: Context) -> None:
    """EN-0: a native functions file that is no list."""
    place = root.place if root else Place(source, 0, 0)
    found = describe(root) if root else "nothing"
    help = "each entry starts with '- func: '"
    context.error("native-not-a-list", f"a native functions file is a list of entries, not {found}", place, help)


def duplicate_operator(operators: list[Operator], context: Context) -> tuple[Operator, ...]:
    """XO-0: a name that an operator has already, in whichever namespace. Returns the operators without repetitions."""
    first: dict[str, Operator] = {}
    for operator in operators:
        known = first.setdefault(operator.name.text, operator)
        if known is not operator:
            message = f"there is an operator '{operator.name.text}' already"
            if known.namespace != operator.namespace:
                message += f", in the namespace '{known.namespace}'; names are shared by all namespaces"
            related = [Related(known.name_place, "first defined here")]
            context.faults.error("duplicate-operator", message, operator.name_place, None, related)
    return tuple(first.values())


def read_entry(node: Node, context: Context) -> Operator | None:
    """One entry as an operator; None when it has faults without which no operator can be made."""
    if not isinstance(node, Mapping):
        entry_not_a_mapping(node, context)
        return None
    record = Record.of(node)
    faults_before = len(context.faults.items)
    operator = _read_operator(record, context)
    if len(context.faults.items) > faults_before:
        mark_faults(record, operator, faults_before, context)
    return operator


def mark_faults(record: Record, operator: Operator | None, before: int, context: Context) -> None:
    """Note that an entry has errors, or cannot be used at all; `before` is the number of older diagnostics."""
    func = record.value("func")
    if operator is None and isinstance(func, Scalar):
        context.mark_faulty(read_name(func.value.partition("(")[0].rpartition("::")[2]))
    elif operator is not None and any(item.severity is Severity.ERROR for item in context.faults.items[before:]):
        context.mark_faulty(operator.name)


def _read_operator(record: Record, context: Context) -> Operator | None:
    """The operator of an entry; None without a schema that can be used."""
    given = record.fields
    fields = read_fields(record, context)
    schema = read_func(record, context)
    structured = fields.structured
    tags = read_tags(record, context) if "tags" in given else _NO_TAGS
    table = read_dispatch(record, structured, context) if "dispatch" in given else ABSENT
    precomputed = read_precomputed(record, structured, context) if "precomputed" in given else None
    loops = read_ufunc_loops(record, structured, context) if "ufunc_inner_loop" in given else _NO_LOOPS
    delegate = None if fields.structured_delegate is None else _delegate(record, fields.structured_delegate, context)
    device_check = device_check_word(record, fields.device_check, context) if "device_check" in given else True
    autogen = _autogen(record, fields.autogen, context) if fields.autogen else ()
    variants = _VARIANTS.get(fields.variants) or _read_variants(record, fields.variants, context)
    if schema is None:
        return None
    kernels = _kernels(record, schema, table, structured, delegate, loops, context)
    namespace = schema.namespace or DEFAULT_OPERATOR_NAMESPACE
    operator = Operator(  # by position, in the order of the class: names would take longer than all that they name
        namespace,
        schema.name,
        schema,
        record,
        *variants,
        kernels,
        with_implied(tags, namespace, schema, context),
        context.keys[COMPOSITE_IMPLICIT] in kernels,
        is_abstract(kernels, delegate),
        schema.tail.is_view or ("inplace_view" in tags and schema.name.text not in context.release.lists.resizing),
        False,  # it is not generated
        structured,
        delegate,
        fields.structured_inherits,
        precomputed,
        loops,
        device_check,
        fields.device_guard,
        fields.python_module,
        fields.category_override,
        autogen,
        frozenset(fields.cpp_no_default_args),
        fields.manual_cpp_binding,
        fields.manual_kernel_registration,
        fields.use_const_ref_for_mutable_tensors,
    )
    check_operator(operator, context)
    return operator


_NO_TAGS: frozenset[str] = frozenset()
_NO_LOOPS: dict[str, UfuncLoop] = {}


def entry_not_a_mapping(node: Node, context: Context) -> None:
    """EN-1: an entry that is no mapping."""
    context.error("entry-not-a-mapping", f"an entry is a mapping with 'func', not {describe(node)}", node.place)


def read_func(record: Record, context: Context) -> Schema | None:
    """The schema of an entry; None when it cannot be used."""
    node = record.value("func")
    if node is None:
        func_missing(record, context)
        return None
    if not isinstance(node, Scalar):
        func_type(record, node, context)
        return None
    try:
        schema = context.parser.parse(node.value)
        faults = schema_faults(schema, context)
    except SchemaError as error:
        faults = error.faults
    if not faults and node.tag is None:
        return schema  # what reads as a schema is a string, unless its tag says otherwise
    if node.kind != "str":
        func_type(record, node, context)
        return None
    for fault in faults:
        report(fault, node, context)
    return None if faults else schema


def report(fault: SyntaxFault, node: Scalar, context: Context) -> None:
    """Report a fault of the text of a scalar, with its related places."""
    related = [Related(node.part(start, stop), message) for start, stop, message in fault.related]
    context.faults.error(fault.code, fault.message, node.part(fault.start, fault.stop), fault.help, related)


def func_missing(record: Record, context: Context) -> None:
    """EN-3: an entry without a schema; a misspelled `func` has been reported as an unknown field."""
    if any(name not in FIELD_NAMES and nearest(name, FIELD_NAMES) == "func" for name in record.fields):
        return
    context.error("func-missing", "this entry has no 'func' with the operator's schema", record.start)


def func_type(record: Record, node: Node, context: Context) -> None:
    """EN-3: a schema that is no string."""
    message = f"'func' must be a schema, not {describe(node)}"
    context.error("func-type", message, record.place("func"), "a schema looks like 'name(Tensor self) -> Tensor'")


def _delegate(record: Record, text: str, context: Context) -> OperatorName | None:
    if "::" in text:
        delegate_namespace(record, text, context)
        return None
    node = record.value("structured_delegate")
    return _name(text, 0, node, context) if isinstance(node, Scalar) else None


def _autogen(record: Record, text: str, context: Context) -> tuple[OperatorName, ...]:
    node = record.value("autogen")
    if not isinstance(node, Scalar):
        return ()
    names, at = [], 0
    for word in text.split(", "):
        name = None
        if "," in word:
            autogen_separator(node, at, word, context)
        elif "::" in word:
            autogen_namespace(node, at, word, context)
        else:
            name = _name(word, at, node, context)
        if name is not None:
            names.append(name)
        at += len(word) + len(", ")
    return tuple(names)


def _name(text: str, at: int, node: Scalar, context: Context) -> OperatorName | None:
    """The operator name that stands at offset `at` of a scalar; None and diagnostics when it is none."""
    name = read_name(text)
    faults = name_faults(name, text)
    for fault in faults:
        place = node.part(at + fault.start, at + fault.stop)
        context.error(fault.code, fault.message, place, fault.help)
    return None if faults else name


def _kernels(
    record: Record,
    schema: Schema,
    table: Table,
    structured: bool,
    delegate: OperatorName | None,
    loops: dict[str, UfuncLoop],
    context: Context,
) -> dict[DispatchKey, Kernel]:
    """The operator's own dispatch table, with what is implied when none is given (spec 01 section 5)."""
    kernels = table.kernels
    default = default_kernel_name(schema)
    keys = context.keys
    if table.is_given:
        if not redundant_dispatch(table, record, default, context) and delegate is None:
            renamed_default_kernel(table, record, default, context)
    elif not structured and delegate is None and not record.has("structured_delegate"):
        factory_without_dispatch(record, schema, context)
        kernels = {keys[COMPOSITE_IMPLICIT]: Kernel(default, DEFAULT_NAMESPACE, False)}
    for key in UFUNC_KEYS if loops else ():
        if keys[key] in kernels:
            ufunc_explicit_kernel(key_place(record, key), key, context)
        kernels = {**kernels, keys[key]: Kernel(f"ufunc_{schema.name.base}_{key}", DEFAULT_NAMESPACE, True)}
    return kernels


def ufunc_explicit_kernel(place: Place, key: str, context: Context) -> None:
    """UF-3: a kernel under a key for which the inner loops make one."""
    message = f"the kernel of '{key}' is made from 'ufunc_inner_loop'"
    context.error("ufunc-explicit-kernel", message, place, "remove this dispatch key")


def _read_variants(record: Record, text: str, context: Context) -> tuple[bool, bool]:
    """Whether an operator is a function, and a method, by the words of `variants`; unknown ones are reported."""
    words = text.split(", ")
    node, at = record.value("variants"), 0
    for word in words:
        if word not in ("function", "method") and isinstance(node, Scalar):
            unknown_variant(node, at, word, context)
        at += len(word) + len(", ")
    return "function" in words, "method" in words


#: What the texts of `variants` say that nearly all entries have.
_VARIANTS = {
    "function": (True, False),
    "method": (False, True),
    "function, method": (True, True),
    "method, function": (True, True),
}
