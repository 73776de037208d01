"""What the rules let through can be generated: no operator without errors makes an artifact fail."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st

from opwright.diagnostics import Diagnostics
from opwright.locate import SAMPLE
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
def entries(draw: st.DrawFn, number: int) -> str:
    positional = draw(st.lists(arguments(), max_size=3))
    keyword = draw(st.lists(arguments(), max_size=2))
    if draw(st.integers(0, 4)) == 0:
        keyword.append(OPTIONS)
    listed = ", ".join([*positional, *(["*", *keyword] if keyword else [])])
    name = draw(st.sampled_from(["foo", "mine::foo", "foo_", "__foo__"])).replace("foo", f"foo{number}")
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
                    f"autogen: foo{number}.out",
                    "cpp_no_default_args: [dim]",
                ]
            ),
            unique=True,
            max_size=4,
        )
    )
    return f"- func: {name}({listed}) -> {returns}\n" + "".join(f"  {field}\n" for field in fields)


def generated(text: str, release: Release) -> bool:
    """Generate from a native functions file with this text if it has no errors; whether it had none."""
    faults = Diagnostics()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "native_functions.yaml"
        path.write_text(text, encoding="utf-8")
        model = read_model(path, SAMPLE / "native" / "tags.yaml", release, faults)
        if model is None or faults.has_errors:
            return False
        for per_operator in (False, True):
            files = generate(model, GenOptions(per_operator_headers=per_operator), SAMPLE / "templates", faults)
            assert files and not faults.has_errors
    return True


@settings(max_examples=200, deadline=None)
@given(entries(1), st.sampled_from(RELEASES))
@example("- func: f(SymInt?[] x) -> Tensor\n", NEWEST)
@example(f"- func: f(Tensor x, *, {OPTIONS}, MemoryFormat memory_format) -> Tensor\n", NEWEST)
@example("- func: f(int self) -> Tensor\n  variants: method\n", NEWEST)
def test_one_operator(text: str, release: Release) -> None:
    generated(text, release)


def test_an_ordinary_operator_is_generated() -> None:
    assert generated("- func: f(Tensor self, SymInt[2] x=1, *, Tensor? w=None) -> Tensor\n", NEWEST)
