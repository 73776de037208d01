"""The rules for entries and their fields: each row has a YAML text and what is reported of it, with what is underlined.

The first column has the names of the rules in the specification; rows without one are about faults that torchgen does
not look for. Not reachable: EN-2 (no line number), which only data handed in by a program could have.
"""

from __future__ import annotations

import pytest

from opwright.diagnostics import Diagnostics
from opwright.model.catalog import read_catalog
from opwright.model.context import Context
from opwright.reading import derive
from opwright.source import Source
from opwright.syntax.yaml_reading import read_yaml
from tests.diagnostics.snippets import Faults, native_faults, tags_faults
from tests.releases import SAMPLES

FOO = "- func: foo(Tensor self) -> Tensor\n"
FOO_OUT = "- func: foo.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
KERNEL = "  dispatch: {CPU: foo}\n"
STRUCTURED = """\
- func: foo(Tensor self, int dim) -> Tensor
  structured_delegate: foo.out
- func: foo.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
"""
PRECOMPUTED = STRUCTURED + "  dispatch: {CPU: foo_out}\n  precomputed:\n"
UFUNC = STRUCTURED.replace("int dim", "Scalar dim") + "  ufunc_inner_loop: "
BUNDLE = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
IMPLICIT, EXPLICIT = "CompositeImplicitAutograd", "CompositeExplicitAutograd"
NESTED, NON_FUNCTIONAL = f"{IMPLICIT}NestedTensor", f"{EXPLICIT}NonFunctional"


def table(*rows: str) -> str:
    """A dispatch table, one row per line."""
    return FOO + "  dispatch:\n" + "".join(f"    {row}\n" for row in rows)


# fmt: off
ENTRIES: list[tuple[str, str, Faults]] = [
    ("EN-0", "func: x\n", [("native-not-a-list", "func: x")]),
    ("EN-1", "- abc\n", [("entry-not-a-mapping", "abc")]),
    ("EN-3", "- variants: function\n", [("func-missing", "variants")]),
    ("EN-3", "- func: 3\n", [("func-type", "3")]),
    ("EN-3", "- fnc: foo(Tensor self) -> Tensor\n", [("unknown-field", "fnc")]),
    ("EN-4", FOO + "  cpp_no_default_args: x\n", [("cpp-no-default-args-type", "x")]),
    ("", FOO + "  cpp_no_default_args: [x, 3]\n", [("cpp-no-default-args-type", "3")]),
    ("EN-5", FOO + "  use_const_ref_for_mutable_tensors: 'x'\n", [("const-ref-type", "'x'")]),
    ("EN-6", FOO + "  variants: [function]\n", [("variants-type", "[function]")]),
    ("EN-6", FOO + "  variants:\n", [("variants-type", "variants")]),
    ("EN-7", FOO + "  variants: function,method\n", [("unknown-variant", "function,method")]),
    ("EN-7", FOO + "  variants: ''\n", [("unknown-variant", "''")]),
    ("EN-7", FOO + "  variants: functional\n", [("unknown-variant", "functional")]),
    ("EN-7", FOO + "  variants: function, metod\n", [("unknown-variant", "metod")]),
    ("EN-8", FOO + "  bogus: 1\n", [("unknown-field", "bogus")]),
    ("EN-9", FOO + "  manual_kernel_registration: 1\n", [("manual-kernel-registration-type", "1")]),
    ("EN-10", FOO + "  manual_cpp_binding: 'x'\n", [("manual-cpp-binding-type", "'x'")]),
    ("EN-11", FOO + "  device_guard: 0\n", [("device-guard-type", "0")]),
    ("EN-11 tagged", FOO + "  device_guard: !!bool maybe\n", [("device-guard-type", "!!bool maybe")]),
    ("EN-12", FOO + "  device_check: False\n", [("device-check-type", "False")]),
    ("EN-12", FOO + "  device_check: Exact\n", [("device-check-word", "Exact")]),
    ("EN-13", FOO_OUT + "  structured: 'True'\n", [("structured-type", "'True'")]),
    ("EN-14", FOO + "  structured_delegate: 3\n", [("structured-delegate-type", "3")]),
    ("EN-14", FOO + "  structured_delegate: foo_out\n", [("out-suffix", "foo_out")]),
    ("EN-15", FOO + "  structured_delegate: a::foo.out\n", [("structured-delegate-namespace", "a::")]),
    ("EN-16", FOO + "  python_module: 3\n", [("python-module-type", "3")]),
    ("EN-17", FOO + "  python_module: nn\n  variants: function, method\n", [("python-module-method", "nn")]),
    ("EN-18", STRUCTURED + "  structured_inherits: 3\n", [("structured-inherits-type", "3")]),
    ("EN-19", STRUCTURED + "  structured_inherits: at::Base\n", [("structured-inherits-namespace", "at::Base")]),
    ("EN-20", FOO + KERNEL + "  autogen: [foo.out]\n", [("autogen-type", "[foo.out]")]),
    ("EN-20", FOO + KERNEL + "  autogen: foo_out\n", [("out-suffix", "foo_out")]),
    ("EN-20", FOO + KERNEL + "  autogen: foo.out,bar\n", [("autogen-separator", ",")]),
    ("EN-21", FOO + "  category_override: 3\n", [("category-override-type", "3")]),
    ("EN-22", FOO + FOO_OUT + "  use_const_ref_for_mutable_tensors: True\n  dispatch: {CPU: foo_out}\n",
     [("const-ref-out", "True")]),
    ("NS-1", "- func: a::b::foo(Tensor self) -> Tensor\n", [("nested-namespace", "a::b")]),
    ("NS-2", "- func: foo(int x=A::B) -> Tensor\n", [("default-value", "A::B")]),
    ("NS-2", "- func: c::foo(int x=A::B) -> Tensor\n", [("default-value", "A::B")]),
]

