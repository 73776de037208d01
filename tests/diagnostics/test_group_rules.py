"""The rules between operators: each row has a YAML text and what is reported of it, with what is underlined.

The first column has the names of the rules in the specification; rows without one are about faults that torchgen does
not look for. Not reachable, since families are formed by signature, kind and name: GR-3, GR-5, GR-15, VW-5, VW-6,
VW-8; and LT-16, because the functional variant of an out operator alone would have that operator's own name. LT-18
cannot come from YAML.
"""

from __future__ import annotations

import pytest

from tests.diagnostics.snippets import Faults, native_faults

F = "- func: foo(Tensor self) -> Tensor\n  dispatch: {CPU: foo}\n"
I = "- func: foo_(Tensor(a!) self) -> Tensor(a!)\n  dispatch: {CPU: foo_}\n"  # noqa: E741 - as in the specification
M = "- func: foo(Tensor self, Tensor(a!) x) -> Tensor\n  dispatch: {CPU: foo}\n"
O = "- func: foo.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  dispatch: {CPU: foo_out}\n"  # noqa: E741
SF = "- func: foo(Tensor self) -> Tensor\n  structured_delegate: foo.out\n"
SI = "- func: foo_(Tensor(a!) self) -> Tensor(a!)\n  structured_delegate: foo.out\n"
SO = O + "  structured: True\n"
OTHER = (
    "- func: foo.x(Tensor self, int i) -> Tensor\n  structured_delegate: foo.x_out\n"
    "- func: foo.x_out(Tensor self, int i, *, Tensor(a!) out) -> Tensor(a!)\n"
    "  structured: True\n  dispatch: {CPU: k}\n"
)
V = "- func: foo(Tensor(a) self) -> Tensor(a)\n  dispatch: {CPU: foo}\n"
VC = (
    "- func: foo_copy(Tensor self) -> Tensor\n"
    "  dispatch: {CompositeExplicitAutogradNonFunctional: foo_copy}\n  tags: view_copy\n"
)
VI = "- func: foo_(Tensor(a!) self) -> Tensor(a!)\n  dispatch: {CPU: foo_}\n  tags: inplace_view\n"
SCRATCH = "- func: foo.s(Tensor self, *, Tensor(a!) _scratch_x) -> ()\n"
OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
PLAIN_OPTIONS = "ScalarType dtype, Layout layout, Device device, bool pin_memory=False"
FACTORY_OUT = "- func: foo.out(int n, *, Tensor(a!) {0}) -> Tensor(a!)\n  dispatch: {{CPU: foo_out}}\n"
NESTED = "CompositeImplicitAutogradNestedTensor"


def composite(entry: str) -> str:
    """An entry without its dispatch table."""
    return "".join(line for line in entry.splitlines(keepends=True) if "dispatch" not in line)


def view(arguments: str, returns: str, plain_arguments: str, plain_returns: str) -> str:
    """A view and its copy."""
    return (
        f"- func: foo({arguments}) -> {returns}\n  dispatch: {{CPU: foo}}\n"
        f"- func: foo_copy({plain_arguments}) -> {plain_returns}\n"
        "  dispatch: {CompositeExplicitAutogradNonFunctional: foo_copy}\n  tags: view_copy\n"
    )


def ufunc(loops: str, arguments: str = "Tensor self, Tensor other, Scalar alpha") -> str:
    """A structured operator with inner loops."""
    return (
        f"- func: foo({arguments}) -> Tensor\n  structured_delegate: foo.out\n"
        f"- func: foo.out({arguments}, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n"
        f"  ufunc_inner_loop: {loops}\n"
    )


ONE = "Tensor self, Scalar alpha"
FUNCTORS = "CUDAFunctor: q (All), CUDAFunctorOnSelf: q (All), CUDAFunctorOnOther: q (All)"

