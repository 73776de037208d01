"""What is measured, by name, and what is asked of it.

In: a `Setting`. Out: for each case, the scenarios to run; input that has to be made is made when a case is asked for.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from benchmarks.growth import FUNCTIONS, operator_count, write_grown
from benchmarks.scenarios import OUT, BenchmarkError, Comparison, Program, Scenario, Setting, Target

TORCHGEN, OPWRIGHT = "torchgen", "opwright"
PARSE = "parse of torchgen"
NOT_RUN = "torchgen (not run, takes minutes)"
SMALL_BACKEND = Path(__file__).with_name("small_backend.yaml").resolve()

#: The two ways of laying out headers, and the options for them.
MODES: dict[str, tuple[str, ...]] = {"aggregated": (), "per operator": ("--per-operator-headers",)}
#: torchgen always writes the umbrella copies of sharded files.
SAME_FILES = "--everything"

#: What the ratio of processor time is to be at least, and what we aim at.
COLD = {"aggregated": Target(25, 40), "per operator": Target(20, 35)}
UNCHANGED = Target(200, 400)
ONE_CHANGED = Target(20, 35)
BACKEND = Target(5, 8)
CHECK = Target(60)
MEMORY = Target(2, 3)
GROWTH = Target(11, 10, is_limit=True)

#: How many times a run of about a second is made for each of torchgen's.
TIMES = 5
FACTORS = (1, 2, 5, 10)
#: Up to here torchgen is run: its time grows with the square of the operators.
LARGEST_FOR_TORCHGEN = 2

_RUN = (
    "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)
_PARSE = (
    "import sys; sys.path.insert(0, sys.argv[1]); from torchgen.gen import parse_native_yaml; "
    "parse_native_yaml(sys.argv[2], sys.argv[3])"
)
#: One operator, in both its variants, gets another argument, and loses it again. (When only a default changes,
#: torchgen rewrites files for comments that Opwright does not write.)
CHANGED = "hardshrink"
CHANGED_SCHEMA = re.compile(rf"(?<=^- func: )({CHANGED}(?:\.out)?\(Tensor self, Scalar lambd=0\.5)", re.MULTILINE)
ADDED = ", bool inclusive=False"
VARIANTS = 2


def cold(setting: Setting) -> list[Scenario]:
    """Runs into new folders."""
    scenarios = []
    for mode, options in MODES.items():
        ours = opwright(setting, setting.source, (*options, SAME_FILES))
        fewer = opwright(setting, setting.source, options, "without umbrella copies")
        case = f"cold, {mode}"
        rows = (
            Comparison(f"{case}, {SAME_FILES}", ours.name, TORCHGEN, COLD[mode], MEMORY),
            Comparison(case, fewer.name, TORCHGEN),
        )
        scenarios.append(Scenario(case, (torchgen(setting, setting.source, options), ours, fewer), rows))
    return scenarios


def unchanged(setting: Setting) -> list[Scenario]:
    """Runs into folders that hold what they make."""
    scenarios = []
    for mode, options in MODES.items():
        case = f"unchanged, {mode}"
        ours = opwright(setting, setting.source, (*options, SAME_FILES))
        programs = [torchgen(setting, setting.source, options), ours]
        rows = [Comparison(case, ours.name, TORCHGEN, UNCHANGED)]
        if setting.has_force:
            forced = opwright(setting, setting.source, (*options, SAME_FILES, "--force"), "--force")
            programs.append(forced)
            rows.append(Comparison(f"{case}, --force", forced.name, TORCHGEN))
        scenarios.append(Scenario(case, tuple(programs), tuple(rows), keeps_folders=True))
    return scenarios


def changed(setting: Setting) -> list[Scenario]:
    """Runs into folders that hold what they make, after a change of one operator.

    Raises BenchmarkError when it is not there.
    """
    source = setting.scratch / "changed"
    shutil.copytree(setting.source, source)
    functions = source / FUNCTIONS
    before = functions.read_text(encoding="utf-8")
    after, count = CHANGED_SCHEMA.subn(rf"\1{ADDED}", before)
    if count != VARIANTS:
        raise BenchmarkError(f"the operator '{CHANGED}' is not as expected, so it cannot be changed")

    def edit() -> None:
        is_changed = functions.read_text(encoding="utf-8") == after
        functions.write_text(before if is_changed else after, encoding="utf-8", newline="\n")

    scenarios = []
    for mode, options in MODES.items():
        case = f"one operator changed, {mode}"
        ours = opwright(setting, source, (*options, SAME_FILES))
        rows = (Comparison(case, ours.name, TORCHGEN, ONE_CHANGED, MEMORY),)
        programs = (torchgen(setting, source, options), ours)
        scenarios.append(Scenario(case, programs, rows, keeps_folders=True, edit=edit))
    return scenarios


def backend(setting: Setting) -> list[Scenario]:
    """The stubs of a backend with seven operators."""
    options = ("-s", str(SMALL_BACKEND), "-o", OUT)
    theirs = Program(TORCHGEN, ("-c", _RUN, str(_checkout(setting)), "torchgen.gen_backend_stubs"), options)
    own = ("--source-path", str(setting.source), *_release(setting, setting.source))
    ours = Program(OPWRIGHT, ("-m", "opwright", "backend"), (*own, *options), TIMES)
    first = Comparison("backend, cold", ours.name, TORCHGEN, BACKEND)
    second = Comparison("backend, unchanged", ours.name, TORCHGEN)
    return [
        Scenario("backend, cold", (theirs, ours), (first,)),
        Scenario("backend, unchanged", (theirs, ours), (second,), keeps_folders=True),
    ]


def check(setting: Setting) -> list[Scenario]:
    """The check of PyTorch's operators, of which torchgen has none: against its parse, and all that it does."""
    native = setting.source / "native"
    files = (str(native / "native_functions.yaml"), str(native / "tags.yaml"))
    parse = Program(PARSE, ("-c", _PARSE, str(setting.root)), files)
    own = ("-s", str(setting.source), *_release(setting, setting.source))
    ours = Program(OPWRIGHT, ("-m", "opwright", "check"), own, TIMES)
    rows = (Comparison("check", ours.name, PARSE, CHECK), Comparison("check", ours.name, TORCHGEN))
    return [Scenario("check", (parse, torchgen(setting, setting.source, ()), ours), rows)]


