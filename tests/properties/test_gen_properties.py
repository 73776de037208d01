"""What the rules let through can be generated: no operator without errors makes an artifact fail, or leaves one open.

C++ files are well formed as far as brackets go; what compiles is for tests/cpp.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, example, find, given, settings
from hypothesis import strategies as st

from opwright.cpp.tokens import tokenize
from opwright.diagnostics import Diagnostics
from opwright.locate import SAMPLE
from opwright.model.model import Model
from opwright.options import GenOptions
from opwright.output.tree import OutputFile
from opwright.pipeline import generate
from opwright.reading import read_model
from opwright.releases import find_release
from opwright.releases.release import Release
from tests.properties.families import OPTIONS, factories, families, structured_groups, view_groups, writers
from tests.releases import RELEASES, SAMPLES

DEFAULTS = {"int": "1", "SymInt": "2", "float": "0.5", "bool": "True", "str": "'a'", "Scalar": "1", "Tensor": "None"}

CLOSING = {"(": ")", "[": "]", "{": "}"}
MODES = [GenOptions(per_operator_headers=per_operator) for per_operator in (False, True)]
COMPAT = GenOptions(torchgen_compat=True, devices=frozenset({"mps", "xpu", "mtia"}))

types = st.builds(
    lambda base, form: base + form,
    st.sampled_from(["Tensor", "Tensor", "SymInt", *SAMPLES.base_types]),
    st.sampled_from(["", "", "?", "[]", "[2]", "[]?", "[2]?", "?[]", "[][]"]),
)
names = st.sampled_from(["self", "x", "dim", "memory_format", "dtype", "out", "w"])


@st.composite
def arguments(draw: st.DrawFn) -> str:
    type, name = draw(types), draw(names)
    if not draw(st.booleans()):
        return f"{type} {name}"
    default = (
        "None" if type.endswith("?") else "[]" if type.endswith("[]") else DEFAULTS.get(type.partition("[")[0], "1")
    )
    return f"{type} {name}={default}"


@st.composite
def entries(draw: st.DrawFn) -> str:
    positional = draw(st.lists(arguments(), max_size=3))
    keyword = draw(st.lists(arguments(), max_size=2))
    if draw(st.integers(0, 4)) == 0:
        keyword.append(OPTIONS)
    listed = ", ".join([*positional, *(["*", *keyword] if keyword else [])])
    name = draw(st.sampled_from(["foo", "mine::foo", "foo_", "__foo__"]))
    returns = draw(st.sampled_from(["Tensor", "Tensor[]", "(Tensor a, Tensor b)", "int", "()", "SymInt", "Tensor(a!)"]))
    fields = draw(
        st.lists(
            st.sampled_from(
                [
                    "variants: function, method",
                    "dispatch: {CPU: k, CUDA: k}",
                    "tags: nondeterministic_seeded",
                    "manual_cpp_binding: True",
                    "use_const_ref_for_mutable_tensors: True",
                    "autogen: foo.out",
                    "cpp_no_default_args: [dim]",
                ]
            ),
            unique=True,
            max_size=4,
        )
    )
    return f"- func: {name}({listed}) -> {returns}\n" + "".join(f"  {field}\n" for field in fields)


def read(text: str, release: Release) -> tuple[Model, Diagnostics]:
    """The model of a native functions file with this text, and what is wrong with the file."""
    faults = Diagnostics()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "native_functions.yaml"
        path.write_text(text, encoding="utf-8")
        model = read_model(path, SAMPLE / "native" / "tags.yaml", release, faults)
    assert model is not None
    return model, faults


def outcome(text: str, release: Release, *modes: GenOptions) -> str:
    """What becomes of a file: refused by its check, generated from in these modes, or accepted without a way to."""
    model, faults = read(text, release)
    if faults.has_errors:
        return "refused"
    for mode in modes or MODES:
        files = list(generate(model, mode, SAMPLE / "templates", faults))
        if not files or faults.has_errors:
            return "accepted, but not generated"
        wrong = [file.path for file in files if not is_closed(file)]
        if wrong:
            return f"not closed: {wrong[0]}"
    return "generated"


def is_closed(file: OutputFile) -> bool:
    """Whether every bracket of a C++ file has its other half; true of other files."""
    expected: list[str] = []
    for token in tokenize(file.text) if file.path.endswith((".h", ".cpp", ".cu")) else ():
        if token in CLOSING:
            expected.append(CLOSING[token])
        elif token in CLOSING.values() and (not expected or expected.pop() != token):
            return False
    return not expected


@settings(max_examples=200, deadline=None)
@given(entries(), st.sampled_from([release.name for release in RELEASES]))
@example("- func: f(SymInt?[] x) -> Tensor\n", SAMPLES.name)
@example(f"- func: f(Tensor x, *, {OPTIONS}, MemoryFormat memory_format) -> Tensor\n", SAMPLES.name)
@example("- func: f(int self) -> Tensor\n  variants: method\n", SAMPLES.name)
def test_one_operator(text: str, name: str) -> None:
    release = find_release(name)
    assert release is not None
    assert outcome(text, release) in ("refused", "generated")


def test_an_ordinary_operator_is_generated() -> None:
    assert outcome("- func: f(Tensor self, SymInt[2] x=1, *, Tensor? w=None) -> Tensor\n", SAMPLES) == "generated"


@settings(max_examples=150, deadline=None)
@given(families)
def test_operators_that_belong_together(text: str) -> None:
    assert outcome(text, SAMPLES) in ("refused", "generated")


@settings(max_examples=50, deadline=None)
@given(families)
def test_as_torchgen_does_it_for_all_devices(text: str) -> None:
    assert outcome(text, SAMPLES, COMPAT) in ("refused", "generated")


@pytest.mark.parametrize("strategy", [structured_groups(), view_groups(), writers(), factories()])
def test_families_are_not_all_refused(strategy: st.SearchStrategy[str]) -> None:
    quick = settings(phases=[Phase.generate], deadline=None)
    assert find(strategy, lambda text: outcome(text, SAMPLES) == "generated", settings=quick)


def test_a_file_that_is_not_closed() -> None:
    assert is_closed(OutputFile("a.h", 'f(")", [] { /* ( */ });'))
    for text in ("f(", ")", "f(]", "{ ( } )"):
        assert not is_closed(OutputFile("a.h", text))
    assert is_closed(OutputFile("a.yaml", "("))