DISPATCH: list[tuple[str, str, Faults]] = [
    ("DI-1", FOO + "  dispatch: CPU\n", [("dispatch-type", "CPU")]),
    ("DI-1", FOO + "  dispatch: [CPU]\n", [("dispatch-type", "[CPU]")]),
    ("DI-2", FOO + KERNEL + "  manual_kernel_registration: True\n", [("manual-registration-dispatch", "dispatch")]),
    ("DI-3", table("1: foo"), [("dispatch-key-type", "1")]),
    ("DI-4", table("'CPU,': foo"), [("empty-dispatch-key", ",")]),
    ("DI-4", table("CPU, , CUDA: foo"), [("empty-dispatch-key", ",")]),
    ("DI-4", table("',CPU': foo"), [("empty-dispatch-key", ",")]),
    ("DI-5", table("CPU: 1"), [("kernel-type", "1")]),
    ("DI-5", table("CPU:"), [("kernel-type", "CPU")]),
    ("DI-5", table("CPU: [foo]"), [("kernel-type", "[foo]")]),
    ("DI-6", table("Foo: foo"), [("unknown-dispatch-key", "Foo")]),
    ("DI-6", table("CUDA,  cpu : foo"), [("unknown-dispatch-key", "cpu")]),
    ("DI-7", table("XLA: foo"), [("unsupported-dispatch-key", "XLA")]),
    ("DI-7", table("CatchAll: foo"), [("unsupported-dispatch-key", "CatchAll")]),
    ("DI-8", table("CPU: a::b::c::d::foo"), [("kernel-namespace-depth", "a::b::c::d")]),
    ("DI-9", table(f"{IMPLICIT}: foo"), [("redundant-dispatch", IMPLICIT)]),
    ("DI-10", table(f"{IMPLICIT}: bar"), [("renamed-default-kernel", "bar")]),
    ("DI-10", table(f"{IMPLICIT}: at::foo"), [("renamed-default-kernel", "at::foo")]),
    ("DI-11", "- func: new_foo(Tensor self) -> Tensor\n", [("factory-without-dispatch", "new_foo")]),
    ("DI-11", "- func: foo_like(Tensor self) -> Tensor\n", [("factory-without-dispatch", "foo_like")]),
    ("DI-11", f"- func: foo(*, {BUNDLE}) -> Tensor\n", [("factory-without-dispatch", "foo")]),
    ("DI-12", table(f"{IMPLICIT}: foo", f"{EXPLICIT}: foo"), [("composite-keys", EXPLICIT)]),
    ("DI-12", table(f"{NON_FUNCTIONAL}: foo", f"{NESTED}: foo"), [("composite-keys", NESTED)]),
    ("DI-12", table(f"{IMPLICIT}: foo", f"{EXPLICIT}: foo", f"{NESTED}: foo"), [("composite-keys", NESTED)]),
    ("DI-13", FOO + "  structured_delegate: foo.out\n  dispatch: {'SparseCPU, CPU': foo}\n" + FOO_OUT
     + "  structured: True\n  dispatch: {CPU: foo_out}\n", [("delegate-dispatch", "CPU")]),
    ("", table("CPU: 1foo"), [("kernel-name", "1foo")]),
    ("", table("CPU: foo bar"), [("kernel-name", "foo bar")]),
    ("", table("CPU: mine::foo-bar"), [("kernel-name", "foo-bar")]),
    ("", table("CPU: 'mine::'"), [("kernel-name", "'mine::'")]),
    ("", table("CPU: mine:foo"), [("kernel-name", "mine:foo")]),
    ("", table("CPU: delete"), [("kernel-name", "delete")]),
    ("", table("CPU: namespace::foo"), [("kernel-name", "namespace")]),
    ("", table("CPU: mine::native::foo"), [("kernel-namespace-native", "mine::native")]),
    ("", table("CPU, CUDA: foo", "Meta, CPU: bar"), [("repeated-dispatch-key", "CPU")]),
    ("", table("CPU, CPU: foo"), [("repeated-dispatch-key", "CPU")]),
    ("", table("CPU: foo", "CPU: bar"), [("duplicate-key", "CPU")]),
    ("", table("XPU: foo", "CPU, XPU: bar"), [("repeated-dispatch-key", "XPU")]),
]

