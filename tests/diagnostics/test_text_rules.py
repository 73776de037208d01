"""The rules for schema texts: each row has a schema and what is reported of it, with the part that is underlined.

The names in the second column are those of the rules in the specification; rows without one are about faults that
torchgen does not look for.
"""

from __future__ import annotations

import pytest

from opwright.diagnostics import Diagnostics
from opwright.model.catalog import read_catalog
from opwright.model.context import Context
from opwright.releases import find_release
from opwright.releases.release import Release
from opwright.source import Source
from opwright.syntax.yaml_reading import read_yaml
from tests.diagnostics.snippets import Faults
from tests.releases import SAMPLES

OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"

# fmt: off
NAMES: list[tuple[str, str, Faults]] = [
    ("NM-1", ".foo(Tensor self) -> Tensor", [("empty-name", ".")]),
    ("NM-1", "(Tensor self) -> Tensor", [("empty-name", "")]),
    ("NM-1", "_(Tensor(a!) self) -> Tensor(a!)", [("empty-name", "_")]),
    ("NM-1", "_functional(Tensor self) -> Tensor", [("empty-name", "_functional")]),
    ("NM-2", "foo_out(Tensor self) -> Tensor", [("out-suffix", "foo_out")]),
    ("NM-2", "foo_out.x(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [("out-suffix", "foo_out")]),
    ("NM-3", "__ifoo__(Tensor self) -> Tensor", [("augmented-name", "__ifoo__")]),
    ("NM-4", "f_functional_(Tensor(a!) self) -> Tensor(a!)", [("functional-suffix", "_functional")]),
    ("NM-5", "foo.(Tensor self) -> Tensor", [("overload-form", ".")]),
    ("", "foo.a.b(Tensor self) -> Tensor", [("overload-form", "a.b")]),
    ("", "foo.a-b(Tensor self) -> Tensor", [("overload-form", "a-b")]),
    ("", "a b(Tensor self) -> Tensor", [("name-form", "a b")]),
    ("", "f (Tensor self) -> Tensor", [("name-form", " ")]),
    ("", "1foo(Tensor self) -> Tensor", [("name-form", "1foo")]),
    ("", "fóo(Tensor self) -> Tensor", [("name-form", "fóo")]),
    ("", "and(Tensor self) -> Tensor", [("keyword-name", "and")]),
    ("NS-1", "a::b::foo(Tensor self) -> Tensor", [("nested-namespace", "a::b")]),
    ("NS-2", "foo(int x=A::B) -> Tensor", [("default-value", "A::B")]),
    ("NS-2", "c::foo(int x=A::B) -> Tensor", [("default-value", "A::B")]),
    ("", "::foo(Tensor self) -> Tensor", [("namespace-form", "::")]),
    ("", "1a::foo(Tensor self) -> Tensor", [("namespace-form", "1a")]),
    ("", "int::foo(Tensor self) -> Tensor", [("namespace-form", "int")]),
    ("", "a:::foo(Tensor self) -> Tensor", [("namespace-form", "a:")]),
]

PARTS: list[tuple[str, str, Faults]] = [
    ("TY-1", "f(Foo x) -> ()", [("unknown-type", "Foo")]),
    ("TY-1", "f(Any x) -> ()", [("unknown-type", "Any")]),
    ("TY-1", "f(Dimname x) -> ()", [("unknown-type", "Dimname")]),
    ("TY-1", "f(Fo?[] Fo) -> Foo", [("unknown-type", "Fo"), ("unknown-type", "Foo")]),
    ("TY-1", "f(tensor(a!)[] x, Foo y=1) -> ()", [("unknown-type", "tensor"), ("unknown-type", "Foo")]),
    ("TY-2", "f(int[0] x) -> ()", [("list-size", "0")]),
    ("TY-2", "f(int[03] x) -> ()", [("list-size", "03")]),
    ("TY-2", "f(int[-1] x) -> int[x]", [("list-size", "-1"), ("list-size", "x")]),
    ("TY-2", f"f(int[{'9' * 5000}] x) -> ()", [("list-size", "9" * 5000)]),
    ("TY-2", "f(int[2 x) -> ()", [("type-syntax", "[")]),
    ("TY-2", "f(Dict(str, int x) -> ()", [("type-syntax", "(")]),
    ("TY-2", f"f(int{'?' * 1000} x) -> ()", [("type-syntax", "int" + "?" * 20)]),
    ("TY-2", f"f({'(' * 1000} x) -> ()", [("type-syntax", "(")]),
    ("", "f(Tensor??? x) -> ()", [("repeated-optional", "???")]),
    ("", "f(Dict(strr, int) x) -> ()", [("generic-type", "Dict(strr, int)")]),
    ("", "f((int, int) x) -> ()", [("generic-type", "(int, int)")]),
    ("AN-1", "f(Tensor(A) x) -> ()", [("annotation-letters", "(A)")]),
    ("AN-1", "f(Tensor(*) x) -> ()", [("annotation-letters", "(*)")]),
    ("AN-1", "f(Tensor(a !) x) -> ()", [("annotation-syntax", "(a !)")]),
    ("AN-1", "f(Tensor(a -> b!) x) -> ()", [("annotation-syntax", "(a -> b!)")]),
    ("AN-1", "f(Tensor() x) -> ()", [("annotation-syntax", "()")]),
    ("AN-1", "f(Tensor(a! x, int y) -> ()", [("annotation-syntax", "(")]),
    ("AN-2", "f(Tensor(a|b!) x) -> ()", [("written-alias-set", "(a|b!)")]),
    ("AN-2", "f(Tensor(a|b|c!) x) -> ()", [("written-alias-set", "(a|b|c!)")]),
    ("AN-3", "f(Tensor(a|b -> c|d) x) -> ()", [("alias-after-set", "(a|b -> c|d)")]),
    ("AN-4", "f(Tensor(a|b|c) x) -> ()", [("alias-set-size", "(a|b|c)")]),
    ("AN-5", "f(int(a!) x) -> ()", [("annotation-place", "(a!)")]),
    ("AR-1", "f(int) -> ()", [("argument-syntax", "int")]),
    ("", "f(SymInt?[] x) -> ()", [("symint-form", "SymInt?[]")]),
    ("", "f(SymInt[][] x) -> ()", [("symint-form", "SymInt[][]")]),
    (
        "",
        "f(*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None,"
        " MemoryFormat memory_format=contiguous_format) -> Tensor",
        [("options-memory-format", "MemoryFormat")],
    ),
    ("AR-2", "f(int x=1=2) -> ()", [("second-equals", "=")]),
    ("AR-2", "f(float x=1=\"a=b\") -> ()", [("second-equals", "=")]),
    ("AR-3", "f(Tensor(a!)[2] x) -> ()", [("annotation-place", "(a!)")]),
    ("AR-3", "f(Tensor(a)[]? x) -> ()", [("annotation-place", "(a)")]),
    ("AR-3", "f(Tensor?(a!) x) -> ()", [("annotation-place", "(a!)")]),
    ("AR-3", "f() -> Tensor(a!)[2]", [("annotation-place", "(a!)")]),
    ("AR-4", "f(Tensor x, *, int y, *, int z) -> ()", [("second-star", "*")]),
    ("AR-4", "f(*, *) -> ()", [("second-star", "*")]),
    ("AR-5", "f(*, Tensor(a!) out, int y) -> Tensor(a!)", [("argument-after-out", "int y")]),
    ("AR-5", "f(*, Tensor(a!) out, int y, int z) -> Tensor(a!)", [("argument-after-out", "int y")]),
    ("AR-6", f"f(*, {OPTIONS}, {OPTIONS}) -> Tensor", [("second-options", OPTIONS)]),
    ("AR-7", "f(Tensor(a!) y, Tensor self) -> ()", [("written-before-self", "Tensor(a!) y")]),
    ("AR-7", "f(Tensor(a!) y, Tensor self) -> Tensor(a!)", [("written-before-self", "Tensor(a!) y")]),
    ("AR-8", "f(int x=) -> ()", [("empty-default", "=")]),
    ("AR-8", "f(int  x) -> ()", [("argument-syntax", "  ")]),
    ("AR-8", "f( int x) -> ()", [("type-syntax", " ")]),
    ("AR-8", "f(int x,  int y) -> ()", [("type-syntax", " ")]),
    ("AR-8", "f(int x ) -> ()", [("argument-syntax", " ")]),
    ("AR-8", "f(int x,int y) -> ()", [("argument-syntax", ",")]),
    ("AR-8", "f(int x y) -> ()", [("argument-syntax", "y")]),
    ("AR-8", "f(int x =1) -> ()", [("argument-syntax", " ")]),
    ("AR-8", "f(int =1) -> ()", [("argument-syntax", "=")]),
    ("AR-8", "f(int\tx) -> ()", [("argument-syntax", "\\t")]),
    ("AR-8", "f(int[2] x=0,1) -> ()", [("argument-syntax", ",")]),
    ("AR-8", "f(*int x) -> ()", [("argument-syntax", "*")]),
    ("", "f(Tensor 1x) -> ()", [("parameter-name", "1x")]),
    ("", "f(Tensor x-y) -> Tensor a-b", [("parameter-name", "x-y"), ("parameter-name", "a-b")]),
    ("", "f(Tensor class) -> Tensor int", [("keyword-parameter", "class"), ("keyword-parameter", "int")]),
]

DEFAULTS: list[tuple[str, str, Faults]] = [
    ("", "f(int x=banana) -> ()", [("default-value", "banana")]),
    ("", "f(int x=1.5) -> ()", [("default-value", "1.5")]),
    ("", "f(int x= 1) -> ()", [("default-value", " 1")]),
    ("", "f(bool x=true) -> ()", [("default-value", "true")]),
    ("", "f(bool x=1) -> ()", [("default-value", "1")]),
    ("", "f(int x=None, Tensor y=None) -> ()", [("default-value", "None"), ("default-value", "None")]),
    ("", "f(Tensor? x=1) -> ()", [("default-value", "1")]),
    ("", "f(str x=abc) -> ()", [("default-value", "abc")]),
    ("", "f(str x='a) -> ()", [("default-value", "'a")]),
    ("", "f(ScalarType x=float) -> ()", [("default-value", "float")]),
    ("", "f(int[2] x=[0, a]) -> ()", [("default-value", "[0, a]")]),
    ("", "f(bool[2] x=True) -> ()", [("default-value", "True")]),
    ("LT-11", "f(int[] x=0) -> ()", [("unsized-list-default", "0")]),
    ("LT-11", "f(int[]? x=0) -> ()", [("unsized-list-default", "0")]),
    ("", "f(int[] x=a) -> ()", [("default-value", "a")]),
]

SCHEMAS: list[tuple[str, str, Faults]] = [
    ("SC-0", "f(Tensor x)->Tensor", [("schema-syntax", "->")]),
    ("SC-0", "f(Tensor x) ->Tensor", [("schema-syntax", " ->")]),
    ("SC-0", "f(Tensor x) -> ", [("return-syntax", "")]),
    ("SC-0", "f(Tensor x) ->", [("schema-syntax", "")]),
    ("SC-0", "f(Tensor x)", [("schema-syntax", "")]),
    ("SC-0", "f(Tensor(a! -> *) x)", [("schema-syntax", "")]),
    ("SC-0", "f(Tensor x -> Tensor", [("schema-syntax", "")]),
    ("SC-0", "f(Tensor x", [("schema-syntax", "")]),
    ("SC-0", "f", [("schema-syntax", "f")]),
    ("SC-1", "f.out(Tensor self, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(b!), Tensor(a!))",
     [("out-return-alias", "Tensor(b!)")]),
    ("SC-1", "f.out(Tensor self, *, Tensor(a!) out) -> Tensor", [("out-return-alias", "Tensor")]),
    ("SC-1", "f.out(Tensor self, *, Tensor(a!) out) -> Tensor(b!)", [("out-return-alias", "Tensor(b!)")]),
    ("SC-1", "f.out(Tensor self, *, Tensor(a!) x, Tensor(b!) y) -> (Tensor(a!), int)", [("out-return-alias", "int")]),
    ("SC-2", "f(Tensor self, Tensor(a!) x) -> Tensor(a!)", [("written-argument-returned", "Tensor(a!)")]),
    ("SC-2", "f(Tensor(a!) x) -> Tensor(a!)", [("written-argument-returned", "Tensor(a!)")]),
    ("SC-3", "f(Tensor(a!) self) -> (Tensor(a!), Tensor)", [("mixed-returns", "Tensor")]),
    ("SC-4", "foo.x(Tensor self, Tensor(a!) b) -> Tensor(b!)", [("unmatched-written-return", "Tensor(b!)")]),
    ("SC-5", "f.out(Tensor self, *, Tensor(a!)[] out) -> Tensor(a!)[]", [("out-list-returns", "Tensor(a!)[]")]),
    ("SC-6", "f.out(Tensor self, *, Tensor(a!) out) -> ()", [("out-return-count", "()")]),
    ("SC-6", "f.out(Tensor self, *, Tensor(a!) x, Tensor(b!) y) -> Tensor(b!)", [("out-return-count", "Tensor(b!)")]),
    ("SC-6", "f.out(*, Tensor(a!) out) -> (Tensor(a!), Tensor(b!))",
     [("out-return-count", "(Tensor(a!), Tensor(b!))")]),
    ("SC-7", "f_(Tensor self) -> Tensor", [("inplace-self", "Tensor self")]),
    ("SC-7", "f_(Tensor self) -> Tensor(a!)", [("inplace-self", "Tensor self")]),
    ("SC-7", "f_(Tensor(a!) x) -> Tensor(a!)", [("inplace-self", "f_")]),
    ("SC-7", "__iadd__(Tensor self, Tensor x) -> Tensor", [("inplace-self", "Tensor self")]),
    ("SC-8", "f_(Tensor(a!) self) -> ()", [("inplace-return", "()")]),
    ("SC-8", "f_(Tensor(a!) self) -> Tensor(b!)", [("inplace-return", "Tensor(b!)")]),
    ("SC-8", "f_(Tensor(a!) self, Tensor(b!) x) -> (Tensor(a!), Tensor(b!))",
     [("inplace-return", "(Tensor(a!), Tensor(b!))")]),
    ("SC-9", "f_(Tensor(a!)[] self) -> Tensor(a!)[]", [("inplace-list-return", "Tensor(a!)[]")]),
    ("SC-10", "f() -> (Tensor)", [("single-return", "(Tensor)")]),
    ("SC-10", "f(Tensor x, ) -> Tensor", [("argument-syntax", "")]),
    ("SC-10", "f(, Tensor x) -> Tensor", [("argument-syntax", "")]),
    ("SC-10", "f(Tensor x, *) -> ()", [("last-star", "*")]),
    ("SC-10", "f(*) -> ()", [("last-star", "*")]),
    ("SC-10", "f() -> Tensor, Tensor", [("return-syntax", "Tensor, Tensor")]),
    ("SC-10", "f() -> Tensor ", [("return-syntax", " ")]),
    ("SC-10", "f() -> (Tensor,Tensor)", [("return-syntax", ",")]),
    ("SC-10", "f() -> (Tensor, )", [("return-syntax", "")]),
    ("SC-10", "f() -> (Tensor, Tensor", [("return-syntax", "(")]),
    ("SC-10", "f() -> (Tensor, Tensor) x", [("return-syntax", " x")]),
    ("SC-10", "f() -> Tensor)", [("return-syntax", ")")]),
    ("SC-10", "f() -> Tensor x=1", [("return-syntax", "=1")]),
    ("SC-11", f"f.out(*, {OPTIONS}, Tensor(a!) out) -> Tensor(a!)", [("options-not-functional", OPTIONS)]),
    ("SC-11", f"f_(Tensor(a!) self, *, {OPTIONS}) -> Tensor(a!)", [("options-not-functional", OPTIONS)]),
    ("SC-12", "f.my_functional_x(Tensor(a!) x) -> ()", [("functional-overload", "my_functional_x")]),
    ("SC-13", "f_.out(Tensor(a!) self, *, Tensor(a!) out) -> Tensor(a!)", [("out-and-inplace", "f_.out")]),
    ("", "f(Tensor x, Tensor y, Tensor x) -> Tensor", [("duplicate-argument", "x")]),
    ("", "f(Tensor x, *, int y, Tensor(a!) x) -> Tensor(a!)", [("duplicate-argument", "x")]),
    ("", "f() -> (Tensor x, Tensor x)", [("duplicate-return", "x")]),
    ("", "f(int x=1, int y, int z) -> ()", [("required-after-default", "int y")]),
    ("", "f(Tensor x) -> Tensor(b)", [("return-alias", "Tensor(b)")]),
    ("", "f(Tensor(a) x) -> Tensor(b)", [("return-alias", "Tensor(b)")]),
    ("", "f_(Tensor(a!) self, Tensor(a!) x) -> Tensor(a!)", [("written-argument-returned", "Tensor(a!)")]),
]

VALID = [
    "f(SymInt a, SymInt? b, SymInt[] c, SymInt[2] d, SymInt[]? e, SymInt[3]? g) -> SymInt[]",
    "f(Tensor(a) p, Tensor(a) q) -> Tensor(a)",
    "f(str x=\"a=b\") -> ()",
    "f() -> ()",
    "f(*, int y, int z=1) -> ()",
    "f(int[2] x=[0, 1], str y='a, b', Tensor[] z=[]) -> ()",
    "f(int[2] x=0, int[1]? y=None, float z=1e-05, Scalar w=True, int r=Mean) -> ()",
    "f(Tensor(a -> *) self) -> Tensor(a)[]",
    "f(Tensor(a) self, Tensor?[] y, Tensor? x=None) -> (Tensor(a), Tensor(a))",
    "f.out(Tensor self, *, int n=1, Tensor(a!) out, Tensor(b!) _scratch_x) -> Tensor(a!)",
    "f(Tensor self, Tensor(a!) x) -> Tensor",
    "__iand__.Scalar(Tensor(a!) self, Scalar x) -> Tensor(a!)",
    "acme::f_functional.x(__torch__.torch.classes.acme.Pool p) -> int",
]
# fmt: on


def faults_of(text: str, release: Release = SAMPLES) -> Faults:
    """Codes and underlined parts of what is wrong with a schema."""
    faults = Diagnostics()
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    source = Source("ops.yaml", f'- func: "{quoted}"\n')
    read_catalog(read_yaml(source, faults), source, Context(release, faults))
    found = [(item.code, item.place.text if item.place else "") for item in faults.in_order()]
    return [(code, part.replace('\\"', '"')) for code, part in found]


@pytest.mark.parametrize(("rule", "text", "expected"), NAMES + PARTS + DEFAULTS + SCHEMAS)
def test_faults(rule: str, text: str, expected: Faults) -> None:
    assert faults_of(text) == expected


@pytest.mark.parametrize("text", VALID)
def test_no_faults(text: str) -> None:
    assert faults_of(text) == []


@pytest.mark.parametrize(
    ("release", "text", "expected"),
    [
        ("2.0", "f(DeviceIndex x) -> ()", [("unknown-type", "DeviceIndex")]),
        ("2.0", "f(Dimname[]? x, ConstQuantizerPtr y) -> ()", []),
        ("2.1", "f(SymBool x, DeviceIndex y) -> ()", [("unknown-type", "SymBool")]),
        ("2.13", "f(SymBool x, GraphModule y, DeviceIndex z) -> ()", []),
        ("2.13", "f(ConstQuantizerPtr x) -> ()", [("unknown-type", "ConstQuantizerPtr")]),
    ],
)
def test_types_of_releases(release: str, text: str, expected: Faults) -> None:
    found = find_release(release)
    assert found is not None
    assert faults_of(text, found) == expected
