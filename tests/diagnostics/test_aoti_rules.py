"""Every rule for lists of operators that shims offer: what breaks it, and where the diagnostic points."""

from __future__ import annotations

import pytest

from opwright.diagnostics import Diagnostics
from opwright.model.aoti import read_shim_list
from opwright.model.context import Context
from opwright.releases import named_release
from opwright.source import Source
from opwright.syntax.yaml_reading import read_yaml
from opwright.values import replace
from tests.diagnostics.snippets import Faults, underlined
from tests.releases import SAMPLES
from tests.sample import sample_model


def check(text: str, *, names: bool = True, is_partial: bool = False) -> tuple[Faults, list[str | None]]:
    """The code and the underlined text of each diagnostic, and the helps."""
    faults = Diagnostics()
    root = read_yaml(Source("list.yaml", text), faults)
    assert root is not None
    known = {operator.full_name: operator for operator in sample_model().operators} if names else None
    read_shim_list(root, Context(SAMPLES, faults), known, is_partial=is_partial)
    return underlined(faults), [item.help for item in faults.in_order()]


def device(operator: str, said: str = "{}") -> str:
    return f"devices: {{'{operator}': {said}}}"


KEY, SECTION, UNKNOWN = "aoti-unknown-key", "aoti-section-type", "aoti-unknown-operator"
SINCE, ARGUMENT, LEFT_OUT = "aoti-since-form", "aoti-unknown-argument", "aoti-argument-without-default"

RULES: list[tuple[str, str, Faults]] = [
    ("a list", "- aten::blend", [("aoti-not-a-mapping", "- aten::blend")]),
    ("nothing", "null", [("aoti-not-a-mapping", "null")]),
    ("no such section", "device: {}", [(KEY, "device")]),
    ("no release", device("aten::blend", "{until: x}"), [("aoti-release-name", "x")]),
    ("no release, list", device("aten::blend", "{from: []}"), [("aoti-release-name", "[]")]),
    ("no release, empty", device("aten::blend", "{from: }"), [("aoti-release-name", "from")]),
    ("no release, of a version", device("aten::blend", "{v2: {from: 1.13}}"), [("aoti-release-name", "1.13")]),
    ("no such key", device("aten::blend", "{to: 2.13}"), [(KEY, "to")]),
    ("not offered", device("aten::blnd", "{until: 2.12, v2: {new_args: [wieght]}}"), []),
    ("version not offered", device("aten::blend", "{v2: {until: 2.12, new_args: [wieght]}}"), []),
    ("the first version", device("aten::blend", "{v1: {}}"), [(KEY, "v1")]),
    ("zero in front", device("aten::blend", "{v02: {}, v0: {}}"), [(KEY, "v02"), (KEY, "v0")]),
    ("no number", device("aten::blend", "{vx: {}}"), [(KEY, "vx")]),
    ("no such key of a version", device("aten::blend", "{v2: {args: []}}"), [(KEY, "args")]),
    ("section", "devices: [aten::blend]", [(SECTION, "[aten::blend]")]),
    ("section, empty", "aten:", [(SECTION, "aten")]),
    ("name parts", "optional_returns: blend", [(SECTION, "blend")]),
    ("name parts, empty", "optional_returns: ['']", [(SECTION, "['']")]),
    ("name parts, mixed", "optional_returns: [blend, {}]", [(SECTION, "[blend, {}]")]),
    ("name parts, no names", "optional_returns: [blend.out]", [(SECTION, "[blend.out]")]),
    ("operator", "devices:\n  aten::blend:\n", [("aoti-operator-type", "aten::blend")]),
    ("operator, list", device("aten::blend", "[]"), [("aoti-operator-type", "[]")]),
    ("version", device("aten::blend", "{v2: [weight]}"), [("aoti-version-type", "[weight]")]),
    ("version, empty", device("aten::blend", "{v2: }"), [("aoti-version-type", "v2")]),
    ("since", device("aten::blend", "{since: 2.13}"), [(SINCE, "2.13")]),
    ("since, two numbers", device("aten::blend", "{since: TORCH_VERSION_2_13}"), [(SINCE, "TORCH_VERSION_2_13")]),
    ("since, list", device("aten::blend", "{since: []}"), [(SINCE, "[]")]),
    ("since, empty", device("aten::blend", "{since: }"), [(SINCE, "since")]),
    ("since, of a version", device("aten::blend", "{v2: {since: new}}"), [(SINCE, "new")]),
    ("new arguments", device("aten::blend", "{v2: {new_args: weight}}"), [("aoti-new-args-type", "weight")]),
    ("new arguments, empty", device("aten::blend", "{v2: {new_args: }}"), [("aoti-new-args-type", "new_args")]),
    ("new arguments, mixed", device("aten::blend", "{v2: {new_args: [1]}}"), [("aoti-new-args-type", "[1]")]),
    ("no such argument", device("aten::blend", "{v2: {new_args: [wieght]}}"), [(ARGUMENT, "wieght")]),
    ("no default", device("aten::blend", "{v2: {new_args: [other]}}"), [(LEFT_OUT, "other")]),
    ("an output", device("aten::blend.out", "{v2: {new_args: [out]}}"), [(LEFT_OUT, "out")]),
    (
        "new twice",
        device("aten::ripple", "{v2: {new_args: [rate, rate]}, v3: {new_args: [rate]}}"),
        [("aoti-repeated-argument", "rate"), ("aoti-repeated-argument", "rate")],
    ),
    ("no such operator", device("aten::blnd"), [(UNKNOWN, "'aten::blnd'")]),
    ("no such operator in aten", "aten: {'aten::blnd': {}}", [(UNKNOWN, "'aten::blnd'")]),
    ("both sections", "devices: {'aten::blend': {}}\naten: {'aten::blend': {}}", []),
    ("repeated", "devices: {'aten::blend': {}, 'aten::blend': {}}", [("duplicate-key", "'aten::blend'")]),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in RULES], ids=[row[0] for row in RULES])