TAGS: list[tuple[str, str, Faults]] = [
    ("TG-1", FOO + "  tags: {a: b}\n", [("tags-type", "{a: b}")]),
    ("TG-1", FOO + "  tags: [core, 3]\n", [("tags-type", "3")]),
    ("TG-1", FOO + "  tags:\n", [("tags-type", "tags")]),
    ("TG-3", FOO + "  tags: nope\n", [("unknown-tag", "nope")]),
    ("TG-3", FOO + "  tags: pointwise, core\n", [("unknown-tag", "pointwise, core")]),
    ("TG-3", FOO + "  tags: [core, pointwize]\n", [("unknown-tag", "pointwize")]),
]

TAGS_FILE: list[tuple[str, str, Faults]] = [
    ("TG-4", "tag: a\n", [("tags-not-a-list", "tag: a")]),
    ("TG-4", "- a\n", [("tag-not-a-mapping", "a")]),
    ("TG-4", "- desc: a\n", [("tag-name", "desc")]),
    ("TG-4", "- tag: 3\n  desc: a\n", [("tag-name", "3")]),
    ("TG-4", "- tag: a\n", [("tag-description", "a")]),
    ("TG-4", "- tag: a\n  desc: ''\n", [("tag-description", "''")]),
    ("", "- tag: a-b\n  desc: c\n", [("tag-form", "a-b")]),
    ("", "- tag: new\n  desc: c\n", [("tag-form", "new")]),
    ("TG-4", "- tag: a\n  desc:\n", []),
]