# fmt: off
ACROSS: list[tuple[str, str, Faults]] = [
    ("XO-0", F + F, [("duplicate-operator", "foo")]),
    ("XO-0", composite(F).replace("foo", "custom::foo") + composite(F), [("duplicate-operator", "foo")]),
    ("XO-0", F + "  autogen: foo.out\n- func: foo.out(Tensor self, int d) -> Tensor\n",
     [("generated-name-taken", "foo.out")]),
    ("XO-1", SF, [("unknown-delegate", "foo.out")]),
    ("XO-1", SF.replace("foo.out", "foo.ot") + SO, [("unknown-delegate", "foo.ot")]),
    ("XO-2", SF + O, [("delegate-not-structured", "foo.out")]),
    ("XO-3", "- func: foo(Tensor self, int from=1) -> Tensor\n", [("python-keyword-argument", "from")]),
    ("XO-3", "- func: random_.from(Tensor(a!) self, int from) -> Tensor(a!)\n  tags: nondeterministic_seeded\n", []),
    ("XO-4", V + "  tags: inplace_view\n", [("inplace-view-name", "inplace_view")]),
    ("XO-4", "- func: set_.x(Tensor(a!) self) -> Tensor(a!)\n  tags: inplace_view\n", []),
    ("XO-5", composite(VI), [("inplace-view-base", "inplace_view")]),
    ("XO-5", composite(VI).replace("inplace_view", "[core, inplace_view]"), [("inplace-view-base", "inplace_view")]),
]

GENERATION: list[tuple[str, str, Faults]] = [
    ("AG-1", composite(F) + "- func: foo.a(Tensor self) -> Tensor\n", [("same-kind-twice", "foo.a")]),
    ("AG-1", F + O + O.replace("foo.out(", "foo.out2("), [("same-kind-twice", "foo.out2")]),
    ("AG-1", composite(F) + "- func: foo.v(Tensor(a) self) -> Tensor(a)\n", [("same-kind-twice", "foo.v")]),
    ("AG-2", O, [("lone-out", "foo.out")]),
    ("AG-2", F.replace("self)", "self, int d=1)") + O.replace("self,", "self, int d=0,"), [("lone-out", "foo.out")]),
    ("AG-3", F.replace("-> Tensor", "-> int"), [("no-out-possible", "foo")]),
    ("AG-3", "- func: foo(Tensor self) -> int\n  tags: core\n", [("no-out-possible", "foo")]),
    ("AG-4", F.replace("-> Tensor", "-> (Tensor, int)") + "  autogen: foo.out\n", [("generated-schema", "foo.out")]),
    # torchgen stumbles over letters that are not in order; nothing is wrong with them.
    ("AG-4", "- func: foo(Tensor self, Tensor(b!) x, Tensor(a!) y) -> (Tensor, Tensor)\n  dispatch: {CPU: foo}\n"
     "  autogen: foo.out, foo_functional\n", []),
    ("AG-5", F + "  autogen: foo.out\n- func: foo.out(Tensor self, int d) -> Tensor\n"
     "  dispatch: {CompositeExplicitAutograd: k}\n", [("generated-name-taken", "foo.out")]),
    ("", F + "  autogen: foo.out, foo.x\n", [("autogen-not-made", "foo.x")]),
    ("", F + "  autogen: foo.out, foo.x, foo.y\n", [("autogen-not-made", "foo.x"), ("autogen-not-made", "foo.y")]),
    ("", F + "  autogen: bar\n", [("autogen-not-made", "bar")]),
    ("", F + "  autogen: foo.out\n" + I, [("autogen-not-made", "foo.out")]),
    ("", I + "  autogen: foo\n", [("autogen-not-made", "foo")]),
    ("", composite(F) + "  autogen: foo.out\n", [("ineffective-autogen", "foo.out")]),
    ("", V + "  autogen: foo.out\n" + VC, [("ineffective-autogen", "foo.out")]),
    ("", F + "  manual_cpp_binding: True\n  autogen: foo.out\n", [("ineffective-autogen", "foo.out")]),
    ("", composite(F).replace("foo", "prelu") + "  autogen: prelu.out\n", []),
]

