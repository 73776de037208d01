"""What the wrapper of a structured kernel passes on: to its meta function, and then to what computes the outputs.

In: a member of a structured group and the signature of its wrapper. Out: the arguments of each call. The members take
the same arguments in the same order, none of which are tensor options.

Rules: spec 08 section 9.3.
"""

from __future__ import annotations

from collections.abc import Sequence

from opwright.model.model import Group
from opwright.model.operators import Operator, Precomputed
from opwright.signatures.bindings import Binding
from opwright.signatures.convert import Converter
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

    def meta(self, operator: Operator, group: Group, signature: NativeSignature) -> str:
        """The arguments of the meta function."""
        own = signature.bindings[: len(operator.schema.non_out)]
        return ", ".join(self.converter.one_by_one(own, self.convention.meta(group)))

    def after_meta(
        self,
        operator: Operator,
        group: Group,
        signature: NativeSignature,
        precomputed: Precomputed | None,
        wanted: Sequence[Binding],
    ) -> str:
        """The arguments of a call that is made when there are precomputed values and outputs, which it takes last."""
        own, outs = signature.bindings[: len(operator.schema.non_out)], group.out.schema.out
        output = self._outputs[operator.schema.kind]
        outputs = [output.format(index) for index in range(len(outs))]
        if precomputed is None:
            return ", ".join(self.converter.one_by_one(own, wanted[: len(own)]) + outputs)
        scope = self.converter.scope(signature.bindings)
        for binding in self.convention.bindings(precomputed_arguments(precomputed)):
            self.converter.add(scope, f"precompute.{binding.name}", binding.name, binding.type)
        for argument, expression in zip(outs, outputs, strict=True):
            self.converter.add(scope, expression, argument.name, self.converter.table.written_tensor)
        return ", ".join(self.converter.arguments(scope, wanted))
