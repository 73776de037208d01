"""Strategies for operators that belong together: structured groups, views, operators that write, factories.

Each strategy draws the text of a native functions file. Most of them pass the rules, whatever their arguments are.
"""

from __future__ import annotations

from hypothesis import strategies as st

from tests.releases import SAMPLES

OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
FORMS = ["", "", "", "?", "[]", "[2]", "[]?", "[2]?", "?[]"]
#: Without the type that would need a tag, and the one that has no C++ type.
BASES = [base for base in SAMPLES.base_types if base not in ("Generator", "GraphModule")]
KERNELS = ["CPU: k", "CPU: k, CUDA: c", "CompositeExplicitAutograd: k", "CPU: k, Meta: m", "CPU: mine::k"]

types = st.builds(lambda base, form: base + form, st.sampled_from(["Tensor", *BASES]), st.sampled_from(FORMS))
namespaces = st.sampled_from(["", "", "", "mine::"])


@st.composite
def arguments(draw: st.DrawFn, written: bool = False) -> list[str]:
    """Up to four arguments called `a` to `d`; with `written`, tensors among them may be written."""
    made = []
    for name in "abcd"[: draw(st.integers(0, 4))]:
        type = draw(types)
        if written and type in ("Tensor", "Tensor[]") and draw(st.booleans()):
            type = type.replace("Tensor", f"Tensor({name}!)")
        made.append(f"{type} {name}")
    return made


def listed(own: list[str], rest: list[str], positional: int, out: tuple[str, ...] = ()) -> str:
    """An argument list: `own` first, then `rest`, of which so many are positional, and out arguments."""
    keyword = [*rest[positional:], *out]
    return ", ".join([*own, *rest[:positional], *(["*", *keyword] if keyword else [])])


@st.composite
def structured_groups(draw: st.DrawFn) -> str:
    """A functional, an out and maybe an in-place variant of a structured kernel, or of inner loops."""
    space, rest = draw(namespaces), draw(arguments())
    own = draw(st.sampled_from([["Tensor self"], ["Tensor self", "Tensor other"], ["Tensor[] tensors"]]))
    count, positional = draw(st.integers(1, 2)), draw(st.integers(0, len(rest)))
    outs = ("Tensor(y!) one", "Tensor(z!) two")[:count]
    returns = ("Tensor", "(Tensor, Tensor)")[count - 1]
    out_returns = ("Tensor(y!)", "(Tensor(y!), Tensor(z!))")[count - 1]
    delegate = "  structured_delegate: soak.out\n"
    text = f"- func: {space}soak({listed(own, rest, positional)}) -> {returns}\n{delegate}"
    if own[0] == "Tensor self" and count == 1 and draw(st.booleans()):
        inplace = listed(["Tensor(y!) self", *own[1:]], rest, positional)
        text += f"- func: {space}soak_({inplace}) -> Tensor(y!)\n{delegate}"
    text += f"- func: {space}soak.out({listed(own, rest, positional, outs)}) -> {out_returns}\n  structured: True\n"
    if draw(st.booleans()):
        text += "  structured_inherits: TensorIteratorBase\n"
    if not space and draw(st.integers(0, 3)) == 0:
        return text + "  ufunc_inner_loop: soak (AllAndComplex, Half)\n"
    text += f"  dispatch: {{{draw(st.sampled_from([KERNELS[0], KERNELS[1], KERNELS[4], 'CPU: k, SparseCPU: s']))}}}\n"
    if draw(st.booleans()):
        replaced = [f"  - {item.split()[1]} -> int p, DimVector q\n" for item in rest if item.startswith("int")][:1]
        text += "".join(["  precomputed:\n", *replaced, "  - Tensor r\n"])
    return text


@st.composite
def view_groups(draw: st.DrawFn) -> str:
    """A view, its copy, and maybe its in-place form."""
    space, rest = draw(namespaces), draw(arguments())
    positional = draw(st.integers(0, len(rest)))
    has_symint = any(item.startswith("SymInt") for item in rest)
    end = "_symint" if has_symint and draw(st.booleans()) else ""
    own, returned, copied = draw(
        st.sampled_from([("Tensor(a) self", "Tensor(a)", "Tensor"), ("Tensor(a -> *) self", "Tensor(a)[]", "Tensor[]")])
    )
    text = f"- func: {space}peel({listed([own], rest, positional)}) -> {returned}\n  dispatch: {{CPU: peel{end}}}\n"
    if copied == "Tensor" and draw(st.booleans()):
        text += f"- func: {space}peel_({listed(['Tensor(a!) self'], rest, positional)}) -> Tensor(a!)\n"
        text += f"  tags: inplace_view\n  dispatch: {{CPU: peel_{end}}}\n"
    text += f"- func: {space}peel_copy({listed(['Tensor self'], rest, positional)}) -> {copied}\n  tags: view_copy\n"
    text += f"  dispatch: {{CompositeExplicitAutogradNonFunctional: peel_copy{end}}}\n"
    return text + "  autogen: peel_copy.out\n" * draw(st.booleans())


@st.composite
def writers(draw: st.DrawFn) -> str:
    """An in-place or mutable operator, whose functional and out variants are generated."""
    rest = draw(arguments(written=True))
    positional = draw(st.integers(0, len(rest)))
    dispatch = f"  dispatch: {{{draw(st.sampled_from(KERNELS))}}}\n"
    name = f"- func: {draw(namespaces)}soak"
    if draw(st.booleans()):
        inplace = listed(["Tensor(y!) self"], rest, positional)
        return f"{name}_({inplace}) -> Tensor(y!)\n{dispatch}  autogen: soak, soak.out\n"
    own = ["Tensor self", "Tensor(y!) counts"]
    returns = draw(st.sampled_from(["Tensor", "(Tensor, Tensor)", "Tensor[]"]))
    return f"{name}({listed(own, rest, positional)}) -> {returns}\n{dispatch}  autogen: soak_functional, soak.out\n"


@st.composite
def factories(draw: st.DrawFn) -> str:
    """An operator with tensor options, whose out variant is generated."""
    more = draw(st.sampled_from(["", ", MemoryFormat? memory_format=None"]))
    own = draw(st.sampled_from([[], ["Tensor other"]]))
    parts = ", ".join([*own, *draw(arguments()), "*", OPTIONS + more])
    returns = draw(st.sampled_from(["Tensor", "Tensor", "(Tensor, Tensor)", "Tensor[]"]))
    dispatch = f"  dispatch: {{{draw(st.sampled_from(KERNELS))}}}\n"
    return f"- func: {draw(namespaces)}soak({parts}) -> {returns}\n{dispatch}  autogen: soak.out\n"


families = st.one_of(structured_groups(), view_groups(), writers(), factories())
