"""The dispatch stub of a group with inner loops: through it, kernels that are compiled apart find each other.

In: a group. Out: the stub's names, type and parameters.

Rules: spec 08 section 14.
"""

from __future__ import annotations

from opwright.artifacts.emission import Emission
from opwright.model.model import Group
from opwright.values import Value


class UfuncStub(Value):
    """The stub of one group; `kernel` is the function behind it and `type` that of a pointer to it.

    `parameters` and `names` are what the stub takes besides the iterator, as declared and as passed on.
    """

    base: str
    name: str
    kernel: str
    type: str
    types: str
    parameters: str
    names: str
    #: What ends the macros.
    end: str

    @classmethod
    def of(cls, group: Group, emission: Emission) -> UfuncStub:
        base = group.functional.name.base
        bindings = emission.facts.ufunc.stub(group)
        return cls(
            base=base,
            name=f"{base}_stub",
            kernel=f"{base}_kernel",
            type=f"{base}_fn",
            types=", ".join([binding.type.text for binding in bindings]),
            parameters=", ".join([binding.definition for binding in bindings]),
            names=", ".join([binding.name for binding in bindings]),
            end=emission.model.release.spelling.stub_end,
        )

    @property
    def declaration(self) -> str:
        """The lines that declare the stub."""
        return f"""using {self.type} = void(*)(TensorIteratorBase&, {self.types});
DECLARE_DISPATCH({self.type}, {self.name}){self.end}"""

    @property
    def registration(self) -> str:
        """The line that puts the kernel behind the stub."""
        return f"REGISTER_DISPATCH({self.name}, &{self.kernel}){self.end}"

    def kernel_function(self, title: str, cases: str) -> str:
        """The kernel: a switch over the scalar types, with its cases."""
        return f"""void {self.kernel}(TensorIteratorBase& iter, {self.parameters}) {{
  AT_DISPATCH_SWITCH(iter.common_dtype(), "{title}",
{cases}
  );
}}"""


def case(scalar_type: str, body: str) -> str:
    """The case of a kernel for one scalar type."""
    return f"AT_DISPATCH_CASE(at::ScalarType::{scalar_type}, [&]() {{\n{body}}})\n"
