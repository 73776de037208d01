"""Every fault that shows only when the files of a lazy backend are made, and where its diagnostic points."""

from __future__ import annotations

from pathlib import Path

import pytest

from opwright import lazy
from opwright.backends import ReadBackend
from opwright.diagnostics import Diagnostics
from opwright.inputs import Inputs
from opwright.locate import SAMPLE
from opwright.model.backend import read_backend
from opwright.model.context import Context
from opwright.options import LazyOptions
from opwright.releases.release import Release
from opwright.source import Source
from opwright.syntax.yaml_reading import read_yaml
from tests.diagnostics.snippets import Faults, underlined
from tests.releases import SAMPLES
from tests.written import entry, model_of

HEAD = "backend: Lazy\ncpp_namespace: mine\n"
#: Operators that break one rule each, but for `lap`.
OPERATORS = (
    entry("lap(Tensor self) -> Tensor", "dispatch: {CPU: lap}")
    + entry("lap_(Tensor(a!) self) -> Tensor(a!)", "dispatch: {CPU: lap_}", "autogen: lap.out")
    + entry("store(Tensor self, Storage source) -> Tensor", "dispatch: {CPU: store}")
    + entry("index(Tensor self, Tensor?[] indices) -> Tensor", "dispatch: {CPU: index}")
    + entry("scale(Tensor self, Scalar[] by) -> Tensor", "dispatch: {CPU: scale}")
    + entry("make(int n) -> Tensor", "dispatch: {CPU: make}")
    + entry("ends(int n, Device? device) -> (Tensor, Tensor)", "dispatch: {CPU: ends}")
    + entry("swap_(Tensor(a!)[] self, Tensor(b!)[] other) -> ()", "dispatch: {CPU: swap_}", "autogen: swap, swap.out")
    + entry("parts(Tensor self) -> Tensor[]", "dispatch: {CPU: parts}")
    + entry("shed_copy(Tensor self) -> Tensor", "tags: view_copy", "dispatch: {CPU: shed_copy}")
)
GENERATORS = entry(
    "draw(Tensor self, *, Generator? first, Generator? second) -> Tensor",
    "tags: nondeterministic_seeded",
    "dispatch: {CPU: draw}",
)


def faults_of(
    text: str, operators: str = OPERATORS, release: Release = SAMPLES, options: LazyOptions | None = None
) -> Diagnostics:
    """What is wrong with a backend file when its files are made."""
    model, faults = model_of(operators, release), Diagnostics()
    root = read_yaml(Source("backend.yaml", HEAD + text), faults)
    assert root is not None
    backend = read_backend(root, Context(release, faults), model, is_lazy=True)
    if backend is not None and not faults.has_errors:
        chosen = options or LazyOptions(shape_inference_hdr="")
        templates = SAMPLE / "templates"
        begun = lazy.begin(ReadBackend(backend, model), chosen, lazy.LazyHooks(), "out", templates, faults, Inputs())
        for planned in lazy.plan(begun):
            planned.text()
    return faults