GROUPS: list[tuple[str, str, Faults]] = [
    ("GR-1", "- func: foo_(Tensor(a!) self, Tensor(b!) x) -> Tensor(a!)\n  dispatch: {CPU: foo_}\n" + M,
     [("group-without-functional", "foo_")]),
    ("GR-1", composite(I) + composite(O), [("group-without-functional", "foo_")]),
    ("GR-2", F + SCRATCH, [("group-with-scratch", "foo.s")]),
    ("GR-4", F + SO, [("structured-mix", "foo")]),
    ("GR-4", SF + I + SO, [("structured-mix", "foo_")]),
    ("GR-4", SF.replace("foo.out", "foo.x_out") + O + OTHER, [("structured-mix", "foo")]),
    ("GR-4", SI + SO, [("structured-generated", "foo_")]),
    ("GR-4", SI + SO + "  autogen: foo\n", [("structured-generated", "foo_")]),
    ("GR-6", F + O.replace("foo.out(", "custom::foo.out("), [("out-namespace", "foo.out")]),
    ("GR-7", F + I.replace("foo_(", "custom::foo_(") + O, [("inplace-namespace", "foo_")]),
    ("GR-8", "- func: foo_functional(Tensor self, Tensor x) -> (Tensor, Tensor)\n  dispatch: {CPU: k}\n"
     + M.replace("foo(", "custom::foo(") + "  autogen: foo.out\n", [("mutable-namespace", "foo")]),
    ("GR-9", "- func: foo.functional(Tensor self, Tensor x) -> (Tensor, Tensor)\n  dispatch: {CPU: k}\n"
     + M + "  autogen: foo.out\n", [("mutable-functional-suffix", "foo.functional")]),
    ("GR-10", SF.replace("foo.out", "foo.x_out") + SO + OTHER, [("functional-delegate", "foo.x_out")]),
    ("GR-11", SF + SI.replace("foo.out", "foo.x_out") + SO + OTHER, [("inplace-delegate", "foo.x_out")]),
    ("GR-12", I + O, [("autogen-missing", "foo_")]),
    ("GR-13", I + "  autogen: foo.out\n", [("autogen-incomplete", "foo.out")]),
    ("GR-13", F + "  autogen: foo.out, foo.x_out\n", [("autogen-not-made", "foo.x_out")]),
    ("GR-13", F + "  autogen: foo.x_out\n", [("autogen-not-made", "foo.x_out")]),
    ("GR-13", F + O + "  autogen: foo\n", [("autogen-not-made", "foo")]),
    ("GR-13", F.replace("foo(", "custom::foo(") + "  autogen: custom::foo.out\n", [("autogen-namespace", "custom::")]),
    ("GR-14", SF + SO.replace("{CPU: foo_out}", "{CPU: foo_out, CompositeImplicitAutograd: k}"),
     [("structured-composite", "CompositeImplicitAutograd")]),
    ("", SF.replace("self)", "self, int x)") + SF.replace("foo(", "foo.a(") + SO, [("delegate-ungrouped", "foo.out")]),
]

VIEWS: list[tuple[str, str, Faults]] = [
    ("VW-1", F.replace("foo(", "foo.a(") + VC, [("second-copy", "foo_copy")]),
    ("VW-2", V + V.replace("foo(", "foo_copy("), [("second-view", "foo_copy")]),
    ("VW-3", "- func: foo_(Tensor(a! -> *) self) -> Tensor(a! -> *) r\n", [("inplace-view-tag", "foo_")]),
    ("VW-4", V, [("view-without-copy", "foo")]),
    ("VW-4", V + VC.replace("self)", "self, int x)"), [("view-without-copy", "foo")]),
    ("VW-4", V.replace("foo(", "foo_inverse("), [("view-without-copy", "foo_inverse")]),
    ("VW-7", V + VC.replace("  tags: view_copy\n", ""), [("view-copy-tag", "foo_copy")]),
    ("VW-9", composite(V) + VI, [("view-composite", "foo_")]),
    ("VW-10", V.replace("CPU: foo", f"CPU: foo, {NESTED}: k") + VI + VC, [("view-composite-nested", "foo_")]),
]

