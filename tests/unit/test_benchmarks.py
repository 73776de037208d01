"""The parts of the benchmarks that can be wrong: copies of operators, medians, tables."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.growth import copied, copyable, grown, known_families
from benchmarks.measuring import Line, Used, lines, measure, rewritten_by_all, run
from benchmarks.report import Report, for_people, section, with_section
from benchmarks.scenarios import BenchmarkError, Comparison, Program, Scenario, Target
from opwright.diagnostics import Diagnostics
from opwright.model.model import Group, Model
from opwright.reading import read_model
from opwright.releases.operators import native_functions_yaml, tags_yaml
from opwright.source import Source
from tests.parity.fetch import CHECKOUT
from tests.parity.subset import choose, split_entries
from tests.releases import SAMPLES

#: Structured operators, views with and without copies, factories, lists, generated variants, a functional variant.
FAMILIES = ("mul", "select", "_foreach_mul", "new_empty", "rand_like", "normal", "slice", "squeeze", "abs", "_to_copy")


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("- func: add_.Tensor(Tensor(a!) self) -> ()", "- func: again2_add_.Tensor(Tensor(a!) self) -> ()"),
        ("- func: _foreach_add(Tensor[] self) -> ()", "- func: _foreach_again2_add(Tensor[] self) -> ()"),
        ("- func: new_empty(Tensor self) -> ()", "- func: new_again2_empty(Tensor self) -> ()"),
        ("- func: _to_copy(Tensor self) -> ()", "- func: _again2_to_copy(Tensor self) -> ()"),
        ("- func: mine::add(Tensor self) -> ()", "- func: mine::again2_add(Tensor self) -> ()"),
        ("  structured_delegate: add.out\n", "  structured_delegate: again2_add.out\n"),
        ("  autogen: bee, _bee.out\n", "  autogen: again2_bee, _again2_bee.out\n"),
        ("    CPU, CUDA: add_out # fast\n", "    CPU, CUDA: again2_add_out # fast\n"),
        ("    Meta: at::mine::_add\n", "    Meta: at::mine::_again2_add\n"),
        ("    # CPU: add\n  structured_inherits: TensorIteratorBase\n  tags: core\n", None),
    ],
)
def test_names_of_copies(entry: str, expected: str | None) -> None:
    assert copied(entry, 2) == (entry if expected is None else expected)


def model_of(text: str) -> Model:
    """The model of some operators, which are accepted."""
    faults = Diagnostics()
    tags = Source("tags.yaml", tags_yaml(SAMPLES.name))
    model = read_model(Source("native_functions.yaml", text), tags, SAMPLES, faults)
    assert model is not None and [str(item.message) for item in faults.items] == []
    return model


def test_copies_have_what_their_originals_have() -> None:
    head, entries = split_entries(native_functions_yaml(SAMPLES.name))
    text = head + "".join(entry.text for entry in choose(entries, 0, seed=1, include=FAMILIES))
    once, thrice = model_of(text), model_of(grown(text, 3, known=()))
    for part in ("operators", "groups", "views", "view_groups"):
        assert len(getattr(thrice, part)) == 3 * len(getattr(once, part)), part
    structured = [
        [item for item in model.groups if isinstance(item, Group) and item.is_structured] for model in (once, thrice)
    ]
    assert len(structured[1]) == 3 * len(structured[0]) > 0
    kernels = [
        {kernel.name for operator in model.operators for kernel in operator.kernels.values()}
        for model in (once, thrice)
    ]
    assert len(kernels[1]) == 3 * len(kernels[0]) > 0


def test_others_are_copied_for_operators_that_torchgen_knows(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text('NAMES = {"bee", "cat_.out"}', encoding="utf-8")
    known = known_families(tmp_path)
    assert known == {"bee", "cat"}
    names = ("ant", "ant_", "bee", "cat", "dog", "dog_copy", "eel")
    text = "".join(f"- func: {name}(Tensor self) -> ()\n" for name in names)
    text += "- func: fly(Tensor self) -> ()\n  structured_delegate: bee.out\n"
    assert {entry.family for entry in copyable(split_entries(text)[1], known)} == {"ant", "dog", "dog_copy", "eel"}
    result = [entry.family for entry in split_entries(grown(text, 3, known))[1]]
    assert len(result) in (3 * 8, 3 * 8 + 1)  # families are copied as a whole
    assert result.count("bee") == result.count("cat") == result.count("fly") == 1
    with pytest.raises(ValueError, match="none of the operators"):
        grown("- func: bee(Tensor self) -> ()\n", 2, known)


def used(*figures: tuple[float, float]) -> list[Used]:
    return [Used(time, memory) for time, memory in figures]


RUNS = {
    "theirs": used((30.0, 200.0), (10.0, 190.0), (20.0, 180.0)),
    "ours": used((1.0, 90.0), (0.5, 95.0), (9.0, 100.0)),
}


def test_medians_and_ratios() -> None:
    time, memory = lines(Comparison("cold", "ours", "theirs", Target(15, 40)), RUNS)
    assert (time.theirs, time.ours, time.ratio) == (20, 1, 20)
    assert (memory.theirs, memory.ours, memory.ratio, memory.target) == (190, 95, 2, None)


def test_growth_is_ours_to_theirs() -> None:
    time, memory = lines(Comparison("growth", "theirs", "ours", Target(11, 10, is_limit=True)), RUNS)
    assert (time.ratio, memory.ratio) == (20, 2)


def test_a_program_that_is_not_run_has_no_ratio() -> None:
    time, _ = lines(Comparison("growth 5x", "ours", "torchgen (not run)"), RUNS)
    assert (time.theirs, time.ours, time.ratio) == (None, 1, None)


@pytest.mark.parametrize(
    ("target", "ratio", "expected"),
    [
        (Target(20, 40), 19.9, "no"),
        (Target(20, 40), 20, "yes"),
        (Target(20, 40), 40, "aim"),
        (Target(60), 70, "yes"),
        (Target(11, 10, is_limit=True), 11.1, "no"),
        (Target(11, 10, is_limit=True), 10.5, "yes"),
        (Target(11, 10, is_limit=True), 9, "aim"),
    ],
)
def test_verdicts(target: Target, ratio: float, expected: str) -> None:
    assert target.verdict(ratio) == expected


def test_rewritten_files_are_the_same_ones() -> None:
    assert rewritten_by_all({"torchgen": {"a", "b"}, "opwright": {"b", "a"}}) == 2
    with pytest.raises(BenchmarkError, match="torchgen and opwright have not rewritten the same files: b"):
        rewritten_by_all({"torchgen": {"a", "b"}, "opwright": {"a"}})


#: The benchmarks run where a program is told what its children took.
POSIX = pytest.mark.skipif(not hasattr(os, "wait4"), reason="the benchmarks do not run on this system")


def python(name: str, code: str) -> Program:
    return Program(name, ("-c", code), ("{out}",))


#: Writes what the input file beside the folder says, when it is not there already.
WRITE = """\
import pathlib, sys
out, text = pathlib.Path(sys.argv[1]), pathlib.Path("../../input").read_text()
out.mkdir(exist_ok=True)
if not (out / "a").exists() or (out / "a").read_text() != text:
    (out / "a").write_text(text)
