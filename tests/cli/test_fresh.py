"""Runs that have nothing to do, and everything that gives them something to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from opwright.cli import fresh
from opwright.cli.main import main
from opwright.locate import SAMPLE
from opwright.looks import digest
from opwright.output.record import FORMAT, forget_records, parsed
from tests.gen import SMALL, make_source, write_operators
from tests.program import environment, outputs

links = pytest.mark.skipif(os.name == "nt", reason="Windows makes links only for who may")

#: An operator whose kernel has a namespace that needs not be said, which is a warning.
WARNED = SMALL + "- func: rinse(Tensor self) -> Tensor\n  dispatch:\n    CPU: at::native::rinse\n"
BACKEND = "backend: PrivateUse1\ncpp_namespace: mine\nsupported:\n- ripple\n"
LAZY = "backend: Lazy\ncpp_namespace: mine\nfull_codegen:\n- blend\n"
KERNEL = (
    "at::Tensor PrivateUse1NativeFunctions::ripple("
    "const at::Tensor& x, double r, int64_t s, double e, std::optional<double> d) {}\n"
)


class Run(NamedTuple):
    """What came of a run: its exit status, what it said, and whether it generated."""

    status: int
    out: str
    err: str
    generated: bool


Command = Callable[..., Run]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs a command line in the folder of the test, in this process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    imported: list[str] = []

    def note(name: str) -> ModuleType:
        imported.append(name)
        return import_module(name)

    monkeypatch.setattr(fresh, "import_module", note)

    def run(*arguments: str) -> Run:
        imported.clear()
        status = main(arguments)
        return Run(status, *capfd.readouterr(), bool(imported))

    return run


GEN = ("gen", "-s", "source", "-d", "out")


@pytest.fixture
def gen(run: Command, tmp_path: Path) -> Command:
    """`opwright gen` on a small source, run once."""
    make_source(tmp_path / "source")

    def gen(*more: str) -> Run:
        return run(*GEN, *more)

    first = gen()
    assert (first.status, first.generated) == (0, True)
    return gen


def records(folder: Path) -> list[Path]:
    return sorted(folder.glob(".opwright-run-*.json"))


def times(folder: Path) -> dict[str, int]:
    """When each file below a folder was changed, manifests and records too."""
    return {path.as_posix(): path.stat().st_mtime_ns for path in sorted(folder.rglob("*")) if path.is_file()}


class TestNothingToDo:
    def test_it_says_so_and_touches_nothing(self, gen: Command, tmp_path: Path) -> None:
        before = times(tmp_path)
        first, again = gen("--force"), gen()
        assert again == first._replace(generated=False)
        count = len(outputs("out"))
        assert again.out == f"{count} files for out: 0 written, {count} unchanged\n"
        assert again.err.startswith("source: source (as given)\nrelease: PyTorch ")
        assert {name: time for name, time in times(tmp_path).items() if "opwright-run" not in name} == {
            name: time for name, time in before.items() if "opwright-run" not in name
        }

    def test_nothing_of_the_generator_is_imported(self, gen: Command, tmp_path: Path) -> None:
        gen()
        script = (
            "import argparse, gc, importlib.util, json, sys; before = {*sys.modules}; "
            "from opwright.cli.main import main; status = main(sys.argv[1:]); "
            "heavy = ('opwright', 'yaml', 'rich', 'typing', 'pathlib', 'hashlib'); "
            "print(*[name for name in {*sys.modules} - before if name.split('.')[0] in heavy]); sys.exit(status)"
        )
        command = [sys.executable, "-c", script, *GEN, "-q"]
        gen("--force")
        done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment(), check=True)
        loaded = set(done.stdout.split())
        assert "opwright.output.record" in loaded
        assert {name for name in loaded if name.split(".")[0] != "opwright"} == set()
        parts = {name.split(".")[1] for name in loaded if "." in name}
        assert parts == {"cli", "looks", "options", "output", "report", "stats", "values"}
        assert not any(name.endswith("_run") for name in loaded)

    def test_how_much_is_said_is_another_matter(self, gen: Command) -> None:
        quiet, verbose = gen("-q"), gen("-v")
        assert quiet == Run(0, "", "", False)
        names = sorted(path.as_posix() for path in outputs("out").values())
        assert sorted(verbose.out.splitlines()[:-1]) == [f"unchanged {name}" for name in names]
        assert gen("-v", "--force") == verbose._replace(generated=True)

    def test_stats(self, gen: Command) -> None:
        run = gen("--stats")
        assert not run.generated
        assert "look for changes" in run.err and "catalog" not in run.err
        assert "look for changes" not in gen("--stats", "--force").err

    @pytest.mark.parametrize("format", ["text", "concise", "json", "sarif", "github"])
    @pytest.mark.parametrize("color", ["always", "never"])
    def test_warnings_are_said_again(self, format: str, color: str, gen: Command, tmp_path: Path) -> None:
        write_operators(tmp_path / "source", WARNED)
        first = gen("--format", format, "--color", "always" if color == "never" else "never")
        assert "kernel-namespace-native" in first.out + first.err
        plain = gen("--format", format, "--color", color)
        forced = gen("--format", format, "--color", color, "--force")
        assert plain == forced._replace(generated=False)
        assert ("\x1b[" in plain.err) == (format == "text" and color == "always")

    def test_remarks_are_said_again(self, gen: Command, tmp_path: Path) -> None:
        (tmp_path / "aot").mkdir()
        options = ("--backend-whitelist", "MPS", "--release", "2.15", "--aot-ops-dir", "aot", "-q")
        first = gen(*options)
        assert "there are no files for 'MPS' without --mps" in first.err
        assert "no folder in 'aot' has a file aot.py" in first.err
        assert gen(*options).err == first.err

    def test_two_commands_in_one_folder(self, run: Command, tmp_path: Path) -> None:
        make_source(tmp_path / "source")
        for _ in range(2):
            done = [run(*GEN, "--generate", step) for step in ("headers", "sources")]
        assert [one.generated for one in done] == [False, False]
        assert len(records(tmp_path / "out")) == 2

    def test_another_command_takes_the_place_of_one(self, gen: Command, tmp_path: Path) -> None:
        assert gen("--per-operator-headers").generated
        assert len(records(tmp_path / "out")) == 1
        assert gen().generated
        assert not gen().generated

    def test_it_finds_the_installed_torch_again(
        self, run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("one", "two"):
            make_source(tmp_path / name / "torchgen" / "packaged" / "ATen")
            (tmp_path / name / "torchgen" / "__init__.py").touch()
            (tmp_path / name / "torch").mkdir()
            (tmp_path / name / "torch" / "version.py").write_text("__version__ = '2.12.0'\n", encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path / "one")
        assert [run("gen", "-d", "out").generated for _ in range(2)] == [True, False]
        version = tmp_path / "one" / "torch" / "version.py"
        version.write_text("__version__ = '2.13.0'\n", encoding="utf-8")
        assert "release: PyTorch 2.13 " in run("gen", "-d", "out").err
        assert not run("gen", "-d", "out").generated
        monkeypatch.syspath_prepend(tmp_path / "two")
        assert "source: " + (tmp_path / "two").as_posix() in run("gen", "-d", "out").err
        make_source(tmp_path / "aten" / "src" / "ATen")
        assert "the checkout in the current folder" in run("gen", "-d", "out").err


def append(path: str) -> Callable[[], None]:
    """Changes a text file, but not what it means."""

    def change() -> None:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write("\n")

    return change


CHANGES: dict[str, Callable[[], object]] = {
    "operators": append("source/native/native_functions.yaml"),
    "tags": append("source/native/tags.yaml"),
    "a template": append("source/templates/Functions.h"),
    "an output edited": append("out/Functions.h"),
    "an output emptied": lambda: Path("out/Functions.h").write_text(""),
    "an output touched": lambda: Path("out/Functions.h").touch(),
    "an output in a folder deleted": lambda: Path("out/core/TensorBody.h").unlink(),
    "a manifest deleted": lambda: Path("out/.opwright-headers.json").unlink(),
    "a list edited": append("lists/ops_made.cmake"),
    "a depfile deleted": lambda: Path("lists/x.d").unlink(),
    "a report edited": append("lists/report.json"),
    "an enumeration elsewhere": lambda: Path("elsewhere/enum_tag.h").unlink(),
    "the record deleted": lambda: forget_records("out", ["headers"]),
}


class TestChanges:
    @pytest.fixture
    def all_outputs(self, run: Command, tmp_path: Path) -> Command:
        """A run that also makes all that is beside the files."""
        make_source(tmp_path / "source")
        more = ("-o", "lists/made.cmake", "--depfile", "lists/x.d", "--selection-report", "lists/report.json")
        return lambda *others: run(*GEN, *more, "--headeronly-install-dir", "elsewhere", *others)

    def test_each_is_noticed_and_put_right(self, all_outputs: Command, tmp_path: Path) -> None:
        all_outputs()
        wanted = {
            path: path.read_bytes() for folder in ("out", "lists", "elsewhere") for path in outputs(folder).values()
        }
        for name, change in CHANGES.items():
            assert not all_outputs().generated, name
            change()
            before = times(tmp_path)
            run = all_outputs()
            assert (run.status, run.generated) == (0, True), name
            changed = {path for path, time in times(tmp_path).items() if before.get(path) != time}
            changed = {path for path in changed if "opwright-run" not in path}
            if name == "a template":
                assert {Path(path).name for path in changed} == {"Functions.h", ".opwright-headers.json"}
                wanted = {path: path.read_bytes() for path in wanted}
            assert len(changed) <= 2, name
            assert {path: path.read_bytes() for path in wanted} == wanted, name
            assert not all_outputs().generated, name

    def test_what_has_the_same_content_is_no_change(self, gen: Command, tmp_path: Path) -> None:
        for path in outputs(tmp_path / "source").values():
            path.touch()
        assert not gen().generated

    def test_options(self, gen: Command, tmp_path: Path) -> None:
        for options in (["--per-operator-headers"], ["--everything"], ["--release", "2.12"], ["--prune"]):
            assert gen(*options).generated
            assert not gen(*options).generated

    def test_the_form_of_messages_that_a_service_wants(self, gen: Command, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("GITHUB_ACTIONS", "true")
        assert [gen().generated for _ in range(2)] == [True, False]

    def test_the_folder_that_paths_are_relative_to(
        self, run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("a", "b"):
            make_source(tmp_path / name / "source")
        monkeypatch.chdir(tmp_path / "a")
        out = str(tmp_path / "out")
        run("gen", "-s", "source", "-d", out)
        monkeypatch.chdir(tmp_path / "b")
        assert run("gen", "-s", "source", "-d", out).generated

    def test_another_opwright(self, gen: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        package = tmp_path / "package"
        (package / "data").mkdir(parents=True)
        (package / "data" / "a.py").touch()
        monkeypatch.setattr(fresh, "PACKAGE", str(package))
        assert [gen().generated for _ in range(2)] == [True, False]
        (package / "data" / "a.py").write_text("# edited\n", encoding="utf-8")
        assert [gen().generated for _ in range(2)] == [True, False]
        (package / "__pycache__").mkdir()
        (package / "__pycache__" / "a.pyc").touch()
        assert not gen().generated
        monkeypatch.setattr(fresh, "__version__", "99")
        assert [gen().generated for _ in range(2)] == [True, False]
        monkeypatch.setattr(fresh, "PACKAGE", str(tmp_path / "archive.zip"))
        assert [gen().generated for _ in range(2)] == [True, True]

    def test_force(self, gen: Command, tmp_path: Path) -> None:
        before = times(tmp_path / "out")
        run = gen("--force")
        assert run.generated and " 0 written, " in run.out
        assert {name for name, time in times(tmp_path / "out").items() if before[name] != time} == {
            record.as_posix() for record in records(tmp_path / "out")
        }
        assert not gen().generated

    @links
    def test_an_output_behind_a_link(self, gen: Command, tmp_path: Path) -> None:
        place = tmp_path / "out" / "Functions.h"
        place.rename(tmp_path / "real.h")
        place.symlink_to(tmp_path / "real.h")
        assert not gen().generated
        append("real.h")()
        assert gen().generated
        assert place.is_symlink()
        assert not gen().generated
        (tmp_path / "real.h").unlink()
        assert gen().generated

    def test_errors_lose_nothing(self, gen: Command, tmp_path: Path) -> None:
        write_operators(tmp_path / "source", SMALL.replace("Tensor self", "Tensr self", 1))
        for _ in range(2):
            run = gen()
            assert (run.status, run.generated) == (1, True)
        write_operators(tmp_path / "source", SMALL)
        assert not gen().generated

    def test_an_input_that_changes_while_it_is_read(
        self, gen: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What counts is what was read, not what is there at the end."""
        from opwright import reading

        read_model = reading.read_model

        def slow(*arguments: object) -> object:
            write_operators(tmp_path / "source", SMALL + "# late\n")
            return read_model(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(reading, "read_model", slow)
        gen("--force")
        monkeypatch.undo()
        os.chdir(tmp_path)
        assert main([*GEN, "-q"]) == 0
        held = parsed(records(tmp_path / "out")[0].read_bytes())
        assert held is not None
        text = (tmp_path / "source" / "native" / "native_functions.yaml").read_bytes()
        assert held.sights["content"]["source/native/native_functions.yaml"] == digest(text)


class TestLeftovers:
    def test_a_file_that_comes_back(self, gen: Command, tmp_path: Path) -> None:
        options = ("--per-operator-headers", "--prune")
        gen(*options)
        place = tmp_path / "out" / "ops" / "wring.h"
        held = place.read_bytes()
        write_operators(tmp_path / "source", SMALL.replace("wring", "dip"))
        assert gen(*options).generated and not place.exists()
        assert not gen(*options).generated
        place.write_bytes(held)
        run = gen(*options)
        assert run.generated and run.out.endswith(" 1 removed\n") and not place.exists()
        assert not gen(*options).generated
        place.write_bytes(held)
        counted = [gen("--per-operator-headers") for _ in range(2)]
        assert [run.generated for run in counted] == [True, False]
        assert {run.err.splitlines()[-1] for run in counted} == {
            "1 more of earlier runs are not made any more; --prune removes them"
        }
        place.unlink()
        assert gen("--per-operator-headers").generated

    def test_a_file_that_was_edited(self, gen: Command, tmp_path: Path) -> None:
        options = ("--per-operator-headers", "--prune")
        gen(*options)
        place = tmp_path / "out" / "ops" / "wring.h"
        place.write_text("// mine\n", encoding="utf-8")
        write_operators(tmp_path / "source", SMALL.replace("wring", "dip"))
        assert "it was edited, so it is kept" in gen(*options).err
        assert "kept" not in gen(*options, "--force").err
        assert not gen(*options).generated
        (tmp_path / "out" / "own.h").touch()
        assert not gen(*options).generated


def framed(body: object) -> bytes:
    """A record that looks right and holds anything."""
    text = json.dumps(body)[1:].encode() + b"\n"
    return f'{{"digest": "{digest(text)}",\n'.encode() + text


WRONG: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda old: b"",
    "truncated": lambda old: old[:-10],
    "binary": lambda old: b"\xff\xfe\0" + old,
    "a manifest": lambda old: b'{"format": 1, "files": {}}\n',
    "another format": lambda old: framed({"format": FORMAT + 1}),
    "no parts": lambda old: framed({"format": FORMAT}),
    "a number": lambda old: framed([7]),
    "of other types": lambda old: framed({**json.loads(old), "digest": 7, "files": 7, "sights": [], "steps": 3}),
    "of other kinds": lambda old: framed({**whole(old), "sights": {"smell": {"x": True}}}),
    "of other outputs": lambda old: framed({**whole(old), "files": [["out/none"], [1], [1]]}),
    "of lists that differ in length": lambda old: framed({**whole(old), "files": [["out/none"], [], []]}),
    "of other files": lambda old: framed({**whole(old), "files": 7}),
}