def growth(setting: Setting) -> list[Scenario]:
    """Runs into new folders with up to ten times as many operators."""
    programs: list[Program] = []
    rows: list[Comparison] = []
    for factor in FACTORS:
        source = write_grown(setting.source, setting.scratch / f"times-{factor}", factor, setting.torchgen)
        ours = opwright(setting, source, (SAME_FILES,), f"at {factor}x", TIMES if factor == 1 else 1)
        against = NOT_RUN
        if factor <= LARGEST_FOR_TORCHGEN or setting.grows_torchgen:
            theirs = torchgen(setting, source, (), f"at {factor}x")
            programs.append(theirs)
            against = theirs.name
        programs.append(ours)
        rows.append(Comparison(f"growth {factor}x, {operator_count(source)} operators", ours.name, against))
    rows.append(Comparison("growth from 1x to 10x", f"{OPWRIGHT} at 10x", f"{OPWRIGHT} at 1x", GROWTH))
    return [Scenario("growth", tuple(programs), tuple(rows))]


CASES: dict[str, Callable[[Setting], list[Scenario]]] = {
    "cold": cold,
    "unchanged": unchanged,
    "changed": changed,
    "backend": backend,
    "check": check,
    "growth": growth,
}


def torchgen(setting: Setting, source: Path, options: tuple[str, ...], label: str = "") -> Program:
    """torchgen on a source folder."""
    start = ("-c", _RUN, str(setting.root), "torchgen.gen")
    own = ("--native-aot-ops-dir", "") if (setting.torchgen / "native_aot.py").is_file() else ()
    return Program(f"{TORCHGEN} {label}".rstrip(), start, (*_gen_options(setting, source), *own, *options))


def opwright(setting: Setting, source: Path, options: tuple[str, ...], label: str = "", times: int = TIMES) -> Program:
    """`opwright gen` on a source folder."""
    own = (*_gen_options(setting, source), *_release(setting, source))
    return Program(f"{OPWRIGHT} {label}".rstrip(), ("-m", "opwright", "gen"), (*own, *options), times)


def _gen_options(setting: Setting, source: Path) -> tuple[str, ...]:
    """What both programs are told."""
    shims = ("--aoti-install-dir", f"{OUT}/aoti") if (setting.torchgen / "aoti").is_dir() else ()
    return ("-s", str(source), "-d", OUT, *shims)


def _release(setting: Setting, source: Path) -> tuple[str, ...]:
    """The option that says of which release a source is, unless that is the installed one, where Opwright sees it."""
    return () if setting.is_installed and source == setting.source else ("--release", setting.release)


def _checkout(setting: Setting) -> Path:
    """A folder laid out as PyTorch's is, in which gen_backend_stubs of every release finds the operators."""
    folder = setting.scratch / "checkout"
    (folder / "aten" / "src").mkdir(parents=True)
    (folder / "aten" / "src" / "ATen").symlink_to(setting.source, target_is_directory=True)
    (folder / "torchgen").symlink_to(setting.torchgen, target_is_directory=True)
    return folder