LATE: list[tuple[str, str, Faults]] = [
    ("LT-7", ufunc("{Generic: foo (All), CUDAFunctorOnSelf: q (All)}", ONE),
     [("ufunc-not-binary", "CUDAFunctorOnSelf")]),
    ("LT-7", ufunc("{Generic: foo (All), CUDAFunctorOnSelf: q (All)}"), []),
    ("LT-8", ufunc("{Generic: foo (All), ScalarOnly: q (Bool)}"), [("ufunc-loop-names", "ScalarOnly")]),
    ("LT-8", ufunc("{Generic: foo (All), ScalarOnly: foo (Bool)}"), []),
    ("LT-8", ufunc(f"{{Generic: foo (All), ScalarOnly: q (Bool), {FUNCTORS}}}"), []),
    ("LT-8", ufunc("{CPUScalar: foo (All)}"), [("ufunc-no-generic-loop", "ufunc_inner_loop")]),
    ("LT-8", ufunc("{CPUScalar: foo (All), CUDAFunctor: q (All)}", ONE), []),
    ("LT-8", ufunc("{CPUVector: foo (All), Generic: foo (Float)}"), [("ufunc-no-scalar-loop", "CPUVector")]),
    ("LT-8", ufunc("{CPUVector: foo (Float), Generic: foo (All)}"), []),
    ("LT-8", ufunc("{Generic: foo (All), CUDAFunctor: q (Bool)}"), [("ufunc-no-functor", "CUDAFunctor")]),
    ("LT-8", ufunc("foo (All)", "Tensor self, int x"), [("ufunc-argument", "int")]),
    ("LT-8", ufunc("foo (All)", "Tensor self, Tensor by"), [("ufunc-binary-names", "by")]),
    ("LT-8", ufunc("foo (All)", "Tensor x, Scalar y"), []),
    ("LT-9", "- func: foo(bool[] x) -> Tensor\n", [("argument-without-cpp", "bool[]")]),
    ("LT-9", "- func: foo(bool[2]? x, Tensor[2] y, int?[] z) -> Tensor\n", []),
    *[("", f"- func: foo({type} x) -> Tensor\n", [("argument-without-cpp", type)])
      for type in ("Scalar?[]", "Scalar?[2]?", "Tensor?[]?", "Tensor?[][]")],
    ("LT-9", "- func: foo(Scalar? x, Scalar[]? y, Tensor[]? z, Tensor[][] v, Tensor?[2] w) -> Tensor\n", []),
    ("LT-9", "- func: foo(GraphModule? x) -> Tensor\n", [("argument-without-cpp", "GraphModule?")]),
    ("LT-9", "- func: foo(__torch__.torch.classes.a.B x) -> ()\n",
     [("argument-without-cpp", "__torch__.torch.classes.a.B")]),
    ("LT-9", "- func: foo(Tensor self) -> (Tensor, int[2] x)\n", [("return-without-cpp", "int[2] x")]),
    ("LT-9", "- func: foo(Tensor self) -> bool[]\n", [("return-without-cpp", "bool[]")]),
    ("LT-9", "- func: foo(Tensor self) -> Scalar?\n", [("return-without-cpp", "Scalar?")]),
    ("LT-9", "- func: foo(Tensor(a!)[] self) -> Tensor(a!)[]\n", [("return-without-cpp", "Tensor(a!)[]")]),
    ("LT-9", "- func: foo(Tensor self) -> (Tensor?, int?, bool[2], Tensor?[], str[])\n", []),
    ("", "- func: foo(Tensor self, Tensor(a!)? x) -> ()\n", [("written-optional", "Tensor(a!)? x")]),
    ("", F.replace("-> Tensor", "-> Tensor?") + "  autogen: foo.out\n", [("written-optional", "foo")]),
    (
        "LT-10",
        "- func: foo(Tensor(a) p, Tensor(a) q) -> Tensor(a)\n  dispatch:\n    CPU: foo\n",
        [("ambiguous-alias", "Tensor(a)")],
    ),
    ("LT-10", "- func: foo(Tensor(a) p, Tensor(a) q) -> Tensor(a)\n", []),
    ("LT-11", "- func: foo(int[] x=0) -> ()\n", [("unsized-list-default", "0")]),
    ("LT-12", I, [("not-functionalizable", "foo_")]),
    ("LT-12", I + "  autogen: foo, foo.out\n", []),
    ("LT-12", composite(I), []),
    ("LT-12", F + I, [("not-functionalizable", "foo_")]),
    ("LT-12", M, [("not-functionalizable", "foo")]),
    ("LT-12", SCRATCH + "  dispatch: {CPU: k}\n", [("not-functionalizable", "foo.s")]),
    ("LT-12", I.replace("foo_(", "resize_.x("), []),
    *[("", f"- func: foo(int n, *, {options}) -> {returns}\n  dispatch: {{CPU: foo}}\n{rest}", found)
      for options, returns, rest, found in [
          (OPTIONS, "Tensor", "  autogen: foo.out\n", []),
          (OPTIONS, "Tensor[]", "  autogen: foo.out\n", [("options-without-out", OPTIONS)]),
          (OPTIONS, "(Tensor, Tensor)", "  autogen: foo.out\n", [("options-without-out", OPTIONS)]),
          (OPTIONS, "Tensor", FACTORY_OUT.format("out"), []),
          (OPTIONS, "Tensor", FACTORY_OUT.format("result"), [("options-without-out", OPTIONS)]),
          (PLAIN_OPTIONS, "Tensor", "", []),
          (PLAIN_OPTIONS, "Tensor", "  autogen: foo.out\n", [("options-without-out", PLAIN_OPTIONS)]),
      ]],
    ("", F.replace("self)", f"self, *, {OPTIONS})") + O + I, [("options-without-out", OPTIONS)]),
    ("LT-13", V + O + VC, [("view-in-group", "foo")]),
    ("LT-13", F + VI + O, [("view-in-group", "foo_")]),
    ("LT-13", F + composite(VI) + O, []),
    ("LT-14", view("int x, Tensor(a) self", "Tensor(a)", "int x, Tensor self", "Tensor"),
     [("view-first-argument", "int x")]),
    ("LT-14", view("Tensor(a)[] self", "Tensor(a)", "Tensor[] self", "Tensor"),
     [("view-first-argument", "Tensor(a)[] self")]),
    ("LT-14", view("Tensor x, Tensor(a) self", "Tensor(a)", "Tensor x, Tensor self", "Tensor"),
     [("view-first-argument", "Tensor x")]),
    ("LT-14", view("Tensor(a) self, Tensor(b) x", "Tensor(a)", "Tensor self, Tensor x", "Tensor"),
     [("view-second-alias", "Tensor(b) x")]),
    ("LT-14", view("Tensor(a) self", "(Tensor(a), int)", "Tensor self", "(Tensor, int)"), [("view-returns", "int")]),
    ("LT-15", V + VC.replace("NonFunctional", ""), [("view-copy-key", "foo_copy")]),
    ("LT-15", V.replace("foo(", "view(") + VC.replace("foo_copy", "view_copy"), [("view-copy-symint", "view_copy")]),
    ("LT-15", view("Tensor(a) self", "(Tensor(a), Tensor(a))", "Tensor self", "(Tensor, Tensor)"),
     [("view-copy-returns", "Tensor(a)")]),
    ("LT-15", view("Tensor(a -> *) self", "Tensor(a)[]", "Tensor self", "Tensor[]"), []),
    ("LT-17", F.replace("CPU: foo", "CPU: a::b::c::foo"), [("kernel-namespace-levels", "a::b::c::foo")]),
    ("LT-17", F.replace("CPU: foo", "CPU: a::b::foo"), []),
    ("LT-19", "- func: foo_functional(Tensor self, Tensor x) -> (Tensor, Tensor)\n  structured_delegate: foo.out\n"
     "- func: foo(Tensor self, Tensor(a!) x) -> Tensor\n  structured_delegate: foo.out\n"
     "- func: foo.out(Tensor self, Tensor(a!) x, *, Tensor(b!) out) -> Tensor(b!)\n  structured: True\n"
     "  dispatch: {CPU: foo_out}\n", [("structured-mutable", "foo")]),
    ("LT-19", "- func: foo(int n, *, ScalarType? dtype, Layout? layout, Device? device, bool? pin_memory) -> Tensor\n"
     "  structured_delegate: foo.out\n- func: foo.out(int n, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n"
     "  dispatch: {CPU: foo_out}\n",
     [("structured-options", "ScalarType? dtype, Layout? layout, Device? device, bool? pin_memory")]),
    ("LT-19", "- func: foo(Tensor self) -> Tensor[]\n  structured_delegate: foo.out\n"
     "- func: foo.out(Tensor self, *, Tensor(a!)[] out) -> ()\n  structured: True\n  dispatch: {CPU: foo_out}\n",
     [("structured-out-type", "Tensor(a!)[] out")]),
    *[("", f"- func: foo(Tensor self, {type} x) -> Tensor\n  structured_delegate: foo.out\n"
       f"- func: foo.out(Tensor self, {type} x, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n"
       "  dispatch: {CPU: foo_out}\n", found)
      for type, found in [
          *[(type, [("structured-argument-type", f"{type} x")])
            for type in ("Scalar[]", "Scalar[2]?", "SymInt[]?", "SymInt[2]?", "Tensor[]?", "Tensor[][]")],
          *[(type, []) for type in ("Scalar?", "SymInt[]", "int[]?", "float[]", "Tensor?[]", "int[][]")],
      ]],
]