STRUCTURED_FIELDS: list[tuple[str, str, Faults]] = [
    ("PR-1", FOO + "  precomputed: []\n", [("precomputed-not-structured", "precomputed")]),
    ("PR-2", STRUCTURED + "  precomputed: dim -> int a\n", [("precomputed-type", "dim -> int a")]),
    ("PR-3", PRECOMPUTED + "  - 3\n", [("precomputed-item-type", "3")]),
    ("PR-3", PRECOMPUTED + "  - a: b\n", [("precomputed-item-type", "a: b")]),
    ("PR-4", PRECOMPUTED + "  - int a\n  - dim -> int b\n", [("precomputed-arrow", "int a")]),
    ("PR-5", PRECOMPUTED + "  - int dim -> int a\n", [("precomputed-parameter", "int dim")]),
    ("PR-6", PRECOMPUTED + "  - dim -> int a,int b\n", [("precomputed-spacing", "int a,int b")]),
    ("PR-6", PRECOMPUTED + "  - dim -> int a\n  - dim -> int b\n", [("precomputed-repeated", "dim")]),
    ("PR-7", PRECOMPUTED + "  - dim -> int A\n", [("precomputed-upper-case", "A")]),
    ("PR-7", PRECOMPUTED + "  - dim -> int _1\n", [("precomputed-upper-case", "_1")]),
    ("PR-8", PRECOMPUTED + "  - dim -> int a -> int b\n", [("precomputed-second-arrow", "->")]),
    ("", PRECOMPUTED + "  - dim ->\n", [("precomputed-empty", "->")]),
    ("", PRECOMPUTED + "  - 'dim -> '\n", [("precomputed-empty", "->")]),
    ("", PRECOMPUTED + "  - dmi -> int a\n", [("precomputed-unknown-parameter", "dmi")]),
    ("", PRECOMPUTED + "  - self -> int a\n", [("precomputed-unknown-parameter", "self")]),
    ("", PRECOMPUTED + "  - dim -> in a\n", [("unknown-type", "in")]),
    ("", PRECOMPUTED + "  - dim -> int a, int a\n", [("precomputed-name-taken", "int a")]),
    ("", PRECOMPUTED + "  - int out\n", [("precomputed-name-taken", "int out")]),
    ("", PRECOMPUTED + "  - dim -> int dim\n", []),
    ("PR-6", PRECOMPUTED + "  - int a,int b\n", []),
    ("UF-1", UFUNC + "[a]\n", [("ufunc-type", "[a]")]),
    ("UF-1", UFUNC + "\n", [("ufunc-type", "ufunc_inner_loop")]),
    ("UF-2", FOO + "  ufunc_inner_loop: foo (All)\n", [("ufunc-not-structured", "ufunc_inner_loop")]),
    ("UF-3", UFUNC + "foo (All)\n  dispatch:\n    SparseCPU, CPU: foo\n", [("ufunc-explicit-kernel", "CPU")]),
    ("UF-4", UFUNC + "{Gen: foo (All)}\n", [("unknown-ufunc-key", "Gen")]),
    ("UF-5", UFUNC + "{Generic: 3}\n", [("ufunc-value-type", "3")]),
    ("UF-5", UFUNC + "{3: foo (All)}\n", [("ufunc-value-type", "3")]),
    ("UF-6", UFUNC + "foo AllAndComplex\n", [("ufunc-syntax", "foo AllAndComplex")]),
    ("UF-6", UFUNC + "foo(All)\n", [("ufunc-syntax", "foo(All)")]),
    ("UF-6", UFUNC + "foo (All\n", [("ufunc-syntax", "foo (All")]),
    ("UF-7", UFUNC + "foo (Zed)\n", [("unknown-dtype", "Zed")]),
    ("UF-7", UFUNC + "foo (All, Half,Bool)\n", [("unknown-dtype", "Half,Bool")]),
    ("", UFUNC + "1foo (All)\n", [("ufunc-name", "1foo")]),
]