def whole(old: bytes) -> dict[str, object]:
    """The parts of a record."""
    parts: dict[str, object] = json.loads(old)
    del parts["digest"]
    return parts


class TestRecords:
    def test_wrong_ones_are_ignored(self, gen: Command, tmp_path: Path) -> None:
        (place,) = records(tmp_path / "out")
        for name, damage in WRONG.items():
            assert not gen().generated, name
            place.write_bytes(damage(place.read_bytes()))
            run = gen()
            assert (run.status, run.generated) == (0, True), name
            assert records(tmp_path / "out") == [place], name

    def test_one_that_cannot_be_written(self, gen: Command, tmp_path: Path) -> None:
        (place,) = records(tmp_path / "out")
        place.unlink()
        place.mkdir()
        run = gen()
        assert (run.status, run.generated) == (0, True)
        assert "no record of this run is kept: out/.opwright-run-" in run.err

    @pytest.mark.parametrize("option", [["--dry-run"], ["--check"], ["--print-outputs", "lines"]])
    def test_runs_that_write_nothing_have_none(self, option: list[str], gen: Command, tmp_path: Path) -> None:
        before = records(tmp_path / "out")
        assert [gen(*option).generated for _ in range(2)] == [True, True]
        assert records(tmp_path / "out") == before
        assert not gen().generated

    def test_a_damaged_manifest_is_told_until_it_is_right(self, gen: Command, tmp_path: Path) -> None:
        (tmp_path / "out" / ".opwright-sources.json").write_text("{", encoding="utf-8")
        runs = [gen("--generate", "headers", "--force") for _ in range(2)]
        assert all("sources.json is ignored" in run.err and run.generated for run in runs)
        assert gen("--generate", "headers").generated


