"""The dispatch table of an entry.

In: the `dispatch` field. Out: its kernels by dispatch key, in file order, and the rows they come from.

    dispatch: {"CPU, CUDA": blend_out}  ->  {CPU: Kernel("blend_out"), CUDA: Kernel("blend_out")}

Rules: spec 03 section 4 (DI) and spec 01 section 5.
"""

from __future__ import annotations

from opwright.diagnostics import Related, did_you_mean
from opwright.model.context import Context, Layout
from opwright.model.fields import is_string
from opwright.model.operators import Kernel
from opwright.model.rules.names import CPP_KEYWORDS, is_cpp_name
from opwright.releases.history import first_with, when_known
from opwright.releases.keys import COMPOSITE_IMPLICIT, DispatchKey
from opwright.source import Place
from opwright.syntax.records import Record
from opwright.syntax.yamltree import Mapping, Scalar, describe, shown_place
from opwright.values import Value

DEFAULT_NAMESPACE = "at::native"
#: Levels of namespace that a kernel may have in front of its name.
MAX_NAMESPACES = 3


class Table(Value):
    """A dispatch table: its `kernels`, and every key that it names, ignored ones too."""

    kernels: dict[DispatchKey, Kernel]
    named: tuple[DispatchKey, ...] = ()
    is_given: bool = True


#: What an entry without a dispatch table has.
ABSENT = Table({}, is_given=False)


def read_dispatch(record: Record, structured: bool, context: Context) -> Table:
    """Read the `dispatch` field; one without content is `ABSENT`."""
    node = record.value("dispatch")
    if not isinstance(node, Mapping):
        if not record.has("dispatch"):
            return ABSENT
        dispatch_type(record, context)
        return Table({})
    layout = context.layouts.get(tuple(node.fields))
    if layout is None or not all([is_string(value) for _, value in node.fields.values()]):
        layout = _read_layout(node, context)
    kernels: dict[DispatchKey, Kernel] = {}
    for keys, (_, value) in zip(layout.rows, node.fields.values(), strict=True):
        if keys is not None and isinstance(value, Scalar):
            namespace, name = _read_kernel(value, context)
            kernel = Kernel(name, namespace, False)
            for one in keys:
                kernels[one] = Kernel(name, namespace, True) if structured and one.is_structured else kernel
    return Table(kernels, layout.named)


def _read_layout(node: Mapping, context: Context) -> Layout:
    """The dispatch keys of a table; that of one without faults is remembered by what the keys of the mapping say."""
    before = len(context.faults.items)
    rows: list[tuple[DispatchKey, ...] | None] = []
    first: dict[DispatchKey, Scalar] = {}
    for key, value in node.fields.values():
        if key.kind != "str":
            dispatch_key_type(key, context)
            rows.append(None)
        elif not is_string(value):
            kernel_type(key, describe(value), shown_place(value, key.place), context)
            rows.append(None)
        else:
            found = _new_keys(key, first, context)
            first.update(dict.fromkeys(found, key))
            rows.append(tuple([one for one in found if not context.is_ignored(one)]))
    layout = Layout(tuple(rows), tuple(first))
    if len(context.faults.items) == before:
        context.layouts[tuple(node.fields)] = layout
    return layout


def _new_keys(key: Scalar, first: dict[DispatchKey, Scalar], context: Context) -> list[DispatchKey]:
    """The keys of a comma list that are not among the `first`, which the rows before it name."""
    found = context.key_lists.get(key.value) or _read_keys(key, context)
    if first.keys().isdisjoint(found):
        return found
    for one in found:
        if one in first:
            repeated_dispatch_key(one, word_place(key, one.name), word_place(first[one], one.name), context)
    return [one for one in found if one not in first]


