"""What the artifacts share about an operator, made once.

In: a model. Out: `Facts` for each operator: its dispatcher signature, its public signatures, the arguments with which
each calls the dispatcher, and its schema as a C++ literal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from opwright.cpp.literals import c_string
from opwright.cpp.types import CppTypes
from opwright.memo import Memo
from opwright.model.operators import Operator
from opwright.releases.release import Release
from opwright.signatures.bindings import Bindings
from opwright.signatures.convert import SELF_IN_METHOD, Converter
from opwright.signatures.dispatcher import DispatcherSignature, dispatcher_signature, operator_flags
from opwright.signatures.native import NativeSignature, native_signature
from opwright.signatures.public import PublicSignature, public_signatures
from opwright.signatures.structured import StructuredConvention
from opwright.signatures.structured_calls import StructuredCalls
from opwright.signatures.ufunc import UfuncConvention
from opwright.signatures.views import ViewConvention
from opwright.syntax.schema import Schema, Tail
from opwright.values import Value


class Facts(Value):
    """What is known about one operator.

    `flags` hold for all its signatures; `calls` has the arguments of the dispatcher call for each of `public`.
    """

    operator: Operator
    flags: int
    dispatcher: DispatcherSignature
    public: Sequence[PublicSignature]
    calls: Sequence[str]
    schema_literal: str

    @property
    def most_faithful(self) -> PublicSignature:
        """The public signature without symbolic integers that is nearest to the schema."""
        plain = [signature for signature in self.public if not signature.is_symint]
        return plain[-1]

    @property
    def direct(self) -> PublicSignature:
        """The public signature that generated code calls: with symbolic integers where there are some."""
        has_symint = self.public[-1].is_symint
        return next(signature for signature in self.public if signature.is_symint == has_symint)

    @property
    def direct_name(self) -> str:
        """The name of the function of that signature."""
        return self.operator.name.base + self.direct.suffix


#: What operators with the same arguments and returns share: signatures, calls, and the end of the schema's literal.
Shared = tuple[DispatcherSignature, Sequence[PublicSignature], Sequence[str], str]


class FactTable:
    """The facts of all operators, in operator order, and what they were made with."""

    def __init__(self, operators: Sequence[Operator], release: Release) -> None:
        self.release = release
        self.bindings = Bindings(CppTypes(release))
        self.converter = Converter(self.bindings.types)
        self.structured = StructuredConvention(self.bindings.types)
        owned = release.kernels.owned_outputs
        self.structured_calls = StructuredCalls(self.converter, self.structured, owned=owned)
        self.ufunc = UfuncConvention(self.structured)
        self.views = ViewConvention(self.bindings)
        #: By what they follow from: tail, flags, and the arguments without default.
        self._shared: dict[tuple[Tail, int, frozenset[str]], Shared] = {}
        self.items = [self._facts(operator) for operator in operators]
        self.by_operator = {facts.operator: facts for facts in self.items}
        self._native = [Memo(partial(self._native_signature, symint)) for symint in (False, True)]
        self._plain: dict[Operator, DispatcherSignature] = {}

    def _facts(self, operator: Operator) -> Facts:
        flags = operator_flags(operator)
        key = operator.schema.tail, flags, operator.cpp_no_default_args
        shared = self._shared.get(key)
        if shared is None:
            shared = self._shared[key] = self._signatures(operator, flags)
        dispatcher, public, calls, literal = shared
        return Facts(operator, flags, dispatcher, public, calls, f'"{operator.name.text}{literal}')

    def _signatures(self, operator: Operator, flags: int) -> Shared:
        dispatcher = dispatcher_signature(operator, self.bindings, flags)
        symint_returns = self.release.symint_returns
        public = public_signatures(operator, self.bindings, flags, dispatcher.returns, symint_returns)
        calls = [self._call(operator, signature, dispatcher) for signature in public]
        return dispatcher, public, calls, c_string(operator.schema.tail.text)[1:]

    def native(self, operator: Operator, symint: bool) -> NativeSignature:
        """The signature of an operator's kernels that take symbolic integers, or of those that do not."""
        return self._native[symint][operator]

    def _native_signature(self, symint: bool, operator: Operator) -> NativeSignature:
        facts = self.by_operator[operator]
        returns = facts.dispatcher.returns
        return native_signature(operator, facts.public, self.bindings, facts.flags, returns, symint=symint)

    def native_calls(self, facts: Facts, signature: NativeSignature) -> Sequence[str]:
        """The arguments with which each public function of an operator calls a function of its native signature."""
        if signature.definitions == facts.dispatcher.definitions:
            return facts.calls
        return [self.converter.call(public.bindings, signature.bindings) for public in facts.public]

    def dispatcher(self, operator: Operator, symint: bool) -> DispatcherSignature:
        """The signature of an operator in the dispatcher convention, with symbolic integers or with plain ones."""
        facts = self.by_operator[operator]
        if symint:
            return facts.dispatcher
        found = self._plain.get(operator)
        if found is None:
            found = dispatcher_signature(operator, self.bindings, facts.flags, symint=False)
            self._plain[operator] = found
        return found

    def _call(self, operator: Operator, signature: PublicSignature, dispatcher: DispatcherSignature) -> str:
        if _takes_as_wanted(signature, operator.schema):
            return dispatcher.names
        return self.converter.call(signature.bindings, dispatcher.bindings)

    def method_call(self, facts: Facts, index: int) -> str:
        """The arguments with which the method of the public signature at `index` calls the dispatcher."""
        signature, schema = facts.public[index], facts.operator.schema
        own = schema.self_argument
        if _takes_as_wanted(signature, schema) and own is not None and own.type.text == "Tensor":
            names = [binding.name for binding in facts.dispatcher.bindings]
            names[schema.self_index] = SELF_IN_METHOD
            return ", ".join(names)
        scope = self.converter.scope(facts.public[index].without_self())
        self.converter.add_self(scope)
        return ", ".join(self.converter.arguments(scope, facts.dispatcher.bindings))


def _takes_as_wanted(signature: PublicSignature, schema: Schema) -> bool:
    """Whether every parameter has the type that the dispatcher wants, so that nothing is converted."""
    return (signature.is_symint or not schema.has_symint) and not schema.has_options
