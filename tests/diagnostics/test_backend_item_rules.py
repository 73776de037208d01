"""Every rule for what a backend file says of a single operator, and where the diagnostic points."""

from __future__ import annotations

import pytest

from opwright.model.listed import FIELDS
from tests.diagnostics.snippets import Faults
from tests.diagnostics.test_backend_rules import HEAD, check, diagnostics

TYPE, FORM, FIELD = "backend-operator-type", "backend-operator-form", "backend-field-type"
OUT, BASE = "backend-structured-out", "backend-structured-base"


def item(text: str) -> str:
    """A file with one item under `supported`."""
    return f"{HEAD}supported:\n- {text}\n"


def structured(text: str, name: str = "blend.out") -> str:
    """A file with one structured kernel of which more is said."""
    return item(f"{name}: {{structured: true, {text}}}")


RULES: list[tuple[str, str, Faults]] = [
    ("as in native files", item("func: blend"), [(TYPE, "func: blend")]),
    ("two keys", item("blend:\n  ripple:"), [(FORM, "blend:\n  ripple:")]),
    ("no key", item("{}"), [(FORM, "{}")]),
    ("fields: none", item("blend:"), [("backend-operator-fields-type", "blend")]),
    ("fields: a list", item("blend: [x]"), [("backend-operator-fields-type", "[x]")]),
    ("fields: a number", item("blend: 3"), [("backend-operator-fields-type", "3")]),
    ("fields: empty", item("blend: {}"), []),
    ("fields in another list", HEAD + "full_codegen:\n- ripple: {}\n", [(TYPE, "ripple: {}")]),
    ("fields for autograd", HEAD + "supported: [ripple]\nautograd:\n- blend: {kernel: mine}\n", []),
    ("fields of structured kernels for autograd", HEAD + "supported: [ripple]\nautograd:\n- blend.out: {meta: true}\n",
     [("backend-unknown-field", "meta")]),
    ("field: unknown", item("blend: {kernal: x}"), [("backend-unknown-field", "kernal")]),
    ("field: a number for a switch", item("blend: {device_check: 1}"), [(FIELD, "1")]),
    ("field: empty", item("blend: {device_guard: }"), [(FIELD, "device_guard")]),
    ("field: a number for a name", item("blend: {kernel: 3}"), [(FIELD, "3")]),
    ("operator: unknown", item("blnd: {structured: true}"), [("backend-unknown-operator", "blnd")]),
    ("kernel", item("blend: mine::fast_blend"), []),
    ("kernel: none of C++", item("blend: fast-blend"), [("backend-kernel-name", "fast-blend")]),
    ("kernel: keyword", item("blend: at::new"), [("backend-kernel-name", "at::new")]),
    ("kernel: gap", item("blend: a::::b"), [("backend-kernel-name", "a::::b")]),
    ("symint: named", item("peel_copy: peel") + "symint: [peel_copy]", [("backend-symint-named", "peel_copy")]),
    ("symint: named for it", item("peel_copy: peel_symint") + "symint: [peel_copy]", []),
    ("not structured", item("blend.out: {structured: no, impl: yes}"), [("backend-not-structured", "impl")]),
    ("not structured, inherits", item("blend.out: {structured: no, structured_inherits: MetaBase}"),
     [("backend-not-structured", "structured_inherits")]),
    ("not structured, plain", item("blend.out: {structured: no, meta: no}"), []),
    ("structured", item("blend.out: {structured: true}"), []),
    ("structured by meta", item("blend.out: {meta: true}"), []),
    ("structured: functional", item("blend: {structured: true}"), [(OUT, "structured")]),
    ("structured: in-place", item("blend_: {meta: true}"), [(OUT, "blend_")]),
    ("structured: alone", item("tally: {structured: true}"), [(OUT, "structured")]),
    ("structured: no group", item("rotate_: {structured: true}"), [("backend-unknown-operator", "rotate_")]),
    ("structured: no meta", item("nudge.out: {structured: true}"), [("backend-structured-meta", "structured")]),
    ("structured: own meta", item("nudge.out: {meta: true}"), []),
    ("structured: no impl", structured("impl: false"), [("backend-structured-impl", "impl")]),
    ("structured: no impl, own meta", structured("impl: no, meta: yes"), [("backend-structured-impl", "impl")]),
    ("structured: inherited impl", structured("structured_inherits: 'at::native::structured_blend_out'"), []),
    ("structured: iterator", structured("structured_inherits: TensorIteratorBase"), []),
    ("structured: base in full", structured("structured_inherits: 'at::impl::MetaBase'"), []),
    ("structured: another base", structured("structured_inherits: Mine"), [(BASE, "Mine")]),
    ("structured: another base, with headers", f"headers: [m.h]\n{structured('structured_inherits: Mine')}", []),
    ("structured: base of another operator", structured("structured_inherits: 'at::native::structured_pool_out_cpu'"),
     [("backend-structured-kernel-unknown", "'at::native::structured_pool_out_cpu'")]),
    ("structured: base of the author", structured("structured_inherits: 'mine::structured_base'"), []),
    ("structured: existing", structured("kernel: 'at::native::blend_out'"), []),
    ("structured: existing class", structured("kernel: 'at::native::structured_blend_out'"), []),
    ("structured: no such kernel", structured("kernel: 'at::native::blend'"),
     [("backend-structured-kernel-unknown", "'at::native::blend'")]),
    ("structured: existing, own meta", structured("kernel: 'at::native::blend_out', meta: true"),
     [("backend-structured-kernel", "meta")]),
    ("structured: own name", structured("kernel: my_blend, meta: true"), []),
    ("structured: one name", item("blend.out: {structured: true, kernel: x}\n- pool.o: {structured: true, kernel: x}"),
     [("backend-structured-name", "pool.o")]),
    ("structured: existing twice", structured("kernel: 'mine::x'") + "- pool.o: {structured: true, kernel: 'mine::x'}",
     []),
    ("structured: variant listed", item("blend.out: {structured: true}\n- blend_"),
     [("backend-served-by-structured", "blend_")]),
    ("structured: symint", item("window_copy.out: {meta: true}") + "symint: [window_copy.out]",
     [("backend-structured-symint", "window_copy.out")]),
    *[
        (f"structured: {why}", item(f"{name}: {{meta: true}}"), [("backend-structured-form", name)])
        for why, name in {
            "mutable": "tally.out",
            "a list to write": "strata.out",
            "an optional list": "echo.out",
            "a factory": "canvas.out",
            "const references": "grow.out",
        }.items()
    ],
    ("copies: mutable", item("tally_functional"), [("backend-no-copy-back", "tally_functional")]),
    ("copies: not with out as primary", item("tally_functional") + "use_out_as_primary: true", []),
    ("copies: not of a structured kernel", item("blend.out: {structured: true}"), []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in RULES], ids=[row[0] for row in RULES])
def test_rule(text: str, expected: Faults) -> None:
    assert check(text) == expected


@pytest.mark.parametrize(
    ("text", "help"),
    [
        (item("func: blend.out"), "write '- blend.out', or with fields '- blend.out: {device_check: false}'"),
        (item("func: 3"), "write '- 3', or with fields '- 3: {device_check: false}'"),
        (item("func: []"), "write '- add.out', or with fields '- add.out: {device_check: false}'"),
        (item("blend: {strctured: true}"), "did you mean 'structured'?"),
        (item("blend: {x: true}"), f"fields are {', '.join(FIELDS)}"),
        (
            HEAD + "supported: [ripple]\nautograd:\n- blend: {impl: true}\n",
            "fields are kernel, device_check, device_guard",
        ),
        (item("blend: {structured: true}"), "list 'blend.out' with 'structured: true' instead"),
        (structured("structured_inherits: TensorIterator"), "did you mean 'TensorIteratorBase'?"),
        (HEAD + "full_codegen:\n- ripple: {}\n", "fields belong to operators under 'supported' and 'autograd'"),
    ],
)
def test_help(text: str, help: str) -> None:
    assert [found.help for found in diagnostics(text).items] == [help]
