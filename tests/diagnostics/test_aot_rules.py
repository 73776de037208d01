"""Every rule for modules that declare kernels compiled ahead of time: what breaks it, and where that is shown."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from opwright.diagnostics import Diagnostics
from opwright.locate import SAMPLE
from opwright.model.aot_stubs import AotStub, find_stubs
from opwright.model.context import Context
from opwright.model.model import Model
from opwright.model.native_aot import read_declarations
from opwright.reading import read_model
from opwright.releases import named_release
from opwright.source import Source
from tests.diagnostics.snippets import Faults, underlined

RELEASE = named_release("2.15")
TEXTS = 'ATEN_OP = "blend"\nDISPATCH_KEY = "CUDA"\nKERNEL_MODULE = "kernels.py"\n'
FUNCTIONS = "from shared import kernel_precompile_grid, covered_axes, cpp_dispatch, cpp_launch\n"
PLAIN = TEXTS + FUNCTIONS
CLASS = "".join(f"    {line}\n" for line in PLAIN.splitlines())
FAMILY = f"class Blend:\n{CLASS}\n\ndef declarations():\n    return [Blend()]\n"
#: Operators of which the groups of two share a name, and the stubs of two others would.
OTHERS = """\
- func: soak.deep(Tensor self) -> Tensor
  structured_delegate: soak.deep_out
- func: soak.deep_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CUDA: soak_deep_out}
- func: soak.by(Tensor self, int n) -> Tensor
  structured_delegate: soak.by_out
- func: soak.by_out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CUDA: soak_by_out}
- func: soak_deep(Tensor self) -> Tensor
  structured_delegate: soak_deep.out
