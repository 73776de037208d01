"""What the rules let through can be generated: no operator without errors makes an artifact fail."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st

from opwright.diagnostics import Diagnostics
from opwright.locate import SAMPLE
from opwright.model.model import Model
from opwright.options import GenOptions
from opwright.pipeline import generate, read_model
from opwright.releases import NEWEST, RELEASES
from opwright.releases.release import Release

DEFAULTS = {"int": "1", "SymInt": "2", "float": "0.5", "bool": "True", "str": "'a'", "Scalar": "1", "Tensor": "None"}
OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"

types = st.builds(
    lambda base, form: base + form,
    st.sampled_from(["Tensor", "Tensor", "SymInt", *NEWEST.base_types]),
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


def outcome(text: str, release: Release) -> str:
    """What becomes of a file: refused by its check, generated from in both modes, or accepted without a way to."""
    model, faults = read(text, release)
    if faults.has_errors:
        return "refused"
    modes = [GenOptions(per_operator_headers=per_operator) for per_operator in (False, True)]
    made = [generate(model, mode, SAMPLE / "templates", faults) for mode in modes]
    return "generated" if all(made) and not faults.has_errors else "accepted, but not generated"


@settings(max_examples=200, deadline=None)
@given(entries(), st.sampled_from(RELEASES))
@example("- func: f(SymInt?[] x) -> Tensor\n", NEWEST)
@example(f"- func: f(Tensor x, *, {OPTIONS}, MemoryFormat memory_format) -> Tensor\n", NEWEST)
@example("- func: f(int self) -> Tensor\n  variants: method\n", NEWEST)
def test_one_operator(text: str, release: Release) -> None:
    assert outcome(text, release) in ("refused", "generated")


def test_an_ordinary_operator_is_generated() -> None:
    assert outcome("- func: f(Tensor self, SymInt[2] x=1, *, Tensor? w=None) -> Tensor\n", NEWEST) == "generated"