OPERATORS: list[tuple[str, str, Faults]] = [
    ("OP-1", FOO + KERNEL + FOO_OUT + "  variants: function, method\n  dispatch: {CPU: foo_out}\n",
     [("out-variants", "method")]),
    ("OP-2", FOO + "  structured: True\n", [("structured-not-out", "structured")]),
    ("OP-3", STRUCTURED + "  device_guard: False\n", [("structured-device-guard", "False")]),
    ("OP-4", FOO_OUT + "  structured_delegate: foo.o\n", [("delegate-on-out", "structured_delegate")]),
    ("OP-5", FOO + "  structured_delegate: foo.out\n  device_guard: False\n" + FOO_OUT + "  structured: True\n",
     [("delegate-device-guard", "False")]),
    # torchgen never gets to this one: it asks for out arguments or against them first.
    ("OP-6", STRUCTURED + "  structured_delegate: foo.out\n", [("structured-and-delegate", "structured_delegate")]),
    ("OP-7", "- func: _foreach_foo(Tensor[] self) -> Tensor[]\n", [("foreach-device-check", "_foreach_foo")]),
    ("OP-7", "- func: _foreach_foo(Tensor[] self) -> Tensor[]\n  device_check: ExactSame\n",
     [("foreach-device-check", "ExactSame")]),
    ("OP-8", "- func: foo(Tensor self, int x) -> Tensor\n  cpp_no_default_args: ['x']\n",
     [("no-default-argument", "'x'")]),
    ("OP-8", "- func: foo(Tensor self, int x=1) -> Tensor\n  cpp_no_default_args: [x, y]\n",
     [("no-default-argument", "y")]),
    ("OP-9", FOO + "  structured_inherits: Base\n", [("inherits-not-structured", "structured_inherits")]),
    ("LT-1", "- func: foo(Tensor[] self) -> Tensor\n  variants: method\n", [("method-without-self", "Tensor[] self")]),
    ("", "- func: foo(*, int a=1, int b) -> Tensor\n", [("required-after-default", "int b")]),
    ("", "- func: foo(Tensor x, int a=1, *, int b) -> Tensor\n", [("required-after-default", "int b")]),
    ("", "- func: foo(Tensor x, int a=1, *, int b) -> Tensor\n  cpp_no_default_args: [a]\n", []),
    ("OP-10", "- func: brand(Tensor self) -> Tensor\n", [("missing-seeded-tag", "brand")]),
    ("OP-10", "- func: foo.randx(Tensor self) -> Tensor\n", [("missing-seeded-tag", "foo.randx")]),
    ("OP-10", "- func: foo(Tensor self, float dropout_p) -> Tensor\n", [("missing-seeded-tag", "foo")]),
    ("OP-10", "- func: foo(Tensor self, Generator? g) -> Tensor\n", [("missing-seeded-tag", "foo")]),
    ("OP-10", "- func: dropoutx_backward(Tensor self) -> Tensor\n", []),
    ("OP-10", "- func: brand(Tensor self) -> Tensor\n  tags: nondeterministic_seded\n",
     [("unknown-tag", "nondeterministic_seded")]),
    ("LT-1", "- func: foo(Tensor x) -> Tensor\n  variants: method\n", [("method-without-self", "method")]),
    ("LT-1", "- func: foo(*, Tensor self) -> Tensor\n  variants: method\n", [("method-without-self", "method")]),
    ("LT-2", STRUCTURED + "  dispatch: {'CPU, Meta': foo_out}\n", [("structured-meta-kernel", "Meta")]),
    ("LT-3", STRUCTURED + "  manual_kernel_registration: True\n  dispatch: {CPU: foo_out}\n",
     [("structured-manual-registration", "manual_kernel_registration")]),
    ("LT-4", STRUCTURED + f"  dispatch: {{{NON_FUNCTIONAL}: foo_out}}\n", [("structured-meta-kernel", NON_FUNCTIONAL)]),
    ("LT-5", table("CPU: foo_symint", "CUDA: foo"), [("symint-kernel", "foo_symint")]),
    ("LT-6", table("CPU: a::k", "CUDA: b::k"), [("kernel-namespaces", "b::k")]),
    ("LT-6", table("CPU: k", "Meta, CUDA: b::k"), [("kernel-namespaces", "b::k")]),
]
# fmt: on

