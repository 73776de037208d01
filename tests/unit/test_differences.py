"""What counts as a difference between generated files, and how it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from opwright.compare.differences import file_difference, line_difference, token_difference, yaml_difference
from opwright.compare.families import family_of
from opwright.compare.trees import Status, compare_trees, counts


def test_order_of_includes_and_line_ends_count() -> None:
    assert token_difference("#define A b\nc", "#define A\nb c") is not None
    assert token_difference("#include <a>\n#include <b>", "#include <b>\n#include <a>") is not None


def test_same_but_for_layout() -> None:
    left = "// one\nstd::vector<std::pair<int,int> > f(int a);\n\n#include <x.h>\n"
    right = "std::vector<std::pair<int, int>>\nf(\n  int a /* two */);\r\n  #include <x.h>"
    assert token_difference(left, right) is None


def test_braces_as_sets() -> None:
    left, right = 'f("x", {b, a});', 'f("x",\n{a, b});'
    assert token_difference(left, right, braces_as_sets=True) is None
    found = token_difference(left, right)
    assert found is not None
    assert found.place == "token 6"


def test_difference_names_tokens_and_lines() -> None:
    found = token_difference("a // x\nb\n/* y\n */\nc d", "a b\nc e", context=2)
    assert str(found) == "token 4 differs\n  expected line 5: b c >>>d<<<\n  actual   line 2: b c >>>e<<<"


def test_difference_at_the_end() -> None:
    found = token_difference("a b", "a")
    assert found is not None
    assert (found.expected.text, found.actual.text) == ("b", None)
    assert str(found.actual) == "line 1: a >>>end<<<"


def test_difference_inside_preprocessor_lines() -> None:
    left, right = "x\n#define ALL(_) \\\n _(a) \\\n _(b)", "x\n#define ALL(_) \\\n _(a)"
    found = token_difference(left, right, context=2)
    assert str(found) == (
        "token 2, word 9 differs\n  expected line 2: a ) >>>_<<< ( b\n  actual   line 2: a ) >>>end<<<"
    )
    assert token_difference(left, "x y") is not None


def test_what_stands_around_is_cut() -> None:
    found = token_difference('"' + "a" * 1000 + '" x', '"' + "a" * 1000 + '" y')
    assert found is not None
    assert len(str(found)) < 250


def test_registration_declarations_comment_is_data() -> None:
    left = 'T f(); // {"schema": "a"}\n// only a comment\n\n'
    assert line_difference(left, '  T f(); // {"schema": "a"}') is None
    found = line_difference(left, '\nT f(); // {"schema": "b"}')
    assert str(found) == (
        "data line 1 differs\n"
        '  expected line 1: >>>T f(); // {"schema": "a"}<<<\n'
        '  actual   line 2: >>>T f(); // {"schema": "b"}<<<'
    )


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("- a: 1\n  b: [x]\n", "- {a: 1, b: ['x']}"),
        ("[true, 16, ~, 1.0]", "[yes, 0x10, null, 1.00]"),
        ("- a\n", "# a comment\n- 'a'\n"),
    ],
)
def test_yaml_that_says_the_same(expected: str, actual: str) -> None:
    assert yaml_difference(expected, actual) is None


@pytest.mark.parametrize(
    ("expected", "actual", "place", "texts"),
    [
        ("- a: 1\n- 2", "- a: true\n- 2", "$[0].a", ("int '1'", "bool 'true'")),
        ("- a: '1'", "- a: 1", "$[0].a", ("str '1'", "int '1'")),
        ("- a: x", "- a: [x]", "$[0].a", ("str 'x'", "a list of 1")),
        ("- 1\n- 2", "- 1", "$ length", ("a list of 2", "a list of 1")),
        ("{a: 1, b: 2}", "{b: 2, a: 1}", "$ keys", ("keys a, b", "keys b, a")),
        (
            "- schema_string: 'aten::f(Tensor self) -> ()'\n  mode: native",
            "- schema_string: 'aten::f(Tensor self) -> ()'\n  mode: other",
            "$[0](aten::f).mode",
            ("str 'native'", "str 'other'"),
        ),
        ("- a\n- !!float x", "- a\n- !!float y", "$[1]", ("float 'x'", "float 'y'")),
    ],
)
def test_yaml_that_differs(expected: str, actual: str, place: str, texts: tuple[str, str]) -> None:
    found = yaml_difference(expected, actual)
    assert found is not None
    assert (found.place, (found.expected.text, found.actual.text)) == (place, texts)


def test_yaml_difference_has_lines() -> None:
    found = yaml_difference("- a\n\n- b", "- a\n- c")
    assert found is not None
    assert (found.expected.line, found.actual.line) == (3, 2)


def test_faulty_yaml_is_compared_by_lines() -> None:
    assert yaml_difference("[a", "  [a\n") is None
    found = yaml_difference("{a: 1, a: 2}", "{a: 1}")
    assert found is not None
    assert found.place == "data line 1"


def test_files_are_compared_by_their_name(tmp_path: Path) -> None:
    def differ(name: str, *contents: bytes) -> bool:
        files = [tmp_path / side / name for side in ("expected", "actual")]
        for file, content in zip(files, contents, strict=True):
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(content)
        return file_difference(*files) is not None

    assert not differ("Declarations.yaml", b"- 'a'", b"- a")
    assert differ("RegistrationDeclarations.h", b"a // b", b"a // c")
    assert not differ("Functions.h", b"a // \xff", b"a // \xfe")
    assert differ("Functions.h", b"a \xff", b"a \xfe")


@pytest.mark.parametrize(
    ("path", "family"),
    [
        ("OperatorsEverything.cpp", "operators"),
        ("Functions.h", "functions"),
        ("NativeMetaFunctions.h", "kernel declarations"),
        ("CPUFunctions_inl.h", "functions by key"),
        ("core/TensorBody.h", "tensor methods"),
        ("core/enum_tag.h", "tags"),
        ("ops/add.h", "headers by root: functions"),
        ("ops/add_ops.h", "headers by root: operators"),
        ("ops/add_native.h", "headers by root: kernels"),
        ("ops/add_cpu_dispatch.h", "headers by root: functions by key"),
        ("RegisterSchema.cpp", "schemas"),
        ("RegisterBackendSelect.cpp", "backend select"),
        ("RegisterFunctionalizationEverything.cpp", "functionalization"),
        ("ViewMetaClasses.cpp", "functionalization"),
        ("RegisterCPU.cpp", "registrations of CPU"),
        ("RegisterSparseCsrCUDA_0.cpp", "registrations of SparseCsrCUDA"),
        ("RegisterMetaEverything.cpp", "registrations of Meta"),
        ("UfuncCUDA_add.cu", "ufuncs"),
        ("VmapGeneratedPlumbing.h", "vmap"),
        ("Declarations.yaml", "Declarations.yaml"),
        ("torch/csrc/inductor/aoti_torch/generated/c_shim_cpu.h", "AOT-inductor shims"),
        ("something/new.h", "other files"),
        ("new\nline", "other files"),
    ],
)
def test_families(path: str, family: str) -> None:
    assert family_of(path).name == family


def test_compare_trees(tmp_path: Path) -> None:
    theirs, ours = tmp_path / "torchgen", tmp_path / "opwright"
    for folder in (theirs, ours):
        (folder / "core").mkdir(parents=True)
        (folder / "Functions.h").write_text("a b // " + folder.name)
        (folder / "RegisterSchema.cpp").write_text("{a, b}" if folder == ours else "{b, a}")
        (folder / "core" / "TensorBody.h").write_text(folder.name)
    (theirs / "RegisterCPU_0.cpp").write_text("a")
    (ours / "RegisterCPU_1.cpp").write_text("a")
    found = compare_trees(theirs, ours, ["RegisterSchema.cpp"])
    assert [(file.path, file.status) for file in found] == [
        ("Functions.h", Status.SAME),
        ("core/TensorBody.h", Status.DIFFERENT),
        ("RegisterSchema.cpp", Status.SAME),
        ("RegisterCPU_0.cpp", Status.ONLY_TORCHGEN),
        ("RegisterCPU_1.cpp", Status.ONLY_OPWRIGHT),
    ]
    assert {file.path: str(file.difference) for file in found if file.difference} == {
        "core/TensorBody.h": "token 1 differs\n  expected line 1: >>>torchgen<<<\n  actual   line 1: >>>opwright<<<"
    }
    assert counts(found)["registrations of CPU"] == {Status.ONLY_TORCHGEN: 1, Status.ONLY_OPWRIGHT: 1}