- func: soak_deep.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CUDA: other_out}
"""


@cache
def model_of(native: Path, *flags: str) -> Model:
    faults = Diagnostics()
    model = read_model(native, SAMPLE / "native" / "tags.yaml", RELEASE, faults, frozenset(flags))
    assert model is not None and faults.items == []
    return model


def sample(*flags: str) -> Model:
    return model_of(SAMPLE / "native" / "native_functions.yaml", *flags)


def check(*texts: str, model: Model | None = None, flags: tuple[str, ...] = ()) -> tuple[Diagnostics, list[AotStub]]:
    """The diagnostics of modules, and the stubs that they declare."""
    faults = Diagnostics()
    declarations = []
    for number, text in enumerate(texts):
        declarations += read_declarations(Source(f"{number}/aot.py", text), faults)
    context = Context(RELEASE, faults, flags=frozenset(flags))
    return faults, list(find_stubs(declarations, model or sample(*flags), context))


def said(text: str) -> Faults:
    return underlined(check(text)[0])


MISSING, COMPUTED, TYPE, ARCHITECTURE = "aot-missing-name", "aot-computed", "aot-value-type", "aot-architecture"
PARAMETERS, SYNTAX, MISSPELT, UNUSED = "aot-function-parameters", "aot-syntax", "aot-misspelt-name", "aot-unused-stub"


def changed(old: str, new: str) -> str:
    assert old in PLAIN
    return PLAIN.replace(old, new)


def family(old: str, new: str) -> str:
    assert old in FAMILY
    return FAMILY.replace(old, new)


def method(parameters: str) -> str:
    """A family of which a method has these parameters."""
    return family("\n\ndef", f"    def cpp_dispatch({parameters}): pass\n\ndef")


MAKER = "class Blend:\n    def __init__(self): f(self)"
RULES: list[tuple[str, str, Faults]] = [
    ("a declaration", PLAIN, []),
    ("all parts", PLAIN + "UNCONDITIONAL = False\nARCHS = ['sm_90', 'sm_121a']\ncpp_covers = None\n", []),
    ("with a type", changed("ATEN_OP =", "ATEN_OP: str ="), []),
    ("two names at once", PLAIN + "CALLED = UNCONDITIONAL = True\n", []),
    ("the last value counts", "if True:\n    ATEN_OP = 'x'\n" + PLAIN, []),
    ("any text of the kernels", changed('"kernels.py"', "here / 'kernels.py'"), []),
    ("not Python", "ATEN_OP = \n", [(SYNTAX, "")]),
    ("not closed", PLAIN + "f(\n", [(SYNTAX, "(")]),
    ("empty", "", [(MISSING, "")]),
    ("no text", changed('ATEN_OP = "blend"\n', ""), [(MISSING, 'DISPATCH_KEY = "CUDA"')]),
    ("no value", changed('ATEN_OP = "blend"', "ATEN_OP: str"), [(MISSING, "ATEN_OP: str")]),
    ("no function", changed(", cpp_launch", ""), [(MISSING, 'ATEN_OP = "blend"')]),
    ("a call", changed('"blend"', 'str("blend")'), [(COMPUTED, 'str("blend")')]),
    ("a formatted text", changed('"CUDA"', 'f"CUDA"'), [(COMPUTED, 'f"CUDA"')]),
    ("another name", changed('"CUDA"', "KEY"), [(COMPUTED, "KEY")]),
    ("a branch", PLAIN + "if wide:\n    ATEN_OP = 'mix'\n", [(COMPUTED, "if wide:")]),
    ("added to", PLAIN + 'ATEN_OP += ".out"\n', [(COMPUTED, 'ATEN_OP += ".out"')]),
    ("removed", PLAIN + "del ATEN_OP\n", [(COMPUTED, "del ATEN_OP")]),
    ("unpacked", PLAIN + "ATEN_OP, n = 'mix', 1\n", [(COMPUTED, "ATEN_OP, n = 'mix', 1")]),
    ("an exception", PLAIN + "try: f()\nexcept E as ATEN_OP: pass\n", [(COMPUTED, "try: f()")]),
    ("an import", PLAIN + "import shared as ATEN_OP\n", [(COMPUTED, "import shared as ATEN_OP")]),
    ("a name of a function's own", PLAIN + "def f():\n    ATEN_OP = g()\n", []),
    ("a function", PLAIN + "def ATEN_OP(): pass\n", [(COMPUTED, "ATEN_OP")]),
    ("any names", PLAIN + "from shared import *\n", [(COMPUTED, "from shared import *")]),
    ("a number", changed('"blend"', "3"), [(TYPE, "3")]),
    ("bytes", changed('"kernels.py"', 'b"k"'), [(TYPE, 'b"k"')]),
    ("no Boolean", PLAIN + "UNCONDITIONAL = 1\n", [(TYPE, "1")]),
    ("a computed switch", PLAIN + "UNCONDITIONAL = not 1\n", [(COMPUTED, "not 1")]),
    ("no function at all", PLAIN + "cpp_launch = None\n", [(TYPE, "None")]),
    ("no optional function", PLAIN + "cpp_helpers = 'text'\n", [(TYPE, "'text'")]),
    ("one parameter too few", PLAIN + "def cpp_launch(spec): pass\n", [(PARAMETERS, "cpp_launch")]),
    ("one too many", PLAIN + "async def cpp_covers(a=1): pass\n", [(PARAMETERS, "cpp_covers")]),
    ("parameters by keyword", PLAIN + "def cpp_dispatch(spec, /, *more, wide=1, **others): pass\n", []),
    ("changed by a decorator", PLAIN + "@bound\ndef cpp_dispatch(): pass\n", []),
    ("parameters of the operator", PLAIN + "def covered_axes(self, k, dim): pass\n", []),
    ("no architectures", PLAIN + "ARCHS = ()\n", [(TYPE, "()")]),
    ("one architecture", PLAIN + "ARCHS = 'sm_90'\n", [(TYPE, "'sm_90'")]),
    ("an architecture of another form", PLAIN + "ARCHS = ('sm_90', 'sm-90')\n", [(ARCHITECTURE, "'sm-90'")]),
    ("too short", PLAIN + "ARCHS = ('sm_9',)\n", [(ARCHITECTURE, "'sm_9'")]),
    ("too long", PLAIN + "ARCHS = ('sm_1000',)\n", [(ARCHITECTURE, "'sm_1000'")]),
    ("no generation", PLAIN + "ARCHS = ('sm_20', 'sm_130')\n", [(ARCHITECTURE, "'sm_20'"), (ARCHITECTURE, "'sm_130'")]),
    ("no text of an architecture", PLAIN + "ARCHS = ('sm_90', 90)\n", [(ARCHITECTURE, "90")]),
    ("computed architectures", PLAIN + "ARCHS = tuple(of_build)\n", []),
    ("misspelt", PLAIN + "UNCONDITONAL = True\n", [(MISSPELT, "UNCONDITONAL")]),
    ("like an own name", PLAIN + "_cpp_covers = 1\ncpp = 2\n", []),
    ("like a name that is there", PLAIN + "ARCHS = ('sm_90',)\nARCH = ARCHS[0]\n", []),
    ("a family", FAMILY, []),
    ("a family from a table", family("[Blend()]", "[D(row) for row in TABLE]"), [(COMPUTED, "declarations")]),
    (
        "a family in steps",
        family("    return [Blend()]", "    x = [Blend()]\n    return x"),
        [(COMPUTED, "declarations")],
    ),
    ("a family that is imported", "from shared import declarations\n", [(COMPUTED, "from shared import declarations")]),
    ("an empty family", family("[Blend()]", "[]"), [(TYPE, "declarations")]),
    ("a documented family", family("    return", '    """All of them."""\n    return'), []),
    ("a member with arguments", family("Blend()", "Blend('mix')"), [(COMPUTED, "Blend('mix')")]),
    ("a member that is a class", family("[Blend()]", "[Blend]"), [(COMPUTED, "Blend")]),
    ("a member from elsewhere", family("Blend()", "Other()"), [(COMPUTED, "Other()")]),
    (
        "a member that makes itself",
        family("class Blend:", "class Blend:\n    def __init__(self): f(self)"),
        [(COMPUTED, "Blend()")],
    ),
    ("a decorated class", family("class Blend", "@dataclass\nclass Blend"), [(COMPUTED, "Blend()")]),
    ("a base from elsewhere", family("class Blend", "class Blend(Other)"), [(COMPUTED, "Blend()")]),
    ("a base of its own name", family("class Blend", "class Blend(Blend)"), [(COMPUTED, "Blend()")]),
    ("a base of all", family("class Blend", "class Blend(object)"), []),
    ("a method", method("self, spec"), []),
    (
        "a method without its object",
        method("spec"),
        [(PARAMETERS, "cpp_dispatch")],
    ),
    ("no such key", changed('"CUDA"', '"CDUA"'), [("aot-unknown-key", '"CDUA"')]),
    ("no such operator", changed('"blend"', '"blnd"'), [("aot-unknown-operator", '"blnd"')]),
    ("no structured operator", changed('"blend"', '"gate"'), [("aot-not-structured", '"gate"')]),
    ("an out variant", changed('"blend"', '"pool.o"'), [("aot-not-structured", '"pool.o"')]),
    ("no kernel under the key", changed('"CUDA"', '"Meta"'), [(UNUSED, '"Meta"')]),
    ("no structured kernel", changed('"CUDA"', '"SparseCUDA"'), [(UNUSED, '"SparseCUDA"')]),
    ("the CPU", changed('"CUDA"', '"CPU"'), [(UNUSED, '"CPU"')]),
    ("a key that is off", changed('"CUDA"', '"XPU"'), []),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in RULES], ids=[row[0] for row in RULES])
def test_rule(text: str, expected: Faults) -> None:
    assert said(text) == expected


def test_what_is_declared() -> None:
    faults, stubs = check(PLAIN + "UNCONDITIONAL = True\n", changed('"blend"', '"pool"'))
    assert faults.items == []
    assert [(str(stub), stub.name, stub.type, stub.unconditional) for stub in stubs] == [
        ("blend@CUDA", "blend_aot_stub", "blend_aot_fn", True),
        ("pool@CUDA", "pool_aot_stub", "pool_aot_fn", False),
    ]


def test_a_member_has_what_its_base_has() -> None:
    text = FAMILY.replace("\n\ndef", "class Pool(Blend):\n    ATEN_OP = 'pool'\n    UNCONDITIONAL = True\n\ndef")
    faults, stubs = check(text.replace("[Blend()]", "[Blend(), Pool()]"))
    assert faults.items == []
    assert [(stub.operator, stub.unconditional) for stub in stubs] == [("blend", False), ("pool", True)]


def test_declared_twice() -> None:
    faults, stubs = check(PLAIN, PLAIN, changed('"CUDA"', '"XPU"'))
    assert underlined(faults) == [("aot-declared-twice", '"blend"')]
    assert [item.related[0].place.source.path for item in faults.items] == ["0/aot.py"]
    assert [str(stub) for stub in stubs] == ["blend@CUDA", "blend@XPU"]


@pytest.fixture
def others(tmp_path: Path) -> Model:
    native = tmp_path / "others.yaml"
    native.write_text(OTHERS)
    return model_of(native)


@pytest.mark.parametrize(
    ("names", "code", "message", "help"),
    [
        (
            ["soak"],
            "aot-ambiguous-operator",
            "'soak' is the name of several structured operators: soak.deep, soak.by",
            "name one of them with its overload, such as 'soak.deep'",
        ),
        (
            ["soak.deep", "soak_deep"],
            "aot-same-stub",
            "the stub of 'soak_deep' has the same name as that of 'soak.deep'",
            None,
        ),
        (
            ["soak_deep", "soak_deep"],
            "aot-declared-twice",
            "kernels of 'soak_deep' under 'CUDA' are declared already",
            None,
        ),
        (
            ["soak.deep_out"],
            "aot-not-structured",
            "'soak.deep_out' is a variant; kernels are declared for all variants at once",
            "write 'soak.deep'",
        ),
        (["soak.deeep"], "aot-unknown-operator", "there is no operator 'soak.deeep'", "did you mean 'soak.deep'?"),
        (
            ["aten::soak.deep"],
            "aot-unknown-operator",
            "there is no operator 'aten::soak.deep'",
            "write 'soak.deep', without a namespace",
        ),
    ],
)
def test_names(names: list[str], code: str, message: str, help: str | None, others: Model) -> None:
    faults, _ = check(*[changed("blend", name) for name in names], model=others)
    assert [(item.code, item.message, item.help) for item in faults.items] == [(code, message, help)]


def test_overloads_have_groups_of_their_own(others: Model) -> None:
    faults, stubs = check(changed("blend", "soak.by"), changed("blend", "soak_deep"), model=others)
    assert faults.items == []
    assert [(stub.name, stub.group.out.name.text) for stub in stubs] == [
        ("soak_by_aot_stub", "soak.by_out"),
        ("soak_deep_aot_stub", "soak_deep.out"),
    ]


@pytest.mark.parametrize(
    ("text", "help"),
    [
        (changed("ATEN_OP =", "ATEN_OPS ="), "rename 'ATEN_OPS' if it is meant to be 'ATEN_OP'"),
        (changed(", cpp_launch", ""), "write def cpp_launch(spec, launch_fn)"),
        (changed('KERNEL_MODULE = "kernels.py"\n', ""), 'write KERNEL_MODULE = "kernels.py"'),
        (FAMILY.replace(", cpp_dispatch", ""), "write def cpp_dispatch(self, spec)"),
        (PLAIN + "def cpp_covers(self): pass\n", "write def cpp_covers()"),
        (PLAIN + "ARCHS = ('sm_90b',)\n", "did you mean 'sm_90'?"),
        (PLAIN + "cpp_helper = f\n", "did you mean 'cpp_helpers'?"),
        (changed('"CUDA"', '"CDUA"'), "did you mean 'CUDA'?"),
        (changed('"blend"', '"swirl"'), "make it structured first"),
    ],
)
def test_help(text: str, help: str) -> None:
    assert [item.help for item in check(text)[0].items] == [help]


def test_a_switch_makes_a_key_count() -> None:
    glue = changed('"blend"', '"glue"').replace("CUDA", "XPU")
    assert underlined(check(glue)[0]) == []
    assert underlined(check(glue, flags=("xpu",))[0]) == [(UNUSED, '"XPU"')]
    assert underlined(check(changed("CUDA", "XPU"), flags=("xpu",))[0]) == []