def _read_keys(key: Scalar, context: Context) -> list[DispatchKey]:
    """The dispatch keys of a comma list; a list without faults is remembered."""
    found: list[DispatchKey] = []
    words = _words(key.value)
    for start, text in words:
        one = context.keys.get(text)
        if one is None or not one.is_supported:
            one = _judged_key(text, key.part(start, start + max(len(text), 1)), context)
        if one is not None and one in found:
            repeated_dispatch_key(one, key.part(start, start + len(text)), word_place(key, one.name), context)
        elif one is not None:
            found.append(one)
    if len(found) == len(words):
        context.key_lists[key.value] = found
    return found


def _words(keys: str) -> list[tuple[int, str]]:
    """The words of a comma list with their offsets; an empty word has the offset of a comma beside it."""
    words, at = [], 0
    for word in keys.split(","):
        text = word.strip()
        start = at + len(word) - len(word.lstrip()) if text else min(at + len(word), keys.rfind(","))
        words.append((max(start, 0), text))
        at += len(word) + 1
    return words


def word_place(keys: Scalar, name: str) -> Place:
    """The place of a dispatch key in the comma list that names it."""
    start = next((start for start, text in _words(keys.value) if text == name), None)
    return keys.place if start is None else keys.part(start, start + len(name))


def key_place(record: Record, name: str) -> Place:
    """The place where the dispatch table of an entry names a key."""
    row = _row(record, name)
    return word_place(row[0], name) if row else record.place("dispatch")


def kernel_place(record: Record, name: str) -> Place:
    """The place of the kernel that the dispatch table of an entry gives for a key."""
    row = _row(record, name)
    return row[1].place if row else record.place("dispatch")


def _row(record: Record, name: str) -> tuple[Scalar, Scalar] | None:
    node = record.value("dispatch")
    for key, value in node.fields.values() if isinstance(node, Mapping) else ():
        if isinstance(value, Scalar) and any(text == name for _, text in _words(key.value)):
            return key, value
    return None


def _judged_key(text: str, place: Place, context: Context) -> DispatchKey | None:
    """The key called `text`, also by another name, if it may stand here; otherwise None and a diagnostic."""
    if not text:
        empty_dispatch_key(place, context)
        return None
    found = context.release.keys.get(context.release.key_aliases.get(text, text))
    if found is None:
        unknown_dispatch_key(text, place, context)
        return None
    if not found.is_supported and not context.is_ignored(found):
        unsupported_dispatch_key(text, place, context)
        return None
    return found


def _read_kernel(value: Scalar, context: Context) -> tuple[str, str]:
    """The C++ namespace and the name of a kernel."""
    text = value.value
    if is_cpp_name(text):
        return DEFAULT_NAMESPACE, text
    *levels, name = text.split("::")
    at = 0
    for part in (*levels, name):
        if not is_cpp_name(part):
            kernel_name(value, at, part, context)
            break
        at += len(part) + len("::")
    if len(levels) > MAX_NAMESPACES:
        kernel_namespace_depth(value, context)
    elif levels and levels[-1] == "native":
        kernel_namespace_native(value, context)
    return ("::".join([*levels, "native"]) if levels else DEFAULT_NAMESPACE), name


def dispatch_type(record: Record, context: Context) -> None:
    """DI-1: `dispatch` that is no mapping."""
    node = record.value("dispatch")
    assert node is not None
    help = "write one line per dispatch key, such as 'CPU: my_kernel'"
    message = f"'dispatch' must be a mapping from dispatch keys to kernels, not {describe(node)}"
    context.error("dispatch-type", message, record.place("dispatch"), help)


def dispatch_key_type(key: Scalar, context: Context) -> None:
    """DI-3: a key that is no string."""
    context.error("dispatch-key-type", f"a dispatch key must be a string, not {describe(key)}", key.place)


def empty_dispatch_key(place: Place, context: Context) -> None:
    """DI-4: an empty word in a list of keys."""
    context.error("empty-dispatch-key", "a dispatch key is missing beside this comma", place)


def kernel_type(key: Scalar, found: str, place: Place, context: Context) -> None:
    """DI-5: a kernel that is no string."""
    context.error("kernel-type", f"the kernel of '{key.value}' must be a name, not {found}", place)