RULES: list[tuple[str, str, Faults]] = [
    ("sound", "full_codegen: [lap]", []),
    ("LZ-1", "ir_gen: [lap]", [("backend-nothing-supported", "backend")]),
    ("type of a node", "full_codegen: [lap, store]", [("lazy-argument-type", "store")]),
    ("type of a node alone", "supported: [lap]\nir_gen: [store]", [("lazy-argument-type", "store")]),
    ("operand", "full_codegen: [index]", [("lazy-argument-type", "index")]),
    ("input", "full_codegen: [scale]", [("lazy-argument-type", "scale")]),
    ("no device", "full_codegen: [make]", [("lazy-no-device", "make")]),
    ("no tensor", "full_codegen: [ends]", [("lazy-no-tensor", "ends")]),
    ("written", "full_codegen: [swap_]", [("lazy-written-returns", "swap_")]),
    ("returned", "full_codegen: [parts]", [("lazy-return-type", "parts")]),
    ("copy of a view", "full_codegen: [shed_copy]", [("lazy-no-meta-kernel", "shed_copy")]),
    ("same class", "full_codegen: [lap, lap_]", [("lazy-same-class", "lap_")]),
    ("same class, not native", "full_codegen: [lap]\nnon_native: [{func: 'Lap(Tensor x) -> Tensor'}]",
     [("lazy-same-class", "'Lap(Tensor x) -> Tensor'")]),
    ("not native", "full_codegen: [lap]\nnon_native: [{func: 'cast(Storage x) -> Tensor'}]",
     [("lazy-argument-type", "'cast(Storage x) -> Tensor'")]),
    ("several", "full_codegen: [make, scale, lap]", [("lazy-no-device", "make"), ("lazy-argument-type", "scale")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in RULES], ids=[row[0] for row in RULES])
def test_rule(text: str, expected: Faults) -> None:
    assert underlined(faults_of(text)) == expected


def test_results_made_from_the_first_tensor() -> None:
    options = LazyOptions(shape_inference_hdr="", create_from_first_tensor=True)
    operators = entry("fill(int n, Device? device) -> Tensor", "dispatch: {CPU: fill}")
    assert underlined(faults_of("full_codegen: [fill]", operators)) == []
    assert underlined(faults_of("full_codegen: [fill]", operators, options=options)) == [("lazy-no-tensor", "fill")]


def test_messages_name_what_is_wrong() -> None:
    messages = {text: faults_of(f"full_codegen: [{text}]").items[0].message for text in ("scale", "index", "store")}
    assert "'Scalar[]'" in messages["scale"] and "'by'" in messages["scale"]
    assert "'Tensor?[] indices'" in messages["index"]
    assert "'Storage'" in messages["store"]


@pytest.mark.parametrize(
    ("declared", "missing"),
    [
        ("", ["lap", "lap.n"]),
        ("TORCH_API std::vector<torch::lazy::Shape> compute_shape_lap(const at::Tensor & self);", ["lap.n"]),
        ("std::vector<torch::lazy::Shape>\n  compute_shape_lap(\n    const at::Tensor& self);", ["lap.n"]),
        ("// std::vector<torch::lazy::Shape> compute_shape_lap(const at::Tensor & self);", ["lap", "lap.n"]),
        ("std::vector<torch::lazy::Shape> compute_shape_lap(const at::Tensor & self, int64_t n);", ["lap"]),
        ("namespace torch::lazy { std::vector<Shape> compute_shape_lap(const Tensor& x); }", ["lap.n"]),
        ("inline std::vector<Shape> compute_shape_lap(const at::Tensor& self) { return {}; }", ["lap.n"]),
        ("inline auto f(const at::Tensor& self) { return compute_shape_lap(self); }", ["lap", "lap.n"]),
        ("std::vector<Shape> compute_shape_lap(const at::Tensor& self, double n);", ["lap", "lap.n"]),
    ],
    ids=[
        "none",
        "as torchgen wants it",
        "in another layout",
        "in a comment",
        "another overload",
        "inside its namespace",
        "defined",
        "called",
        "other types",
    ],
)
def test_shape_functions(declared: str, missing: list[str], tmp_path: Path) -> None:
    operators = entry("lap(Tensor self) -> Tensor", "dispatch: {CPU: lap}")
    operators += entry("lap.n(Tensor self, int n) -> Tensor", "dispatch: {CPU: lap}")
    model, faults = model_of(operators), Diagnostics()
    root = read_yaml(Source("backend.yaml", f"{HEAD}full_codegen: [lap, lap.n]"), faults)
    assert root is not None
    backend = read_backend(root, Context(SAMPLES, faults), model, is_lazy=True)
    assert backend is not None
    begun = lazy.begin(
        ReadBackend(backend, model), LazyOptions(), lazy.LazyHooks(), "out", SAMPLE / "templates", faults, Inputs()
    )
    header = tmp_path / "shapes.h"
    header.write_text(declared, encoding="utf-8")
    inputs = Inputs()
    for item in lazy.missing_shapes(begun, [header], faults, inputs):
        lazy.shape_missing(item, begun, [header], faults)
    assert underlined(faults) == [("lazy-missing-shape", name) for name in missing]
    assert inputs.paths == [header]


def test_generators_of_older_releases() -> None:
    from opwright.releases import find_release

    older = find_release("2.1")
    assert older is not None
    options = LazyOptions(shape_inference_hdr="", gen_forced_fallback_code=True)
    found = faults_of("full_codegen: [draw]", GENERATORS, older, options)
    assert ("lazy-generator", "draw") in underlined(found)
    assert underlined(faults_of("full_codegen: [draw]", GENERATORS, options=options)) == []