ALL = [*ENTRIES, *DISPATCH, *TAGS, *STRUCTURED_FIELDS, *OPERATORS]


def ids(rows: list[tuple[str, str, Faults]]) -> list[str]:
    return [f"{rule or 'own'}-{'-'.join(code for code, _ in faults) or 'accepted'}" for rule, _, faults in rows]


@pytest.mark.parametrize(("rule", "text", "faults"), ALL, ids=ids(ALL))
def test_native(rule: str, text: str, faults: Faults) -> None:
    assert native_faults(text) == faults


@pytest.mark.parametrize(("rule", "text", "faults"), TAGS_FILE, ids=ids(TAGS_FILE))
def test_tags_file(rule: str, text: str, faults: Faults) -> None:
    assert tags_faults(text) == faults


def test_no_tags_defined() -> None:
    """TG-2."""
    assert native_faults(FOO + "  tags: core\n", tags=False) == [("unknown-tag", "core")]


def test_empty_fields_that_count_as_absent() -> None:
    fields = "dispatch structured_delegate structured_inherits python_module category_override device_check precomputed"
    assert native_faults(FOO + "".join(f"  {name}:\n" for name in fields.split())) == []


@pytest.mark.parametrize(
    ("release", "text", "faults"),
    [
        ("2.0", "- func: foo(Tensor self, float dropout_p) -> Tensor\n", []),
        ("2.1", FOO_OUT + "  use_const_ref_for_mutable_tensors: True\n", []),
        ("2.1", table("MTIA: foo"), [("unsupported-dispatch-key", "MTIA")]),
        ("2.0", table("MTIA: foo"), [("unknown-dispatch-key", "MTIA")]),
        ("2.1", UFUNC + "foo (Float8_e5m2fnuz)\n", [("unknown-dtype", "Float8_e5m2fnuz")]),
    ],
)
def test_release(release: str, text: str, faults: Faults) -> None:
    assert native_faults(text, release) == faults


def test_key_that_must_be_asked_for() -> None:
    text = table("XPU: foo_symint", "CPU: foo")
    assert native_faults(text) == []
    assert native_faults(text, flags=("xpu",)) == [("symint-kernel", "foo_symint")]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (FOO + "  dispach: {CPU: foo}\n", "did you mean 'dispatch'?"),
        (table("cuda: foo"), "did you mean 'CUDA'?"),
        (FOO + "  device_check: nocheck\n", "did you mean 'NoCheck'?"),
        (UFUNC + "foo (Haf)\n", "did you mean 'Half'?"),
        (UFUNC + "{Genric: foo (All)}\n", "did you mean 'Generic'?"),
        (PRECOMPUTED + "  - dmi -> int a\n", "did you mean 'dim'?"),
        ("- func: foo(Tensor self, int dim=0) -> Tensor\n  cpp_no_default_args: [din]\n", "did you mean 'dim'?"),
        (FOO + "  structured: True\n", "write 'structured_delegate: foo.out' here and 'structured: True' at 'foo.out'"),
    ],
)
def test_hints(text: str, hint: str) -> None:
    context = Context(SAMPLES, Diagnostics())
    source = Source("example.yaml", text)
    derive(read_catalog(read_yaml(source, context.faults), source, context), context)
    assert [item.help for item in context.faults.in_order()] == [hint]