class TestBackends:
    @pytest.fixture(autouse=True)
    def files(self, tmp_path: Path) -> Iterator[None]:
        (tmp_path / "backend.yaml").write_text(BACKEND, encoding="utf-8")
        (tmp_path / "lazy.yaml").write_text(LAZY, encoding="utf-8")
        (tmp_path / "csrc" / "deep").mkdir(parents=True)
        (tmp_path / "csrc" / "a.cpp").write_text(KERNEL, encoding="utf-8")
        yield

    def test_backend(self, run: Command, tmp_path: Path) -> None:
        command = ("backend", "-s", "backend.yaml", "-o", "gen", "--source-path", str(SAMPLE), "--impl-path", "csrc")
        first, again = run(*command), run(*command)
        assert (first.generated, again.generated) == (True, False)
        assert again.out == f"{len(outputs('gen'))} files for gen: 0 written, {len(outputs('gen'))} unchanged\n"
        assert again.err == first.err
        for place in ("csrc/a.cpp", "csrc/deep/new.cpp", "backend.yaml"):
            append(place)()
            assert [run(*command).generated for _ in range(2)] == [True, False], place
        (tmp_path / "csrc" / "notes.txt").touch()
        assert not run(*command).generated
        (tmp_path / "csrc" / "a.cpp").unlink()
        assert run(*command).status == 1
        assert run(*command, "--release", "2.5", "--force").status == 1

    def test_skeletons(self, run: Command, tmp_path: Path) -> None:
        command = (
            "backend",
            "-s",
            "backend.yaml",
            "-o",
            "gen",
            "--source-path",
            str(SAMPLE),
            "--write-stubs",
            "new.cpp",
        )
        assert run(*command).status == 0
        assert records(tmp_path / "gen") == []
        assert run(*command).status == 2, "the file is there"

    def test_known_operators(self, run: Command, tmp_path: Path) -> None:
        (tmp_path / "backend.yaml").write_text(BACKEND.replace("ripple", "abs"), encoding="utf-8")
        command = ("backend", "-s", "backend.yaml", "-o", "gen", "--release", "2.10")
        assert [run(*command).generated for _ in range(2)] == [True, False]

    def test_lazy(self, run: Command, tmp_path: Path) -> None:
        command = (
            "lazy",
            "-s",
            "lazy.yaml",
            "-o",
            "gen",
            "--source-path",
            str(SAMPLE),
            "--shape-inference-hdr",
            "shapes.h",
        )
        declared = (
            "TORCH_API std::vector<torch::lazy::Shape> compute_shape_blend("
            "const at::Tensor & self, const at::Tensor & other, const at::Scalar & weight);\n"
        )
        (tmp_path / "shapes.h").write_text(declared, encoding="utf-8")
        done = [run(*command) for _ in range(2)]
        assert [one.generated for one in done] == [True, False], done
        append("shapes.h")()
        assert [run(*command).generated for _ in range(2)] == [True, False]
        assert run(*command, "--node-base", "Mine").generated

    def test_hooks_are_run_each_time(self, run: Command, tmp_path: Path) -> None:
        (tmp_path / "hooks.py").write_text("from opwright.lazy import LazyHooks\nclass Own(LazyHooks): pass\n")
        command = ("lazy", "-s", "lazy.yaml", "-o", "gen", "--source-path", str(SAMPLE), "--shape-inference-hdr", "")
        assert [run(*command, "--hooks", "hooks.py:Own").generated for _ in range(2)] == [True, True]
        assert records(tmp_path / "gen") == []