"""


@POSIX
def test_programs_take_turns(tmp_path: Path) -> None:
    (tmp_path / "input").write_text("1")

    def edit() -> None:
        (tmp_path / "input").write_text((tmp_path / "input").read_text() + "1")

    both = (python("theirs", WRITE), python("ours", WRITE))
    rows = (Comparison("changed", "ours", "theirs"),)
    said: list[str] = []
    outcome = measure(Scenario("changed", both, rows, True, edit), 2, tmp_path / "runs", said.append)
    assert said == ["changed: round 1 of 2", "changed: round 2 of 2"]
    assert outcome.notes == ("changed: files rewritten by every program: 1, the same ones",)
    assert all(line.ours > 0 and line.ratio for line in outcome.lines)
    assert not (tmp_path / "runs").exists()
    with pytest.raises(BenchmarkError, match="changed: nothing was rewritten"):
        measure(Scenario("changed", both, rows, True, lambda: None), 1, tmp_path / "runs", said.append)


@POSIX
def test_memory_is_that_of_the_program(tmp_path: Path) -> None:
    held = bytearray(b"1") * 100_000_000  # Linux would count it for a child of this process
    small = run(python("small", "pass"), tmp_path / "small")
    large = run(python("large", "held = bytearray(b'1') * 60_000_000"), tmp_path / "large")
    assert len(held) / 2**20 > large.memory > small.memory + 50


@POSIX
def test_the_checkout_is_measured(tmp_path: Path) -> None:
    expected = str(CHECKOUT / "src" / "opwright" / "__init__.py")
    run(python("where", f"import opwright; assert opwright.__file__ == {expected!r}, opwright.__file__"), tmp_path)


@POSIX
def test_a_failure_shows_what_was_printed(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"(?s)odd failed with exit status 1:.*no such thing"):
        run(python("odd", "raise SystemExit('no such thing')"), tmp_path)


def report_of(day: str) -> Report:
    rows = (
        Line("cold", "torchgen", "time", 20.0, 0.5, 40.0, Target(25, 40)),
        Line("growth 5x", "torchgen (not run)", "memory", None, 90.0, None),
        Line("growth", "opwright at 1x", "time", 1.0, 11.5, 11.5, Target(11, 10, is_limit=True)),
    )
    return Report(day, "a machine", "torchgen 2.13.0", rows, ["changed: 3 files"])


SECTION = """\
## 2026-01-31

a machine; torchgen 2.13.0.

| case | against | of | theirs | Opwright | ratio | target | aim | holds |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | --- |
| cold | torchgen | time | 20.000 s | 0.500 s | 40.0 | ≥ 25 | ≥ 40 | aim |
| growth 5x | torchgen (not run) | memory |  | 90.0 MiB |  |  |  |  |
| growth | opwright at 1x | time | 1.000 s | 11.500 s | 11.5 | ≤ 11 | ≤ 10 | no |

- changed: 3 files.
"""


def test_section() -> None:
    assert section(report_of("2026-01-31")) == SECTION


def test_table_for_people() -> None:
    shown = for_people(report_of("2026-01-31")).splitlines()
    assert shown[3].split() == ["case", "against", "of", "theirs", "Opwright", "ratio", "target", "aim", "holds"]
    assert shown[4].split() == "cold torchgen time 20.000 s 0.500 s 40.0 ≥ 25 ≥ 40 aim".split()
    assert shown[-1] == "changed: 3 files"


def test_older_runs_stay() -> None:
    older = section(report_of("2026-01-30"))
    first = with_section("# Results\n\nRuns.\n", older)
    assert first == f"# Results\n\nRuns.\n\n{older}"
    assert with_section(first, SECTION) == f"# Results\n\nRuns.\n\n{SECTION}\n{older}"


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == ["cold", "unchanged", "changed", "backend", "check", "growth"]
    for wrong, message in ((["warm"], "there is no case 'warm'"), (["--rounds", "0"], "'0' is not a number from 1")):
        with pytest.raises(SystemExit, match="2"):
            main(wrong)
        assert message in capsys.readouterr().err


@POSIX
def test_a_reference_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backend", "--reference", "nowhere"]) == 1
    assert "there is no torchgen in 'nowhere'" in capsys.readouterr().err
