"""Every rule for selection files: what breaks it, and where the diagnostic points (spec 03 section 10, SE)."""

from __future__ import annotations

import pytest

from opwright.diagnostics import Diagnostics
from opwright.model.context import Context
from opwright.model.selection import FIELDS, OPERATOR_FIELDS, read_selection
from opwright.source import Source
from opwright.syntax.yaml_reading import read_yaml
from tests.diagnostics.snippets import Faults, underlined
from tests.releases import SAMPLES

KNOWN = ("aten::add.Tensor", "aten::add.Scalar", "aten::blend", "aten::blend.out", "mine::tilt")


def check(text: str) -> tuple[Faults, list[str | None]]:
    """The code and the underlined text of each diagnostic, and the helps."""
    faults = Diagnostics()
    root = read_yaml(Source("selection.yaml", text), faults)
    assert root is not None
    read_selection(root, Context(SAMPLES, faults), KNOWN)
    return underlined(faults), [item.help for item in faults.in_order()]


TYPE, KEY = "selection-{}-type", "selection-unknown-key"
UNKNOWN, FOREIGN = "selection-unknown-operator", "selection-unknown-namespace"

RULES: list[tuple[str, str, Faults]] = [
    ("SE-2 top", "operator: {}", [(KEY, "operator")]),
    ("SE-2 operator", "operators: {'aten::blend': {is_root: true}}", [(KEY, "is_root")]),
    ("SE-2 both", "x: 1\noperators: {'aten::blend': {y: 2}}", [(KEY, "x"), (KEY, "y")]),
    ("SE-3 all", "include_all_operators: all", [(TYPE.format("include-all-operators"), "all")]),
    ("SE-3 all, empty", "include_all_operators:", [(TYPE.format("include-all-operators"), "include_all_operators")]),
    ("SE-3 types", "include_all_non_op_selectives: 1", [(TYPE.format("include-all-non-op-selectives"), "1")]),
    ("SE-3 operators", "operators: ['aten::blend']", [(TYPE.format("operators"), "['aten::blend']")]),
    ("SE-3 operators, empty", "operators:", [(TYPE.format("operators"), "operators")]),
    ("SE-3 kernels", "kernel_metadata: []", [(TYPE.format("kernel-metadata"), "[]")]),
    ("SE-3 kernel", "kernel_metadata: {add: float}", [(TYPE.format("kernel-metadata"), "float")]),
    ("SE-3 kernel, empty", "kernel_metadata: {add: }", [(TYPE.format("kernel-metadata"), "add")]),
    ("SE-3 kernel, mixed", "kernel_metadata: {add: [a, {}]}", [(TYPE.format("kernel-metadata"), "[a, {}]")]),
    ("SE-3 kernel keys", "et_kernel_metadata: x", [(TYPE.format("et-kernel-metadata"), "x")]),
    ("SE-3 classes", "custom_classes: Packed", [(TYPE.format("custom-classes"), "Packed")]),
    ("SE-3 features", "build_features: {a: b}", [(TYPE.format("build-features"), "{a: b}")]),
    ("SE-3 debug info", "debug_info: model", [(TYPE.format("debug-info"), "model")]),
    ("SE-3 debug info, own", "operators: {'aten::blend': {debug_info: m}}", [(TYPE.format("debug-info"), "m")]),
    ("SE-3 root", "operators: {'aten::blend': {is_root_operator: 1}}", [(TYPE.format("is-root-operator"), "1")]),
    (
        "SE-3 training",
        "operators: {'aten::blend': {is_used_for_training: 'no'}}",
        [(TYPE.format("is-used-for-training"), "'no'")],
    ),
    (
        "SE-3 overloads",
        "operators: {'aten::blend': {include_all_overloads: []}}",
        [(TYPE.format("include-all-overloads"), "[]")],
    ),
    ("SE-4", "operators: {'aten::blend': {name: blend}}", [("selection-name-mismatch", "blend")]),
    ("SE-4 empty", "operators: {'aten::blend': {name: }}", [("selection-name-mismatch", "name")]),
    ("SE-5 list", "- aten::blend", [("selection-not-a-mapping", "- aten::blend")]),
    ("SE-5 null", "null", [("selection-not-a-mapping", "null")]),
    ("SE-5 operator", "operators:\n  aten::blend:\n", [("selection-operator-type", "aten::blend")]),
    ("SE-5 operator, null", "operators: {'aten::blend': null}", [("selection-operator-type", "null")]),
    ("SE-5 operator, list", "operators: {'aten::blend': []}", [("selection-operator-type", "[]")]),
    ("no such operator", "operators: {'aten::blnd': {}}", [(UNKNOWN, "'aten::blnd'")]),
    ("no such overload", "operators: {aten::add.Tensr: {}}", [(UNKNOWN, "aten::add.Tensr")]),
    ("no overload", "operators: {aten::add: {include_all_overloads: false}}", [(UNKNOWN, "aten::add")]),
    ("no namespace", "operators: {blend: {}}", [(UNKNOWN, "blend")]),
    ("slip in a namespace", "operators: {min::tilt: {}}", [(UNKNOWN, "min::tilt")]),
    ("another library", "operators: {quantized::linear: {}}", [(FOREIGN, "quantized::linear")]),
    ("repeated", "debug_info: []\ndebug_info: []", [("duplicate-key", "debug_info")]),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in RULES], ids=[row[0] for row in RULES])
def test_rule(text: str, expected: Faults) -> None:
    assert check(text)[0] == expected


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("aten::blnd", "aten::blend"),
        ("aten::add.Tensr", "aten::add.Tensor"),
        ("blend", "aten::blend"),
        ("tilt", "mine::tilt"),
        ("min::tilt", "mine::tilt"),
    ],
)
def test_near_name(name: str, near: str) -> None:
    assert check(f"operators: {{'{name}': {{}}}}")[1] == [f"did you mean '{near}'?"]


def test_near_keys() -> None:
    text = "operatrs: {}\noperators: {'aten::blend': {is_root_operatr: true}}"
    assert check(text)[1] == ["did you mean 'operators'?", "did you mean 'is_root_operator'?"]


def test_a_file_with_every_key() -> None:
    text = """
include_all_operators: No
include_all_non_op_selectives: yes
debug_info: [model@1, 2]
operators:
  aten::blend: {name: 'aten::blend', is_root_operator: true, is_used_for_training: off, include_all_overloads: on}
  aten::add: {debug_info: [model@1]}
  aten::add.Tensor: {}
kernel_metadata: {add_kernel: [float, int8], mul_kernel: []}
et_kernel_metadata: {'aten::add.out': ['v1/6;0,1|6;0,1']}
custom_classes: [Packed]
build_features: []
"""
    assert check(text)[0] == []
    assert all(key in text for key in (*FIELDS, *OPERATOR_FIELDS))


def test_names_are_not_looked_up_without_a_source() -> None:
    faults = Diagnostics()
    root = read_yaml(Source("selection.yaml", "operators: {nope: {}}"), faults)
    assert root is not None
    assert read_selection(root, Context(SAMPLES, faults), None).is_selected("nope")
    assert not faults.items
