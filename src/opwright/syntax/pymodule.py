"""Python modules as text: what the names in them stand for, as far as that shows without running anything.

In: the source of a module. Out: scopes, of the module and of the classes in it, which give for a name the statement
that binds it last.

    ATEN_OP = "topk"  ->  scope.find("ATEN_OP").value  is the literal "topk"

A scope knows plain assignments, functions and classes. Of a name that anything else binds (an import, a loop, a
branch), it only knows that it is bound.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence

from opwright.diagnostics import Diagnostics
from opwright.source import Place, Source
from opwright.values import Value, made

Function = ast.FunctionDef | ast.AsyncFunctionDef
_LINE_END = re.compile(r"\r\n?|\n")
#: What stands for the names that `from module import *` binds.
_ANY = "*"


class Bound(Value):
    """What a name stands for: the expression it is assigned, its function or class; None when that does not show.

    `place` is where that is, and `name_place` where the name is; a statement in which neither shows is both.
    """

    value: ast.expr | Function | ast.ClassDef | None
    place: Place
    name_place: Place


class Scope(Value):
    """The names that a module or a class binds; `place` is where to say that one is missing."""

    place: Place
    names: dict[str, Bound]

    def find(self, name: str) -> Bound | None:
        """What is last bound to a name; None when nothing is. After an import of `*`, that may be any name."""
        return self.names.get(name) or self.names.get(_ANY)

    def own_names(self) -> list[str]:
        """The names that are bound, in order."""
        return [name for name in self.names if name != _ANY]


class PythonModule(Value):
    """A module: its source and its statements."""

    source: Source
    body: list[ast.stmt]
    _line_starts: list[int] = made(default_factory=list)

    def place(self, node: ast.expr | ast.stmt) -> Place:
        """Where a node is, the first line of it; of a function or class, where its name is."""
        start = self.offset(node.lineno, node.col_offset)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found = re.compile(rf"(?:async\s+)?(?:def|class)\s+({node.name})").match(self.source.text, start)
            return Place(self.source, *found.span(1)) if found else self.line_from(start)
        stop = self.offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
        return Place(self.source, start, min(stop, self.line_from(start).stop))

    def offset(self, line: int, column: int) -> int:
        """The offset of a position as `ast` gives it: a line, the last one at most, and bytes of UTF-8 in it."""
        if not self._line_starts:
            self._line_starts.extend([0, *(found.end() for found in _LINE_END.finditer(self.source.text))])
        start = self._line_starts[min(line, len(self._line_starts)) - 1]
        ahead = self.source.text[start : start + column]  # at most a byte for each character
        return start + (column if ahead.isascii() else len(ahead.encode()[:column].decode("utf-8", "ignore")))

    def line_from(self, start: int) -> Place:
        """The rest of the line that `start` is in."""
        end = _LINE_END.search(self.source.text, start)
        return Place(self.source, start, end.start() if end else len(self.source.text))

    @property
    def scope(self) -> Scope:
        """The names of the module."""
        return self.scope_of(self.body, self.line_from(0))

    def scope_of(self, body: Iterable[ast.stmt], place: Place) -> Scope:
        """The names that some statements bind, each as it is bound last."""
        names: dict[str, Bound] = {}
        for statement in body:
            for name, node, value in _bindings(statement):
                if name == _ANY:  # any of the names so far may be another one now
                    names.clear()
                names.pop(name, None)
                names[name] = Bound(value, self.place(value or node), self.place(node))
        return Scope(place, names)


def read_python(source: Source, faults: Diagnostics, code: str) -> PythonModule | None:
    """Parse a module, without running it; None, with an error of this code, when it is not Python."""
    module = PythonModule(source, [])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about escapes in strings, say, which are no concern of ours
            module.body.extend(ast.parse(source.text).body)
    except SyntaxError as error:
        start = module.offset(error.lineno or 1, 0) + max((error.offset or 1) - 1, 0)
        place = module.line_from(min(start, len(source.text)))
        faults.error(code, f"this is not Python as this interpreter reads it: {error.msg}", place)
        return None
    except (RecursionError, MemoryError):
        faults.error(code, "this module is nested too deeply to be read", module.line_from(0))
        return None
    return module


def parameters(function: Function) -> list[str]:
    """The parameters that can be given by position."""
    return [one.arg for one in (*function.args.posonlyargs, *function.args.args)]


def literals(node: ast.expr) -> list[ast.Constant] | None:
    """The literals in a tuple, list or set of nothing else; None for anything else."""
    if not isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return None
    found = [item for item in node.elts if isinstance(item, ast.Constant)]
    return found if len(found) == len(node.elts) else None


def returned_items(node: ast.AST | None) -> Sequence[ast.expr] | None:
    """The items of the list that a function returns when it does nothing else; None for anything else."""
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return None
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    if len(body) != 1 or not isinstance(body[0], ast.Return) or not isinstance(body[0].value, ast.List):
        return None
    return body[0].value.elts


def _bindings(
    statement: ast.stmt,
) -> Iterator[tuple[str, ast.expr | ast.stmt, ast.expr | Function | ast.ClassDef | None]]:
    """The names that a statement binds, each with the node that has the name, and what it stands for then."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name, statement, statement
    elif isinstance(statement, ast.Assign) and all(isinstance(target, ast.Name) for target in statement.targets):
        yield from [(one.id, one, statement.value) for one in statement.targets if isinstance(one, ast.Name)]
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        if statement.value is not None:
            yield statement.target.id, statement.target, statement.value
    else:
        yield from [(name, statement, None) for name in dict.fromkeys(_names_within(statement))]


def _names_within(statement: ast.AST) -> Iterator[str]:
    """The names that may be bound somewhere in a statement, but for those inside its functions and classes."""
    pending = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        else:
            name = getattr(node, "name", None)  # of a function, a class, an exception, a pattern
            if isinstance(name, str):
                yield name
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            pending.extend(ast.iter_child_nodes(node))
