"""Meta classes of structured operators: NativeMetaFunctions.h and ops/*_meta.h.

In: structured groups. Out: for each a class with the function `meta`, and what it computes for `impl`.

Rules: spec 08 section 7.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.artifacts.includes import meta_include
from opwright.model.model import Group
from opwright.signatures.bindings import Binding
from opwright.signatures.structured import precomputed_arguments


def meta_class(group: Group) -> str:
    """The name of a group's meta class."""
    return f"structured_{group.functional.name.unambiguous}"


def structured_groups(emission: Emission) -> list[Group]:
    """The structured groups, in order."""
    return [item for item in emission.model.groups if isinstance(item, Group) and item.is_structured]


def native_meta_functions(emission: Emission) -> Iterator[Planned]:
    """NativeMetaFunctions.h."""

    def values() -> Values:
        if emission.options.per_operator_headers:
            # Of every root name, although only those with structured groups have such a header.
            return {
                "NativeMetaFunctions_includes": [meta_include(root) for root in sorted(emission.roots)],
                "NativeMetaFunctions_declarations": [],
            }
        return {
            "NativeMetaFunctions_includes": [],
            "NativeMetaFunctions_declarations": [declaration(group, emission) for group in structured_groups(emission)],
        }

    yield emission.file("NativeMetaFunctions.h", values)


def per_operator_headers(emission: Emission) -> Iterator[Planned]:
    """ops/ROOT_meta.h for every root name with a structured group."""
    if not emission.options.per_operator_headers:
        return
    by_root: dict[str, list[Group]] = {}
    for group in structured_groups(emission):
        by_root.setdefault(group.functional.name.root, []).append(group)
    for root, groups in by_root.items():
        values = partial(_root_values, emission, groups)
        yield emission.file(f"ops/{root}_meta.h", values, "NativeMetaFunction.h", family="ops")


def _root_values(emission: Emission, groups: list[Group]) -> Values:
    return {"meta_function_declarations": [declaration(group, emission) for group in groups]}


def declaration(group: Group, emission: Emission) -> str:
    """The meta class of a group."""
    parent = group.out.structured_inherits or "at::impl::MetaBase"
    parameters = ", ".join([binding.definition for binding in emission.facts.structured.meta(group)])
    computed = emission.facts.structured.bindings(precomputed_arguments(group.out.precomputed))
    precompute, returns = _precompute(computed) if group.out.precomputed else ("", "void")
    return f"""struct TORCH_API {meta_class(group)} : public {parent} {{
{precompute}    {returns} meta({parameters});
}};
"""


def _precompute(computed: tuple[Binding, ...]) -> tuple[str, str]:
    """The class that holds what a meta function computes and demands that each value is set, and its final type."""
    flags = [binding.name.upper() for binding in computed]
    parameters = ", ".join([f"bool {flag} = false" for flag in flags])
    setters = "\n".join([_setter(index, computed, flags) for index in range(len(computed))])
    fields = "\n".join([f"{_held(binding)} {binding.name};" for binding in computed])
    done = f"precompute_out <{', '.join(['true'] * len(flags))}>"
    text = f"""template <{parameters}>
struct TORCH_API precompute_out {{
{setters}
{fields}
}};
using meta_return_ty = {done};
"""
    return text, "meta_return_ty"


def _setter(index: int, computed: tuple[Binding, ...], flags: list[str]) -> str:
    """The function that sets one value and says so in the type that it returns."""
    own = computed[index]
    result = f"precompute_out<{', '.join([*flags[:index], 'true', *flags[index + 1 :]])}>"
    copies = "\n".join([f"ret.{item.name} = {'value' if item is own else f'this->{item.name}'};" for item in computed])
    return f"""{result} set_{own.name}({_held(own)} value) {{
    static_assert({flags[index]} == false, "{own.name} already set");
{result} ret;
{copies}
return ret;
}}
"""


def _held(binding: Binding) -> str:
    """The type in which a value is held: without the reference."""
    return (binding.type.target or binding.type).text
