"""What the wrapper of a structured kernel passes on: to its meta function, and then to what computes the outputs.

In: a member of a structured group and the signature of its wrapper. Out: the arguments of each call. Wrappers under
several dispatch keys pass on the same, so it is made once.

Rules: spec 08 section 9.3.
"""

from __future__ import annotations

from collections.abc import Iterable

from opwright.model.model import Group
from opwright.model.operators import Operator, Precomputed
from opwright.signatures.bindings import Binding
from opwright.signatures.convert import Converter, Scope
from opwright.signatures.native import NativeSignature
from opwright.signatures.structured import StructuredConvention, precomputed_arguments
from opwright.syntax.schema import Kind


class StructuredCalls:
    """The calls of one run. Outputs that a wrapper makes itself are `owned` in releases that keep them in an owner."""

    def __init__(self, converter: Converter, convention: StructuredConvention, *, owned: bool) -> None:
        self.converter = converter
        self.convention = convention
        #: How the wrapper of each kind of variant has an output.
        self._outputs = {
            Kind.FUNCTIONAL: "*op.outputs_[{}]" if owned else "op.outputs_[{}]",
            Kind.INPLACE: "op.outputs_[{}]",
            Kind.OUT: "op.maybe_get_output({})",
        }
        self._meta: dict[NativeSignature, str] = {}
        self._impl: dict[tuple[NativeSignature, Precomputed | None], str] = {}

    def meta(self, group: Group, signature: NativeSignature) -> str:
        """The arguments of the meta function."""
        found = self._meta.get(signature)
        if found is None:
            found = self._meta[signature] = self.converter.call(signature.bindings, self.convention.meta(group))
        return found

    def impl(
        self, operator: Operator, group: Group, signature: NativeSignature, precomputed: Precomputed | None
    ) -> str:
        """The arguments of the function `impl`, after the meta function has computed `precomputed`."""
        found = self._impl.get((signature, precomputed))
        if found is None:
            wanted = self.convention.impl(group, precomputed)
            found = self._impl[signature, precomputed] = self.after_meta(
                operator, group, signature, precomputed, wanted
            )
        return found

    def after_meta(
        self,
        operator: Operator,
        group: Group,
        signature: NativeSignature,
        precomputed: Precomputed | None,
        wanted: Iterable[Binding],
    ) -> str:
        """The arguments of a call that is made when there are precomputed values and outputs."""
        scope = self.converter.scope(signature.bindings)
        for binding in self.convention.bindings(precomputed_arguments(precomputed)):
            self.converter.add(scope, f"precompute.{binding.name}", binding.name, binding.type)
        self._add_outputs(scope, operator, group)
        return ", ".join(self.converter.arguments(scope, wanted))

    def _add_outputs(self, scope: Scope, operator: Operator, group: Group) -> None:
        output = self._outputs[operator.schema.kind]
        for index, argument in enumerate(group.out.schema.out):
            self.converter.add(scope, output.format(index), argument.name, self.converter.table.written_tensor)
