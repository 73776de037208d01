"""Every rule for backend files: what breaks it, and where the diagnostic points (spec 03 section 10, BY and LZ)."""

from __future__ import annotations

import pytest

from opwright.diagnostics import Diagnostics
from opwright.model.backend import FIELD_NAMES, read_backend
from opwright.model.context import Context
from opwright.source import Source
from opwright.syntax.yaml_reading import read_yaml
from tests.diagnostics.snippets import Faults, underlined
from tests.releases import SAMPLES
from tests.sample import sample_model

KEY = "backend: PrivateUse1\n"
SPACE = "cpp_namespace: mine\n"
SOME = "supported: [blend]\n"
HEAD = KEY + SPACE
CAST = "cast(Tensor x) -> Tensor"


def diagnostics(text: str) -> Diagnostics:
    faults = Diagnostics()
    root = read_yaml(Source("backend.yaml", text), faults)
    assert root is not None
    read_backend(root, Context(SAMPLES, faults), sample_model("mps", "xpu", "mtia"))
    return faults


def check(text: str) -> Faults:
    """The code and the underlined text of each diagnostic."""
    return underlined(diagnostics(text))


def node(entry: str) -> str:
    """A file with one operator under `non_native`."""
    return f"{HEAD}{SOME}non_native:\n- {{{entry}}}\n"


UNKNOWN, TYPE = "backend-unknown-operator", "backend-operator-type"
NOTHING, SYMINT = "backend-nothing-supported", "backend-no-symint-argument"