def test_rule(text: str, expected: Faults) -> None:
    assert check(text)[0] == expected


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("aten::blnd", "did you mean 'aten::blend'?"),
        ("aten::blend.otu", "did you mean 'aten::blend.out'?"),
        ("mien::tilt", "did you mean 'mine::tilt'?"),
        ("aten.blend.out", "write 'aten::blend.out'"),
        ("aten.blend.default", "write 'aten::blend'"),
        ("mine.tilt.default", "write 'mine::tilt'"),
        ("blend", "did you mean 'aten::blend'?"),
        (
            "aten::swirl",
            "every operator of that name has an overload name; list those you want, such as 'aten::swirl.angle'",
        ),
        ("another_library::blend", None),
    ],
)
def test_hint_for_an_unknown_operator(name: str, hint: str | None) -> None:
    assert check(device(name)) == ([(UNKNOWN, f"'{name}'")], [hint])


@pytest.mark.parametrize(
    ("since", "hint"),
    [
        ("2.13", "write 'TORCH_VERSION_2_13_0'"),
        ("2.13.1", "write 'TORCH_VERSION_2_13_1'"),
        ("v2.13", "write 'TORCH_VERSION_2_13_0'"),
        ("soon", None),
    ],
)
def test_hint_for_a_release(since: str, hint: str | None) -> None:
    assert check(device("aten::blend", f"{{since: {since}}}"))[1] == [hint]


@pytest.mark.parametrize(
    ("name", "hint"),
    [("2.12.1", "write '2.12'"), ("TORCH_VERSION_2_9_0", "write '2.9'"), ("2.31", None), ("next", None)],
)
def test_hint_for_a_release_of_a_range(name: str, hint: str | None) -> None:
    assert check(device("aten::blend", f"{{from: '{name}'}}"))[1] == [hint]


@pytest.mark.parametrize(
    ("release", "expected"), [("2.11", [LEFT_OUT]), ("2.12", [])], ids=["null options", "defaults"]
)
def test_what_earlier_versions_pass_in_a_release(release: str, expected: list[str]) -> None:
    faults = Diagnostics()
    root = read_yaml(Source("list.yaml", device("aten::blend", "{v2: {new_args: [weight]}}")), faults)
    assert root is not None
    known = {operator.full_name: operator for operator in sample_model().operators}
    read_shim_list(root, Context(named_release(release), faults), known)
    assert [item.code for item in faults.items] == expected
    messages = [item.message for item in faults.items]
    shown = "'weight' cannot be left out by earlier versions: in PyTorch 2.11 only optional arguments can"
    assert messages == [shown] * len(expected)


def test_functions_of_one_name() -> None:
    """Names of namespaces are not in the names of functions, and versions look like overloads."""
    operator = sample_model().operators[0]
    context = Context(SAMPLES, Diagnostics())
    known = {}
    for full in ("aten::blend", "mine::blend", "aten::blend.v2"):
        namespace, _, text = full.partition("::")
        schema = context.parser.parse(f"{text}(Tensor self) -> Tensor")
        known[full] = replace(operator, namespace=namespace, name=schema.name, schema=schema)
    text = "devices: {'aten::blend': {v2: {}}, 'mine::blend': {}, 'aten::blend.v2': {}}"
    root = read_yaml(Source("list.yaml", text), context.faults)
    assert root is not None
    shims = read_shim_list(root, context, known)
    assert underlined(context.faults) == [
        ("aoti-same-function", "'mine::blend'"),
        ("aoti-same-function", "'aten::blend.v2'"),
    ]
    assert [shim.operator for shim in shims.devices] == [known["aten::blend"]]


def test_what_a_source_with_part_of_the_operators_may_lack() -> None:
    text = "devices: {'aten::blnd': {}, 'aten::blend': {v2: {new_args: [wieght]}}}"
    assert check(text, is_partial=True) == ([], [])
    assert check(text, names=False) == ([], [])
    assert check("devices: {'aten::blend': {v2: {new_args: [other]}}}", is_partial=True)[0] == [(LEFT_OUT, "other")]
