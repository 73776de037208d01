"""The functionalization convention: how the metadata of a view is made, replayed and inverted.

In: a view operator. Out: a `ViewMeta`, which says what its metadata class is made of.

    expand(Tensor(a) self, SymInt[] size, *, bool implicit=False)
        ->  expand_ViewMeta(has_symbolic_inputs, reapply_views, inverse_return_mode, size, implicit)

Rules: spec 06 section 8.
"""

from __future__ import annotations

from opwright.cpp.types import SYMINT, CppType, CppTypes
from opwright.model.model import ViewGroup
from opwright.model.operators import Operator
from opwright.signatures.bindings import Binding, Bindings
from opwright.syntax.types import Form
from opwright.values import Value

INVERSE_RETURN_MODE = "at::functionalization::InverseReturnMode"


class ViewMeta(Value):
    """The metadata class of a view, or of its in-place form.

    `base_parameters` go to the constructor of the base class and `parameters` to fields, which are `attributes`: the
    same in types that hold what they are given. A view of several tensors (`has_many`) has an index. `inverse` is the
    function that inverts the view and `inverse_parameters` are what it takes.
    """

    name: str
    has_many: bool
    base_parameters: tuple[Binding, ...]
    parameters: tuple[Binding, ...]
    attributes: tuple[Binding, ...]
    inverse: str
    inverse_parameters: tuple[Binding, ...]


class ViewConvention:
    """The metadata of the views of one run."""

    def __init__(self, bindings: Bindings) -> None:
        self.bindings = bindings
        types = bindings.types
        tensor = types.const_ref(types.named("at::Tensor"))
        self.base = _named("base", tensor)
        self.mutated_view = _named("mutated_view", tensor)
        self.has_symbolic_inputs = _named("has_symbolic_inputs", types.named("bool"))
        facts = types.release.functionalization
        self.out_index = _named("out_index" if facts.view_classes else "mutated_view_idx", types.named("int64_t"))
        self.reapply_views = _named("reapply_views", types.named("bool"))
        self.inverse_return_mode = _named("inverse_return_mode", types.named(INVERSE_RETURN_MODE))
        self.inverse_mode = self.inverse_return_mode if facts.inverse_modes else self.reapply_views

    def meta(self, group: ViewGroup, operator: Operator, flags: int) -> ViewMeta:
        """The metadata of the view of a group, or of its in-place form; `flags` are those of `operator_flags`."""
        index = (self.out_index,) if returns_many(operator) else ()
        mode = (self.reapply_views, self.inverse_return_mode)
        own = self.rest(operator, flags)
        types = self.bindings.types
        owns_all = types.release.functionalization.owning_views
        held = tuple([Binding(item.name, item.meaning, owning_type(item.type, types, owns_all)) for item in own])
        inverse = (self.base, self.mutated_view, self.inverse_mode, *index, *self.rest(group.view, flags))
        assert group.view_copy is not None
        inverted = group.view if types.release.functionalization.inverse_modes else group.view_copy
        return ViewMeta(
            name=f"{operator.name.unambiguous}_ViewMeta",
            has_many=bool(index),
            base_parameters=(self.has_symbolic_inputs, *index),
            parameters=mode + own,
            attributes=mode + held,
            inverse=f"{inverted.name.unambiguous}_inverse",
            inverse_parameters=inverse,
        )

    def rest(self, operator: Operator, flags: int) -> tuple[Binding, ...]:
        """The parameters of a view, or of its copy, behind the tensor that is viewed."""
        row = self.bindings.rows[flags | SYMINT].plain
        return tuple(map(row.__getitem__, operator.schema.arguments[1:]))


def _named(name: str, type: CppType) -> Binding:
    return Binding(name, name, type)


def returns_many(operator: Operator) -> bool:
    """Whether a view gives several tensors."""
    returns = operator.schema.returns
    return len(returns) > 1 or returns[0].type.form is Form.LIST


def owning_type(type: CppType, types: CppTypes, owns_all: bool) -> CppType:
    """The type in which the value of a parameter is kept: lists of integers are copied, with `owns_all` all else."""
    for element, view in (("int64_t", "at::IntArrayRef"), ("c10::SymInt", "c10::SymIntArrayRef")):
        if type is types.named(view):
            return types.vector(types.named(element))
    return type.target if owns_all and type.target is not None else type
