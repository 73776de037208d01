"""Stubs by which structured operators find kernels that were compiled ahead of time.

In: declarations, and the operators. Out: for each declaration the group of operators that asks for its kernels, and
under which dispatch key.

    Declaration("gt.Tensor", "CUDA")  ->  AotStub("gt.Tensor", the group of gt.Tensor, CUDA), called gt_Tensor_aot_stub
"""

from __future__ import annotations

from collections.abc import Sequence

from opwright.diagnostics import Related, did_you_mean
from opwright.model.context import Context
from opwright.model.model import Group, Model
from opwright.model.native_aot import Declaration, Literal
from opwright.releases.keys import CPU, DispatchKey
from opwright.values import Value


class AotStub(Value):
    """A stub that the wrappers of `group` under `key` ask before they call the group's own kernel.

    `operator` is the name as declared. With `unconditional`, users cannot switch the kernels behind the stub off.
    """

    operator: str
    group: Group
    key: DispatchKey
    unconditional: bool

    def __str__(self) -> str:
        return f"{self.operator}@{self.key}"

    @property
    def name(self) -> str:
        """The C++ name."""
        return f"{_identifier(self.operator)}_aot_stub"

    @property
    def type(self) -> str:
        """The C++ name of the type of a pointer to a kernel."""
        return f"{_identifier(self.operator)}_aot_fn"


def find_stubs(declarations: Sequence[Declaration], model: Model, context: Context) -> tuple[AotStub, ...]:
    """The stubs for what is declared, by dispatch key and name."""
    finder = _Finder(model, context)
    for declaration in declarations:
        finder.add(declaration)
    return tuple(sorted(finder.stubs, key=lambda stub: (stub.key.name, stub.operator)))


class _Finder:
    """Finds the groups of declarations, and remembers which have been declared where."""

    def __init__(self, model: Model, context: Context) -> None:
        self.model = model
        self.context = context
        self.groups = [item for item in model.groups if isinstance(item, Group) and item.is_structured]
        self.stubs: list[AotStub] = []
        self._declared: dict[tuple[Group, DispatchKey], Declaration] = {}
        self._named: dict[str, Declaration] = {}

    def add(self, declaration: Declaration) -> None:
        """Find the stub for a declaration; without one, there is an error."""
        key = find_key(declaration.key, self.context)
        group = self.group(declaration.operator)
        if key is None or group is None:
            return
        stub = AotStub(declaration.operator.text, group, key, declaration.unconditional)
        first = self._declared.setdefault((group, key), declaration)
        namesake = self._named.setdefault(stub.name, declaration)
        if first is not declaration:
            declared_twice(declaration, first, self.context)
        elif namesake.operator.text != declaration.operator.text:
            same_stub(declaration, namesake, self.context)
        else:
            self.check_use(stub, declaration)
            self.stubs.append(stub)

    def group(self, name: Literal) -> Group | None:
        """The group that a name means: that of the full name, or the only one of operators with that name."""
        if "." in name.text:
            found = [group for group in self.groups if group.functional.name.text == name.text]
        else:
            found = [group for group in self.groups if group.functional.name.root == name.text]
        if len(found) == 1:
            return found[0]
        if found:
            ambiguous_operator(name, found, self.context)
        elif any(name.text in (operator.name.text, operator.name.base) for operator in self.model.operators):
            not_structured(name, self.groups, self.context)
        else:
            unknown_operator(name, self.groups, self.context)
        return None

    def check_use(self, stub: AotStub, declaration: Declaration) -> None:
        """Warn of a stub that nothing asks, or that nothing can be behind."""
        if self.context.is_ignored(stub.key):
            return
        kernel = self.model.kernels.get(stub.key, {}).get(stub.group.out)
        if kernel is None or not kernel.is_structured:
            unused_stub(declaration, f"'{stub.operator}' has no structured kernel under '{stub.key}'", self.context)
        elif stub.key.name == CPU:
            unused_stub(declaration, "no kernel for the CPU can be put behind such a stub", self.context)


def find_key(name: Literal, context: Context) -> DispatchKey | None:
    """The dispatch key of a name; None, with an error, when there is none."""
    release = context.release
    key = release.keys.get(name.text)
    if key is None:
        hint = did_you_mean(name.text, release.supported) or did_you_mean(name.text, release.keys)
        context.error(
            "aot-unknown-key", f"'{name.text}' is not a dispatch key of PyTorch {release.name}", name.place, hint
        )
    return key


def _identifier(operator: str) -> str:
    """The name of an operator as part of C++ names."""
    return operator.replace(".", "_")


def _names(groups: Sequence[Group]) -> list[str]:
    """What groups can be called in a declaration."""
    roots = [group.functional.name.root for group in groups]
    short = [root for root in dict.fromkeys(roots) if roots.count(root) == 1]
    return short + [group.functional.name.text for group in groups if group.functional.name.overload]


# Rules


def ambiguous_operator(name: Literal, found: Sequence[Group], context: Context) -> None:
    """A name that several groups share."""
    full = [group.functional.name.text for group in found]
    message = f"'{name.text}' is the name of several structured operators: {', '.join(full)}"
    choice = next((text for text in full if "." in text), None)
    help = f"name one of them with its overload, such as '{choice}'" if choice else None
    context.error("aot-ambiguous-operator", message, name.place, help)


def not_structured(name: Literal, groups: Sequence[Group], context: Context) -> None:
    """An operator that has no place to ask a stub: not a structured one, or another member of a structured group."""
    members = {member.name.text: group for group in groups for member in group.members()}
    group = members.get(name.text)
    if group is not None:
        message = f"'{name.text}' is a variant; kernels are declared for all variants at once"
        help: str | None = f"write '{group.functional.name.text}'"
    else:
        message = f"'{name.text}' is not a structured operator, so there is no place to ask for its kernel"
        overloads = [one for one in _names(groups) if one.partition(".")[0] == name.text.partition(".")[0]]
        help = f"the structured ones of that name: {', '.join(overloads)}" if overloads else "make it structured first"
    context.error("aot-not-structured", message, name.place, help)


def unknown_operator(name: Literal, groups: Sequence[Group], context: Context) -> None:
    """An operator that the source does not have."""
    bare = name.text.rpartition("::")[2]
    names = _names(groups)
    hint = f"write '{bare}', without a namespace" if bare in names and bare != name.text else did_you_mean(bare, names)
    context.error("aot-unknown-operator", f"there is no operator '{name.text}'", name.place, hint)


def declared_twice(declaration: Declaration, first: Declaration, context: Context) -> None:
    """Two declarations for one group under one dispatch key, by whatever names; only one stub can be asked."""
    message = f"kernels of '{declaration.operator.text}' under '{declaration.key.text}' are declared already"
    related = [Related(first.operator.place, "declared here")]
    context.faults.error("aot-declared-twice", message, declaration.operator.place, related=related)


def same_stub(declaration: Declaration, first: Declaration, context: Context) -> None:
    """Two operators whose stubs have one name, such as `x.y` and `x_y`."""
    message = f"the stub of '{declaration.operator.text}' has the same name as that of '{first.operator.text}'"
    related = [Related(first.operator.place, "declared here")]
    context.faults.error("aot-same-stub", message, declaration.operator.place, related=related)


def unused_stub(declaration: Declaration, reason: str, context: Context) -> None:
    """A stub that makes no difference."""
    context.warning("aot-unused-stub", f"this declaration has no effect: {reason}", declaration.key.place)
