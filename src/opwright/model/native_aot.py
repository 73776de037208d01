"""Declarations of kernels that are compiled ahead of time: `<folder>/<name>/aot.py`, read and never run.

In: the text of such a module. Out: the operators that it declares, each with the dispatch key of its kernels. A module
is one declaration, or a family: its function `declarations` returns a list of objects that are one each.

    ATEN_OP = "topk"; DISPATCH_KEY = "CUDA"; ...  ->  Declaration("topk", "CUDA", unconditional=False)

What the generator needs must be in the text. What other programs make of a module is checked as far as the text shows.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from opwright.diagnostics import Diagnostics, did_you_mean, nearest
from opwright.source import Place, Source
from opwright.syntax.pymodule import (
    Bound,
    PythonModule,
    Scope,
    literals,
    parameters,
    read_python,
    returned_items,
)
from opwright.values import Value

OPERATOR, KEY, UNCONDITIONAL, ARCHITECTURES = "ATEN_OP", "DISPATCH_KEY", "UNCONDITIONAL", "ARCHS"
FAMILY = "declarations"
#: The texts that every declaration has, each with an example.
TEXTS = {OPERATOR: "topk", KEY: "CUDA", "KERNEL_MODULE": "kernels.py"}
#: The functions of a declaration and the arguments that they are called with; None for those of the operator.
FUNCTIONS: dict[str, tuple[str, ...] | None] = {
    "kernel_precompile_grid": (),
    "covered_axes": None,
    "cpp_dispatch": ("spec",),
    "cpp_launch": ("spec", "launch_fn"),
}
OPTIONAL_FUNCTIONS: dict[str, tuple[str, ...] | None] = {
    "cpp_dispatch_prelude": (),
    "cpp_helpers": (),
    "cpp_covers": (),
}
ALL_FUNCTIONS = {**FUNCTIONS, **OPTIONAL_FUNCTIONS}
REQUIRED = (*TEXTS, *FUNCTIONS)
OPTIONAL = (UNCONDITIONAL, ARCHITECTURES, *OPTIONAL_FUNCTIONS)
KNOWN_ARCHITECTURES = ("sm_90", "sm_90a", "sm_100", "sm_100a", "sm_103", "sm_103a")
_ARCHITECTURE = re.compile(r"sm_([1-9][0-9]?)[0-9]a?")
#: The generations of devices that an architecture can name.
_GENERATIONS = range(3, 13)
#: Methods that may give an object other attributes than its class has.
_MAKERS = frozenset({"__init__", "__new__", "__getattr__", "__getattribute__"})


class Literal(Value):
    """A text as a module has it."""

    text: str
    place: Place


class Declaration(Value):
    """A declared operator: its name, the dispatch key of its kernels, and whether users cannot switch these off."""

    operator: Literal
    key: Literal
    unconditional: bool


def read_declarations(source: Source, faults: Diagnostics) -> list[Declaration]:
    """What a module declares; declarations with errors are missing."""
    module = read_python(source, faults, code="aot-syntax")
    return list(_Reader(module, faults).declarations()) if module else []


class _Reader:
    """Reads one module."""

    def __init__(self, module: PythonModule, faults: Diagnostics) -> None:
        self.module = module
        self.faults = faults

    def declarations(self) -> Iterator[Declaration]:
        scope = self.module.scope
        family = scope.find(FAMILY)
        members = [(scope, False)] if family is None else [(one, True) for one in self.members(family, scope)]
        for member, is_object in members:
            declaration = self.declaration(member, is_object)
            if declaration is not None:
                yield declaration

    def members(self, family: Bound, scope: Scope) -> Iterator[Scope]:
        """The names that each object of a family has."""
        items = returned_items(family.value)
        if items is None:
            computed(FAMILY, family.place, self.faults, _FAMILY_HELP)
        elif not items:
            self.faults.error("aot-value-type", f"'{FAMILY}' must return at least one declaration", family.place)
        for item in items or ():
            called = item.func if isinstance(item, ast.Call) and not item.args and not item.keywords else None
            found = self.class_names(called, scope, len(self.module.source.text))
            if found is None:
                computed(FAMILY, self.module.place(item), self.faults, _FAMILY_HELP)
            else:
                yield found

    def class_names(self, node: ast.expr | None, scope: Scope, before: int) -> Scope | None:
        """What objects of a class have, those of its base too; None when the text does not show it.

        It must stand before `before`, as a base does before its class.
        """
        bound = scope.find(node.id) if isinstance(node, ast.Name) else None
        if bound is None or not isinstance(bound.value, ast.ClassDef):
            return None
        own = self.module.scope_of(bound.value.body, bound.place)
        bases = [base for base in bound.value.bases if not isinstance(base, ast.Name) or base.id != "object"]
        is_plain = not bound.value.decorator_list and not bound.value.keywords and _MAKERS.isdisjoint(own.names)
        if not is_plain or len(bases) > 1 or bound.place.start >= before:
            return None
        inherited = self.class_names(bases[0], scope, bound.place.start) if bases else own
        return inherited and Scope(own.place, {**inherited.names, **own.names})

    def declaration(self, scope: Scope, is_object: bool) -> Declaration | None:
        """The declaration that some names make up; None when it is not known what is declared."""
        absent = [name for name in REQUIRED if scope.find(name) is None]
        if absent:
            missing(absent, scope, self.faults, is_object)
        texts = {name: self.text(name, scope) for name in TEXTS}
        unconditional = self.switch(UNCONDITIONAL, scope)
        for name, arguments in ALL_FUNCTIONS.items():
            self.function(name, arguments, scope, is_object)
        self.architectures(scope)
        misspelt_names(scope, self.faults)
        operator, key = texts[OPERATOR], texts[KEY]
        if operator is None or key is None or unconditional is None:
            return None
        return Declaration(operator, key, unconditional)

    def text(self, name: str, scope: Scope) -> Literal | None:
        """The text that a name stands for."""
        bound = scope.find(name)
        if bound is None:
            return None
        if not isinstance(bound.value, ast.Constant):
            if name in (OPERATOR, KEY):  # of other texts it is enough that they are there
                computed(name, bound.place, self.faults, f"write the text itself, such as {_form(name)}")
        elif not isinstance(bound.value.value, str):
            value_type(name, "a string", bound, self.faults)
        else:
            return Literal(bound.value.value, bound.place)
        return None

    def switch(self, name: str, scope: Scope) -> bool | None:
        """Whether a switch is on; None when that does not show."""
        bound = scope.find(name)
        if bound is None:
            return False
        if not isinstance(bound.value, ast.Constant):
            computed(name, bound.place, self.faults, f"write {name} = True or {name} = False")
        elif not isinstance(bound.value.value, bool):
            value_type(name, "True or False", bound, self.faults)
        else:
            return bound.value.value
        return None

    def function(self, name: str, arguments: tuple[str, ...] | None, scope: Scope, is_object: bool) -> None:
        """Check that a function is there, and that it takes what it will be given."""
        bound = scope.find(name)
        if bound is None:
            return
        if isinstance(bound.value, ast.Constant):
            if name in FUNCTIONS or bound.value.value is not None:
                value_type(name, "a function", bound, self.faults)
        elif isinstance(bound.value, (ast.FunctionDef, ast.AsyncFunctionDef)) and not bound.value.decorator_list:
            taken = parameters(bound.value)[is_object:]
            if arguments is not None and len(taken) != len(arguments):
                function_parameters(name, arguments, taken, bound, self.faults, is_object)

    def architectures(self, scope: Scope) -> None:
        """Check the architectures that kernels are for."""
        bound = scope.find(ARCHITECTURES)
        if bound is None or not isinstance(bound.value, ast.expr):
            return
        items = literals(bound.value)
        if isinstance(bound.value, ast.Constant) or items == []:
            value_type(ARCHITECTURES, "a tuple of architectures such as ('sm_90a',)", bound, self.faults)
        for item in items or ():
            if not isinstance(item.value, str) or not _is_architecture(item.value):
                unknown_architecture(item, self.module.place(item), self.faults)


_FAMILY_HELP = f"let '{FAMILY}' return a list of objects such as [One(), Other()], or give each operator its own aot.py"


def _is_architecture(text: str) -> bool:
    found = _ARCHITECTURE.fullmatch(text)
    return found is not None and int(found[1]) in _GENERATIONS


def _form(name: str, is_object: bool = False) -> str:
    """How a part of a declaration is written."""
    if name in TEXTS:
        return f'{name} = "{TEXTS[name]}"'
    arguments = ALL_FUNCTIONS[name]
    return f"def {name}({', '.join((*(['self'] * is_object), *(['...'] if arguments is None else arguments)))})"


# Rules


def missing(absent: list[str], scope: Scope, faults: Diagnostics, is_object: bool) -> None:
    """Names that every declaration has; one diagnostic for all that are not there."""
    others = [name for name in scope.own_names() if name not in (*REQUIRED, *OPTIONAL)]
    near = [(found, name) for name in absent if (found := nearest(name, others)) is not None]
    help = f"write {', '.join(_form(name, is_object) for name in absent)}"
    if near:
        help = f"rename '{near[0][0]}' if it is meant to be '{near[0][1]}'"
    named = ", ".join(f"'{name}'" for name in absent)
    faults.error("aot-missing-name", f"the declaration has no {named}", scope.place, help)


def computed(name: str, place: Place, faults: Diagnostics, help: str) -> None:
    """A name whose value shows only when the module is run."""
    message = f"what '{name}' is cannot be read from the text, and the module is not run"
    faults.error("aot-computed", message, place, help)


def value_type(name: str, wanted: str, bound: Bound, faults: Diagnostics) -> None:
    """A literal of the wrong type."""
    faults.error("aot-value-type", f"'{name}' must be {wanted}, not {bound.place.text}", bound.place)


def function_parameters(
    name: str, arguments: tuple[str, ...], taken: list[str], bound: Bound, faults: Diagnostics, is_object: bool
) -> None:
    """A function that does not take what it is called with."""
    count = f"{len(arguments)} argument{'s' if len(arguments) != 1 else ''}"
    message = f"'{name}' is called with {count}, but takes {len(taken)}"
    help = f"write {_form(name, is_object)}"
    faults.error("aot-function-parameters", message, bound.place, help)


def unknown_architecture(node: ast.Constant, place: Place, faults: Diagnostics) -> None:
    """What no device is called."""
    message = f"{node.value!r} is not an architecture, which is a string such as 'sm_90a'"
    faults.error("aot-architecture", message, place, did_you_mean(str(node.value), KNOWN_ARCHITECTURES))


def misspelt_names(scope: Scope, faults: Diagnostics) -> None:
    """Names that are almost those of optional parts, which are then not there."""
    from difflib import get_close_matches

    absent = [name for name in OPTIONAL if scope.find(name) is None]
    for name in scope.own_names():
        near = get_close_matches(name, absent, 1, 0.85)
        if near and not name.startswith("_") and name not in (*REQUIRED, *OPTIONAL):
            place = scope.names[name].name_place
            faults.warning("aot-misspelt-name", f"'{name}' has no meaning here", place, f"did you mean '{near[0]}'?")