class TestProfile:
    @pytest.mark.parametrize("verb", ["gen", "check"])
    def test_it_is_read_by_pstats(self, verb: str, run: Command, tmp_path: Path) -> None:
        from pstats import Stats

        make_source(tmp_path / "source")
        done = run(verb, "-s", "source", "--profile", "deep/run.prof", "-q")
        assert (done.status, done.err.count("\n")) == (0, 1)
        assert "python -m pstats deep/run.prof" in done.err
        functions = {name for _, _, name in Stats(str(tmp_path / "deep" / "run.prof")).stats}  # type: ignore[attr-defined]
        assert "read_catalog" in functions

    def test_it_is_no_reason_to_generate(self, gen: Command) -> None:
        assert not gen("--profile", "run.prof").generated

    def test_a_file_that_cannot_be_written(self, gen: Command, tmp_path: Path) -> None:
        (tmp_path / "run.prof").mkdir()
        run = gen("--profile", "run.prof")
        assert run.status == 2
        assert run.err.endswith("opwright: --profile: run.prof: this is a directory, not a file\n")


def test_the_sample_is_generated_without_the_yaml_library(tmp_path: Path) -> None:
    script = (
        "import sys; from opwright.cli.main import main; status = main(sys.argv[1:]); "
        "watched = ('yaml', 'typing', 'opwright.pipeline'); "
        "print(*[name for name in watched if name in sys.modules]); sys.exit(status)"
    )
    command = [sys.executable, "-c", script, "gen", "-q", "-s", str(SAMPLE), "-d", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment(), check=True)
    assert done.stdout.split() == ["opwright.pipeline"]