#: One mistake gives one diagnostic: what follows from it is not reported.
FOLLOWING: list[tuple[str, str, Faults]] = [
    ("", V.replace("CPU:", "cpu:") + VC.replace("-> Tensor", "-> Tensr") + VI,
     [("unknown-dispatch-key", "cpu"), ("unknown-type", "Tensr")]),
    ("", SF.replace("-> Tensor", "-> Tensr") + SI + SO, [("unknown-type", "Tensr")]),
    ("", F.replace("self)", "slf)") + I + "  autogen: foo.out\n", [("generated-name-taken", "foo.out")]),
    ("", F + "  bogus: 1\n" + O.replace("self,", "self, int x,"), [("unknown-field", "bogus")]),
    ("", F.replace("-> Tensor", "-> ") + I + O, [("schema-syntax", "")]),
]
# fmt: on

ALL = [*ACROSS, *GENERATION, *GROUPS, *VIEWS, *LATE, *FOLLOWING]


@pytest.mark.parametrize(
    ("rule", "text", "faults"),
    ALL,
    ids=[f"{rule or 'own'}-{'-'.join(code for code, _ in faults) or 'accepted'}" for rule, _, faults in ALL],
)
def test_native(rule: str, text: str, faults: Faults) -> None:
    assert native_faults(text) == faults