RULES: list[tuple[str, str, Faults]] = [
    ("BY-0", "[]", [("backend-not-a-mapping", "[]")]),
    ("BY-0 text", "blend", [("backend-not-a-mapping", "blend")]),
    ("BY-1", SPACE + SOME, [("backend-key-missing", "cpp_namespace")]),
    ("BY-1 empty", "backend:\n" + SPACE + SOME, [("backend-key-missing", "backend")]),
    ("BY-1 slip", "backnd: XLA\n" + SPACE + SOME, [("backend-unknown-key", "backnd")]),
    ("BY-1 type", "backend: 3\n" + SPACE + SOME, [("backend-key-type", "3")]),
    ("BY-2", KEY + SOME, [("backend-namespace-missing", "backend")]),
    ("BY-2 empty", KEY + "cpp_namespace:\n" + SOME, [("backend-namespace-missing", "cpp_namespace")]),
    ("BY-2 slip", KEY + "cpp_namspace: x\n" + SOME, [("backend-unknown-key", "cpp_namspace")]),
    ("BY-2 type", KEY + "cpp_namespace: []\n" + SOME, [("backend-namespace-type", "[]")]),
    ("BY-3", HEAD + SOME + "use_out_as_primary: 3", [("backend-use-out-as-primary-type", "3")]),
    ("BY-3 empty", HEAD + SOME + "use_out_as_primary:", [("backend-use-out-as-primary-type", "use_out_as_primary")]),
    ("BY-4", HEAD + SOME + "device_guard: 'on'", [("backend-device-guard-type", "'on'")]),
    ("BY-4 tagged", HEAD + SOME + "device_guard: !!bool maybe", [("backend-device-guard-type", "!!bool maybe")]),
    ("BY-5 supported", HEAD + "supported: blend", [("backend-supported-type", "blend")]),
    ("BY-5 symint", HEAD + SOME + "symint: {}", [("backend-symint-type", "{}")]),
    ("BY-5 autograd", HEAD + SOME + "autograd: x", [("backend-autograd-type", "x")]),
    ("BY-5 autograd, empty", HEAD + SOME + "autograd:", []),
    ("BY-6", HEAD + SOME + "custom: []", [("backend-unknown-key", "custom")]),
    ("BY-6 headers", HEAD + SOME + "extra_headers: []", [("backend-extra-headers", "extra_headers")]),
    ("BY-7", HEAD + "supported: [blend, nope]", [(UNKNOWN, "nope")]),
    ("BY-7 overload", HEAD + "supported: [blend.Tensor]", [(UNKNOWN, "blend.Tensor")]),
    ("BY-7 full_codegen", HEAD + "full_codegen: [nope]", [(UNKNOWN, "nope")]),
    ("BY-7 autograd", HEAD + SOME + "autograd: [nope]", [(UNKNOWN, "nope")]),
    ("BY-7 ir_gen", HEAD + SOME + "ir_gen: [nope]", [(UNKNOWN, "nope")]),
    ("BY-7 namespace", HEAD + "supported: ['aten::blend']", [("backend-operator-namespace", "'aten::blend'")]),
    ("BY-8", "backend: Nope\n" + SPACE + SOME, [("backend-unknown-dispatch-key", "Nope")]),
    (
        "BY-8 without operators",
        "backend: Nope\n" + SPACE,
        [(NOTHING, "backend"), ("backend-unknown-dispatch-key", "Nope")],
    ),
    (
        "BY-8 autograd",
        "backend: Vulkan\n" + SPACE + SOME + "autograd: [probe]",
        [("backend-unknown-autograd-key", "autograd")],
    ),
    ("BY-8 no autograd", "backend: Vulkan\n" + SPACE + SOME, []),
    ("BY-9", "backend: CUDA\n" + SPACE + SOME, [("backend-key-taken", "CUDA")]),
    ("BY-9 with a switch", "backend: XPU\n" + SPACE + SOME, [("backend-key-taken", "XPU")]),
    ("BY-10", HEAD + SOME + "autograd: [blend_]", [("backend-group-split", "blend_")]),
    ("BY-10 generated", HEAD + "supported: [nudge]\nautograd: [nudge_]", [("backend-group-split", "nudge_")]),
    ("BY-10 itself", HEAD + "supported: [tally]\nautograd: [tally]", [("backend-group-split", "tally")]),
    ("BY-10 alone", HEAD + SOME + "autograd: [blend.Scalar]", []),
    ("BY-13 empty", HEAD + SOME + "full_codegen:", [("backend-full-codegen-type", "full_codegen")]),
    ("BY-13 repeated", HEAD + SOME + "supported: [ripple]", [("duplicate-key", "supported")]),
    ("LZ-2 full_codegen", HEAD + SOME + "full_codegen: x", [("backend-full-codegen-type", "x")]),
    ("LZ-2 ir_gen", HEAD + SOME + "ir_gen: ripple", [("backend-ir-gen-type", "ripple")]),
    ("LZ-2 non_native", HEAD + SOME + "non_native: {}", [("backend-non-native-type", "{}")]),
    ("LZ-4 item", HEAD + SOME + "non_native: [cast]", [("non-native-not-a-mapping", "cast")]),
    ("LZ-4 schema", node("func: cast(Tensr x) -> Tensor"), [("unknown-type", "Tensr")]),
    ("LZ-4 no schema", node("opkind: x"), [("func-missing", "opkind")]),
    ("LZ-4 property", node(f"func: {CAST}, properties: [Lower, Loud]"), [("non-native-unknown-property", "Loud")]),
    ("LZ-4 properties", node(f"func: {CAST}, properties: Lower"), [("non-native-properties-type", "Lower")]),
    ("LZ-4 properties, mixed", node(f"func: {CAST}, properties: [[]]"), [("non-native-properties-type", "[[]]")]),
    ("LZ-4 opkind", node(f"func: {CAST}, opkind: 3"), [("non-native-opkind-type", "3")]),
    ("LZ-4 key", node(f"func: {CAST}, op_kind: x"), [("non-native-unknown-key", "op_kind")]),
    ("LT-5", HEAD + SOME + "symint: [blend]", [(SYMINT, "blend")]),
    ("LT-5 generated", HEAD + "supported: [nudge]\nsymint: [nudge]", [(SYMINT, "nudge")]),
    ("symint: no operator", HEAD + SOME + "symint: [nope]", [("backend-unknown-symint", "nope")]),
    ("symint: not listed", HEAD + SOME + "symint: [peel_copy]", [("backend-symint-not-listed", "peel_copy")]),
    ("symint: namespace", HEAD + SOME + "symint: ['aten::fade']", [("backend-operator-namespace", "'aten::fade'")]),
    ("item: a mapping", HEAD + "supported:\n- func: blend\n", [(TYPE, "func: blend")]),
    ("item: a number", HEAD + "supported: [blend, 3]", [(TYPE, "3")]),
    ("item: empty", HEAD + "supported:\n- blend\n-\n", [(TYPE, "supported")]),
    ("twice", HEAD + "supported: [blend, ripple, blend]", [("backend-duplicate-operator", "blend")]),
    ("in two lists", HEAD + SOME + "full_codegen: [blend]", [("backend-duplicate-operator", "blend")]),
    ("composite", HEAD + "supported: [blend, regroup]", [("backend-composite-operator", "regroup")]),
    ("composite for autograd", HEAD + SOME + "autograd: [regroup]", []),
    ("gone", HEAD + "supported: [align_to]", [(UNKNOWN, "align_to")]),
    ("fallback", HEAD + SOME + "fallback: cuda", [("backend-fallback", "cuda")]),
    ("fallback, type", HEAD + SOME + "fallback: [cpu]", [("backend-fallback", "[cpu]")]),
    ("fallback, empty", HEAD + SOME + "fallback:", [("backend-fallback", "fallback")]),
    ("headers", HEAD + SOME + "headers: a.h", [("backend-headers-type", "a.h")]),
    ("headers, item", HEAD + SOME + "headers: [a.h, 3]", [("backend-headers-type", "[a.h, 3]")]),
    ("headers, empty", HEAD + SOME + "headers:", []),
    ("fallback alone", HEAD + "fallback: error", []),
    ("nothing", HEAD, [(NOTHING, "backend")]),
    ("nothing, empty", HEAD + "supported:\nautograd: []", [(NOTHING, "backend")]),
    ("autograd only", HEAD + "autograd: [probe]", [(NOTHING, "autograd")]),
    ("namespace: depth", KEY + "cpp_namespace: a::b::c\n" + SOME, [("backend-namespace-depth", "a::b::c")]),
    ("namespace: two levels", KEY + "cpp_namespace: a::b\n" + SOME, []),
    ("namespace: form", KEY + "cpp_namespace: a-b\n" + SOME, [("backend-namespace-form", "a-b")]),
    ("namespace: gap", KEY + "cpp_namespace: 'a::'\n" + SOME, [("backend-namespace-form", "'a::'")]),
    ("namespace: keyword", KEY + "cpp_namespace: new\n" + SOME, [("backend-namespace-form", "new")]),
    ("class: type", HEAD + SOME + "class_name: true", [("backend-class-name-type", "true")]),
    ("class: namespace", HEAD + SOME + "class_name: a::B", [("backend-class-name", "a::B")]),
    ("class: keyword", HEAD + SOME + "class_name: class", [("backend-class-name", "class")]),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in RULES], ids=[row[0] for row in RULES])
