"""The kernels that the author of a backend has written: which are missing, and which take other arguments.

In: the functions that a backend declares, and C++ files or folders. Out: diagnostics, each at the operator in the
backend file, and skeletons of what is missing.

    abs is listed, no file defines K::abs  ->  error[backend-kernel-missing] at 'abs'

Rules: spec 11 section 3. torchgen counts names; here comments, strings, calls and declarations do not count, and the
types of parameters do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from opwright.artifacts.backend_declarations import Function
from opwright.cpp.definitions import Definition, Type, definitions, may_be, normal
from opwright.cpp.tokens import tokenize
from opwright.diagnostics import Diagnostics, Related
from opwright.inputs import Inputs
from opwright.model.backend import Backend
from opwright.source import Place, Source, UnreadableError
from opwright.values import Value


class Written(Value):
    """A definition in one of the author's files."""

    source: Source
    definition: Definition

    @property
    def place(self) -> Place:
        """The line on which it starts."""
        starts = self.source.line_starts()
        start = starts[self.definition.line - 1]
        end = self.source.text.find("\n", start)
        return Place(self.source, start, end if end > start else len(self.source.text))


def read_kernels(
    paths: Iterable[Path], functions: Sequence[Function], faults: Diagnostics, inputs: Inputs
) -> list[Written]:
    """The definitions of functions of the classes that `functions` belong to, in files and folders.

    `inputs` reads them.
    """
    classes = {_class_of(one) for one in functions}
    found: list[Written] = []
    for path in paths:
        for file in _files(path, inputs):
            try:
                source = inputs.read(file)
            except UnreadableError as error:
                faults.file_error("unreadable-file", error.message, error.path)
                continue
            if any(name in source.text for name in classes) or "TORCH_IMPL_FUNC" in source.text:
                found += [Written(source, one) for one in definitions(source.text, classes)]
    return found


def _files(path: Path, inputs: Inputs) -> list[Path]:
    """The file, or the C++ files in a folder."""
    if not inputs.look("is_folder", path):
        return [path]
    return [Path(name) for name in inputs.names("cpp_files", path)]


def _class_of(function: Function) -> str:
    return function.scope.rpartition("::")[2]


def missing_kernels(
    functions: Sequence[Function], written: Sequence[Written], backend: Backend, faults: Diagnostics
) -> list[Function]:
    """The functions that no definition is for; those with other parameters are reported, and so is what is too much."""
    missing: list[Function] = []
    wanted: dict[tuple[str, str], list[Function]] = {}
    for one in functions:
        wanted.setdefault((_class_of(one), one.name), []).append(one)
    for (scope, name), group in wanted.items():
        own = [one for one in written if (one.definition.scope, one.definition.name) == (scope, name)]
        left = [one for one in group if not _take(one, own)]
        for function in left:
            if own:
                kernel_signature(function, own.pop(0), backend, faults)
            else:
                missing.append(function)
        for definition in own:
            kernel_surplus(group, definition, backend, faults)
    return missing


def _take(function: Function, written: list[Written]) -> bool:
    """Take the definition of a function out of the list of those that are left."""
    types = _types(function)
    found = next((one for one in written if one.definition.takes(types)), None)
    if found is not None:
        written.remove(found)
    return found is not None


def _types(function: Function) -> list[Type]:
    return [normal(tokenize(binding.type.text)) for binding in function.bindings]


# What is wrong


def kernel_missing(function: Function, backend: Backend, faults: Diagnostics) -> None:
    """An operator without a kernel."""
    message = f"'{function.operator.name.text}' has no kernel: '{_class_of(function)}::{function.name}' is not defined"
    help = f"define '{function.declaration}', or let --write-stubs write a skeleton of it"
    faults.error("backend-kernel-missing", message, _place(function, backend), help)


def kernel_signature(function: Function, written: Written, backend: Backend, faults: Diagnostics) -> None:
    """A kernel that takes other arguments than are declared."""
    name = f"{_class_of(function)}::{function.name}"
    have, want = written.definition.parameters, _types(function)
    if len(have) != len(want):
        reason = f"it has {len(have)} parameters, not {len(want)}"
    else:
        at = next(index for index in range(len(want)) if not may_be(have[index], want[index]))
        reason = f"parameter '{function.bindings[at].name}' must be '{function.bindings[at].type}'"
    message = f"'{name}' takes other arguments than the kernel of '{function.operator.name.text}' must: {reason}"
    help = f"it is declared as '{function.declaration}'"
    if "SymInt" in reason or any("SymInt" in word for type in have for word in type):
        help += "; 'symint' lists the operators whose kernels take SymInt"
    related = [Related(written.place, "defined here")]
    faults.error("backend-kernel-signature", message, _place(function, backend), help, related)


def kernel_surplus(functions: Sequence[Function], written: Written, backend: Backend, faults: Diagnostics) -> None:
    """A definition of a function of the class that is not declared."""
    first = functions[0]
    message = f"'{_class_of(first)}::{first.name}' is defined for arguments that no listed operator takes"
    declared = ", ".join([f"'{one.declaration}'" for one in functions])
    help = f"list the operator that it is for; declared is {declared}"
    related = [Related(_place(first, backend), "an operator with a kernel of that name")]
    faults.error("backend-kernel-surplus", message, written.place, help, related)


def _place(function: Function, backend: Backend) -> Place:
    return backend.items[function.operator].name.place


# Skeletons


def skeletons(functions: Sequence[Function], backend: Backend, include: str) -> str:
    """Definitions of kernels that only say that they are not written; `include` includes their declarations."""
    by_namespace: dict[str, list[str]] = {}
    for one in functions:
        by_namespace.setdefault(one.scope.rpartition("::")[0], []).append(_skeleton(one))
    blocks = [
        f"namespace {namespace} {{\n\n{''.join(texts)}}} // namespace {namespace}\n"
        for namespace, texts in by_namespace.items()
    ]
    text = "".join(blocks)
    lists = "#include <ATen/core/IListRef.h>\n" if "ListRef" in text else ""
    return f"""// Kernels for {backend.key.name} that are still to be written, made by opwright from {backend.file}.
// This file is yours: it is never overwritten.

{include}
{lists}
{text}"""


def _skeleton(function: Function) -> str:
    name = f"{_class_of(function)}::{function.name}"
    return f"""{function.returns} {name}({function.parameters}) {{
  TORCH_CHECK_NOT_IMPLEMENTED(false, "{function.operator.name.text}: the kernel {name} is not written yet");
}}

"""
