"""RegisterSchema.cpp: the schemas and tags that the library registers with the dispatcher.

In: facts and a selection. Out: one `m.def` for each selected operator, namespace by namespace.

Rules: spec 08 section 11 and spec 05 section 6.4.
"""

from __future__ import annotations

from collections.abc import Iterator

from opwright.artifacts.emission import Emission, Planned, Values
from opwright.signatures.facts import Facts

#: Namespaces that other libraries define as well.
SHARED_NAMESPACES = frozenset({"quantized", "quantized_decomposed"})


def register_schema(emission: Emission) -> Iterator[Planned]:
    """RegisterSchema.cpp."""
    yield emission.file("RegisterSchema.cpp", lambda: _registrations(emission))


def _registrations(emission: Emission) -> Values:
    options = emission.options
    by_namespace: dict[str, list[Facts]] = {"aten": []}
    for facts in emission.facts.items:
        by_namespace.setdefault(facts.operator.namespace, []).append(facts)
    aten: list[str] = []
    others: list[str] = []
    for namespace, items in by_namespace.items() if options.registrations else ():
        chosen = [facts for facts in items if options.all_schemas or options.is_selected(facts.operator.full_name)]
        lines = definitions(chosen, emission.model.release.spelling.pooled_tags)
        if namespace == "aten":
            aten = lines
        else:
            macro = "TORCH_LIBRARY_FRAGMENT" if namespace in SHARED_NAMESPACES else "TORCH_LIBRARY"
            body = "\n".join(lines)
            others.append(f"{macro}({namespace}, m) {{\n{body}\n}};\n")
    return {"aten_schema_registrations": aten, "schema_registrations": others}


def definitions(items: list[Facts], pooled: bool) -> list[str]:
    """The lines that define the operators of one namespace; with `pooled`, equal tag lists share a constant."""
    lines: list[str] = []
    written: dict[frozenset[str], str] = {}
    constants = 0
    for facts in items:
        tags = facts.operator.tags
        shown = written.get(tags)
        if shown is None:
            shown = f"{{{', '.join([f'at::Tag::{tag}' for tag in sorted(tags)])}}}"
            if pooled and tags:
                name = f"tags_{constants}"
                constants += 1
                lines.append(f"const std::vector<at::Tag> {name} = {shown};")
                shown = name
            written[tags] = shown
        lines.append(f"m.def({facts.schema_literal}, {shown});")
    return lines
