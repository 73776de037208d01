"""The dispatch table of an entry.

In: the `dispatch` field. Out: its kernels by dispatch key, in file order, and the rows they come from.

    dispatch: {"CPU, CUDA": blend_out}  ->  {CPU: Kernel("blend_out"), CUDA: Kernel("blend_out")}

Rules: spec 03 section 4 (DI) and spec 01 section 5.
"""

from __future__ import annotations

from collections.abc import Sequence

from opwright.diagnostics import Related, did_you_mean
from opwright.model.context import Context
from opwright.model.operators import Kernel
from opwright.model.rules.names import CPP_KEYWORDS, is_cpp_name
from opwright.releases.history import first_with, when_known
from opwright.releases.keys import COMPOSITE_IMPLICIT, DispatchKey
from opwright.source import Place
from opwright.syntax.records import Record
from opwright.syntax.yamltree import Mapping, Scalar, describe, shown_place
from opwright.values import Value, made

DEFAULT_NAMESPACE = "at::native"
#: Levels of namespace that a kernel may have in front of its name.
MAX_NAMESPACES = 3


class Table(Value, frozen=False):
    """A dispatch table: its `kernels`, and for every key named, ignored ones too, the nodes of its row."""

    kernels: dict[DispatchKey, Kernel] = made(default_factory=dict)
    rows: dict[DispatchKey, tuple[Scalar, Scalar]] = made(default_factory=dict)
    is_given: bool = True


def read_dispatch(record: Record, structured: bool, context: Context) -> Table:
    """Read the `dispatch` field; an absent one gives an empty table with `is_given` false."""
    table = Table()
    if not record.has("dispatch"):
        table.is_given = False
        return table
    node = record.value("dispatch")
    if not isinstance(node, Mapping):
        dispatch_type(record, context)
        return table
    for key, value in node.fields.values():
        if key.value not in context.key_lists and key.kind != "str":
            dispatch_key_type(key, context)
        elif not isinstance(value, Scalar) or value.kind != "str":
            kernel_type(key, describe(value), shown_place(value, key.place), context)
        else:
            _read_row(table, key, value, structured, context)
    return table


def _read_row(table: Table, key: Scalar, value: Scalar, structured: bool, context: Context) -> None:
    namespace, name = _read_kernel(value, context)
    found = context.key_lists.get(key.value) or _read_keys(key, context)
    if not table.rows.keys().isdisjoint(found):
        found = _without_repeated(table, found, key, context)
    table.rows.update(dict.fromkeys(found, (key, value)))
    kept = [one for one in found if not context.is_ignored(one)] if context.may_ignore(found) else found
    table.kernels.update(dict.fromkeys(kept, Kernel(name, namespace, False)))
    if structured:
        table.kernels.update({one: Kernel(name, namespace, True) for one in kept if one.is_structured})


def _without_repeated(table: Table, found: Sequence[DispatchKey], key: Scalar, context: Context) -> list[DispatchKey]:
    """Report the keys that have a kernel already, and give the others."""
    for one in found:
        if one in table.rows:
            first = table.rows[one][0]
            repeated_dispatch_key(one, word_place(key, one.name), word_place(first, one.name), context)
    return [one for one in found if one not in table.rows]


def _read_keys(key: Scalar, context: Context) -> list[DispatchKey]:
    """The dispatch keys of a comma list; a list without faults is remembered."""
    found: list[DispatchKey] = []
    words = _words(key.value)
    for start, text in words:
        place = key.part(start, start + max(len(text), 1))
        one = _checked_key(text, place, context)
        if one is not None and one in found:
            repeated_dispatch_key(one, place, word_place(key, one.name), context)
        elif one is not None:
            found.append(one)
    if len(found) == len(words):
        context.key_lists[key.value] = tuple(found)
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


def _checked_key(text: str, place: Place, context: Context) -> DispatchKey | None:
    """The key called `text` if it may stand here; otherwise None and a diagnostic."""
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


def redundant_dispatch(table: Table, default: str, context: Context) -> bool:
    """DI-9: a table that says what holds without it."""
    key = _only_key(table)
    if key is None or key not in table.kernels or table.rows[key][1].value != default:
        return False
    message = f"this table says what holds without it: '{default}' is the default kernel"
    place = word_place(table.rows[key][0], key.name)
    context.error("redundant-dispatch", message, place, "remove the field 'dispatch'")
    return True


def renamed_default_kernel(table: Table, default: str, has_delegate: bool, context: Context) -> None:
    """DI-10: a table whose only use is to give the default kernel another name."""
    key = _only_key(table)
    kernel = table.kernels.get(key) if key else None
    if key is None or kernel is None or kernel.has_symint or has_delegate:
        return
    message = f"this table only renames the default kernel '{default}' to '{table.rows[key][1].value}'"
    help = f"call the kernel '{default}' and remove the field 'dispatch'"
    context.error("renamed-default-kernel", message, table.rows[key][1].place, help)


def _only_key(table: Table) -> DispatchKey | None:
    """CompositeImplicitAutograd if it is the one key that the table names."""
    if len(table.rows) != 1:
        return None
    key = next(iter(table.rows))
    return key if key.name == COMPOSITE_IMPLICIT else None