@pytest.mark.parametrize(
    ("release", "text", "faults"),
    [
        ("2.1", "- func: foo(Tensor self, int from) -> Tensor\n", []),
        ("2.0", "- func: resize_as_(Tensor(a!) self) -> Tensor(a!)\n  tags: inplace_view\n",
         [("inplace-view-base", "inplace_view")]),
        ("2.1", "- func: resize_as_(Tensor(a!) self) -> Tensor(a!)\n  tags: inplace_view\n", []),
        ("2.1", V.replace("foo(", "foo_inverse("), [("view-without-copy", "foo_inverse")]),
        ("2.1", "- func: foo(Tensor self) -> Tensor?\n", [("return-without-cpp", "Tensor?")]),
        ("2.1", "- func: foo(ConstQuantizerPtr x) -> Tensor\n", [("argument-without-cpp", "ConstQuantizerPtr")]),
        ("2.0", I.replace("foo_(", "resize_as_("), [("not-functionalizable", "resize_as_")]),
        ("2.1", I.replace("foo_(", "resize_as_("), []),
        ("2.1", composite(F) + "  tags: core\n  autogen: foo.out\n", [("ineffective-autogen", "foo.out")]),
        ("2.13", composite(F) + "  tags: core\n  autogen: foo.out\n", []),
        ("2.0", composite(F).replace("foo(", "upsample_bilinear2d.vec(") + "  autogen: upsample_bilinear2d.vec_out\n",
         []),
        ("2.13", composite(F).replace("foo(", "upsample_bilinear2d.vec(") + "  autogen: upsample_bilinear2d.vec_out\n",
         [("ineffective-autogen", "upsample_bilinear2d.vec_out")]),
    ],
)  # fmt: skip
def test_release(release: str, text: str, faults: Faults) -> None:
    assert native_faults(text, release) == faults