def unknown_dispatch_key(text: str, place: Place, context: Context) -> None:
    """DI-6: a name that is no dispatch key."""
    release = context.release
    supported = [name for name, key in release.keys.items() if key.is_supported]
    hint = (
        when_known(lambda other: text in other.keys, release.name)
        or did_you_mean(text, supported)
        or did_you_mean(text, release.keys)
    )
    message = f"'{text}' is not a dispatch key of PyTorch {release.name}"
    context.error("unknown-dispatch-key", message, place, hint)


def unsupported_dispatch_key(text: str, place: Place, context: Context) -> None:
    """DI-7: a dispatch key under which no kernels are generated."""
    message = f"'{text}' is a dispatch key, but kernels cannot be listed under it"
    help = "a backend outside PyTorch lists its operators in a backend YAML instead"
    since = first_with(lambda other: text in other.supported)
    if since is not None:
        help = f"they can since PyTorch {since}"
    context.error("unsupported-dispatch-key", message, place, help)


def repeated_dispatch_key(key: DispatchKey, place: Place, first: Place, context: Context) -> None:
    """A key that the table names already; torchgen keeps the last kernel without a word."""
    message = f"the dispatch key '{key.name}' is named twice"
    context.faults.error("repeated-dispatch-key", message, place, None, [Related(first, "first named here")])


def kernel_namespace_depth(value: Scalar, context: Context) -> None:
    """DI-8: more levels of namespace than a kernel may have."""
    namespace = value.value.rpartition("::")[0]
    levels = namespace.count("::") + 1
    message = f"the namespace '{namespace}' has {levels} levels; a kernel's namespace has {MAX_NAMESPACES} at most"
    context.error("kernel-namespace-depth", message, value.part(0, len(namespace)))


def kernel_name(value: Scalar, at: int, part: str, context: Context) -> None:
    """A kernel that C++ cannot name; torchgen passes it on to the compiler."""
    place = value.part(at, at + len(part)) if part else value.place
    if part in CPP_KEYWORDS:
        message = f"'{part}' is a keyword of C++ and cannot name a kernel or a namespace"
    else:
        message = f"'{part}' is not a C++ name" if part else f"a name is missing in '{value.value}'"
    context.error("kernel-name", message, place)


def kernel_namespace_native(value: Scalar, context: Context) -> None:
    """A namespace that ends in `native`, which is added in any case."""
    namespace, _, name = value.value.rpartition("::")
    message = f"'::native' is added to a kernel's namespace, so this kernel is looked for in '{namespace}::native'"
    outer = namespace.rpartition("::")[0]
    short = name if outer in ("", "at") else f"{outer}::{name}"
    context.warning("kernel-namespace-native", message, value.part(0, len(namespace)), f"write '{short}'")


def redundant_dispatch(table: Table, record: Record, default: str, context: Context) -> bool:
    """DI-9: a table that says what holds without it."""
    row = _only_row(table, record)
    if row is None or row[1].value != default:
        return False
    message = f"this table says what holds without it: '{default}' is the default kernel"
    context.error("redundant-dispatch", message, key_place(record, COMPOSITE_IMPLICIT), "remove the field 'dispatch'")
    return True


def renamed_default_kernel(table: Table, record: Record, default: str, context: Context) -> None:
    """DI-10: a table whose only use is to give the default kernel another name."""
    row = _only_row(table, record)
    if row is None or any(kernel.has_symint for kernel in table.kernels.values()):
        return
    message = f"this table only renames the default kernel '{default}' to '{row[1].value}'"
    help = f"call the kernel '{default}' and remove the field 'dispatch'"
    context.error("renamed-default-kernel", message, row[1].place, help)


def _only_row(table: Table, record: Record) -> tuple[Scalar, Scalar] | None:
    """The row of CompositeImplicitAutograd if that is the one key that the table names, and has a kernel."""
    if len(table.named) != 1 or table.named[0].name != COMPOSITE_IMPLICIT or not table.kernels:
        return None
    return _row(record, COMPOSITE_IMPLICIT)
