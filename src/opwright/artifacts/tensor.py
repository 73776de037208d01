"""The methods of Tensor: core/TensorBody.h and core/TensorMethods.cpp.

In: facts. Out: method declarations for the class, and their inline definitions behind it.

Rules: spec 08 section 4.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.functions import base_name


def tensor_body(emission: Emission) -> Iterator[Planned]:
    """core/TensorBody.h."""
    yield emission.file("core/TensorBody.h", lambda: _methods(emission), family="core")


def _methods(emission: Emission) -> Values:
    declarations: list[str] = []
    definitions: list[str] = []
    for facts in emission.facts.items:
        if not facts.operator.is_method:
            continue
        base, struct = base_name(facts), facts.operator.name.unambiguous
        for index, signature in enumerate(facts.public):
            parameters = signature.without_self()
            name = base + signature.suffix
            with_defaults = ", ".join([binding.declaration for binding in parameters])
            plain = ", ".join([binding.definition for binding in parameters])
            call = emission.facts.method_call(facts, index)
            declarations.append(f"{signature.returns} {name}({with_defaults}) const;")
            definitions.append(
                f"""inline {signature.returns} Tensor::{name}({plain}) const {{
    return at::_ops::{struct}::call({call});
}}
"""
            )
    return {"tensor_method_declarations": declarations, "tensor_method_definitions": definitions}


def tensor_methods(emission: Emission) -> Iterator[Planned]:
    """core/TensorMethods.cpp, which has no variables."""
    yield emission.file("core/TensorMethods.cpp", dict, family="core")