def test_rule(text: str, expected: Faults) -> None:
    assert check(text) == expected


@pytest.mark.parametrize(
    ("text", "help"),
    [
        (HEAD + "supported: [rippel]", "did you mean 'ripple'?"),
        (HEAD + SOME + "symint: [peel_cpoy]", "did you mean 'peel_copy'?"),
        (HEAD + "supported: [swirl]", "there is swirl.angle, swirl.angle_out"),
        (HEAD + "supported: [blend.scalar]", "did you mean 'blend.Scalar'?"),
        (HEAD + "supported: [align_to]", "remove it, or choose the release with --release"),
        (HEAD + "supported: ['aten::blend']", "write 'blend'"),
        (HEAD + SOME + "device_gaurd: true", "did you mean 'device_guard'?"),
        (
            "backend: XLa\n" + SPACE + SOME,
            "did you mean 'XLA'? Or: a backend without a key of its own uses 'PrivateUse1'",
        ),
        ("backend: Privateuse1\n" + SPACE + SOME, "did you mean 'PrivateUse1'?"),
        (node(f"func: {CAST}, properties: [Lowr]"), "did you mean 'Lower'?"),
        (node(f"func: {CAST}, propertys: [Lower]"), "did you mean 'properties'?"),
    ],
)
def test_help(text: str, help: str) -> None:
    assert [item.help for item in diagnostics(text).items] == [help]


def test_related_places() -> None:
    (split,) = diagnostics(HEAD + SOME + "autograd: [blend_]").items
    assert [(item.place.text, item.message) for item in split.related] == [("blend", "listed for the backend")]
    (taken,) = diagnostics("backend: XPU\n" + SPACE + SOME).items
    assert [item.place.text for item in taken.related] == ["blend.out"]
    (twice,) = diagnostics(HEAD + "supported: [blend, blend]").items
    assert twice.place is not None
    assert twice.related[0].place.start < twice.place.start


def test_a_file_with_every_key() -> None:
    text = f"""
backend: XLA
cpp_namespace: mine
class_name: Kernels
use_out_as_primary: No
device_guard: On
fallback: cpu
headers: [mine/a.h, <b.h>]
supported: [peel_copy]
full_codegen: [ripple]
autograd: [probe]
symint: [peel_copy]
ir_gen: [tally]
non_native: [{{func: {CAST}, opkind: at::prim::Constant, properties: [ShapeCompute]}}]
"""
    assert check(text) == []
    assert all(f"\n{key}:" in text for key in FIELD_NAMES)
