"""The verb `verify` as a user calls it, mostly with a stand-in for torchgen that writes given files."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from opwright.cli.gen_options import AOT_OPTIONS, add_content_options
from opwright.cli.verify import gen_job
from opwright.compare.families import family_of
from opwright.locate import SAMPLE, locate
from tests.parity.checks import installed_or_skip
from tests.parity.reference import packaged_source
from tests.parity.subset import write_subset
from tests.parity.test_parity import TOY_NATIVE, with_templates
from tests.program import environment, outputs

#: A torchgen that does what the variables STAND_IN_... say, and notes how it was called.
STAND_IN = """\
import json, os, shutil, sys, time
from pathlib import Path

def main():
    note = os.environ.get("STAND_IN_NOTE")
    if note:
        Path(note).write_text(json.dumps([sys.argv[1:], os.environ.get("PYTHONHASHSEED"), sys.path[0]]))
    print("some chatter")
    time.sleep(float(os.environ.get("STAND_IN_SLEEP", "0")))
    if "STAND_IN_FAULT" in os.environ:
        raise ValueError(os.environ["STAND_IN_FAULT"])
    shutil.copytree(os.environ["STAND_IN_FILES"], sys.argv[sys.argv.index("-d") + 1], dirs_exist_ok=True)

if __name__ == "__main__":
    main()
"""
SMALL = """\
- func: soak(Tensor self, int depth=1) -> Tensor
  variants: function, method
- func: mine::scale(Tensor self, float factor=2.0) -> Tensor
"""
VERSION = "__version__ = '2.13.0+cpu'\n"


class Bench:
    """A source, a stand-in for torchgen, and the files it is to make: those of Opwright, until a test edits them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.site, self.files, self.scratch = folder / "site", folder / "files", folder / "scratch"
        (self.site / "torchgen").mkdir(parents=True)
        (self.site / "torch").mkdir()
        (self.site / "torchgen" / "__init__.py").touch()
        (self.site / "torchgen" / "gen.py").write_text(STAND_IN)
        (self.site / "torch" / "version.py").write_text(VERSION)
        self.scratch.mkdir()
        shutil.copytree(SAMPLE / "templates", folder / "source" / "templates")
        (folder / "source" / "native").mkdir()
        shutil.copyfile(SAMPLE / "native" / "tags.yaml", folder / "source" / "native" / "tags.yaml")
        self.write_operators(SMALL)

    def write_operators(self, text: str) -> None:
        (self.folder / "source" / "native" / "native_functions.yaml").write_text(text)

    def variables(self, **changes: str) -> dict[str, str]:
        scratch = {"TMPDIR": str(self.scratch), "TEMP": str(self.scratch), "TMP": str(self.scratch)}
        return environment(self.site, STAND_IN_FILES=str(self.files), **scratch, **changes)

    def run(self, *arguments: str, source: str | None = "source", **changes: str) -> subprocess.CompletedProcess[str]:
        """Run a verb of Opwright; it never shows a traceback of its own, and leaves nothing behind."""
        sourced = [] if source is None else ["-s", source]
        done = subprocess.run(
            [sys.executable, "-m", "opwright", *arguments, *sourced],
            cwd=self.folder,
            env=self.variables(**changes),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert "bug in Opwright" not in done.stderr, done.stderr
        assert list(self.scratch.iterdir()) == []
        return done

    def make_files(self, *options: str) -> None:
        """Let Opwright make the files that the stand-in is to write."""
        shims = ["--aoti-install-dir", "files/aoti"]
        done = self.run("gen", "-d", "files", *shims, "--everything", "--torchgen-compat", *options)
        assert done.returncode == 0, done.stderr

    def names(self) -> list[str]:
        """The files that the stand-in is to write."""
        return sorted(outputs(self.files))

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.files / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path)
    made.make_files()
    return made


def rows(shown: str) -> dict[str, list[str]]:
    """The rows of the table of families, by family."""
    table = shown.partition("\n\n")[0].splitlines()
    assert table[0].split() == ["family", "same", "differ", "only", "torchgen", "only", "Opwright"]
    return {" ".join(words[:-4]): words[-4:] for words in (line.split() for line in table[1:])}


class TestComparison:
    def test_same_but_for_layout(self, bench: Bench) -> None:
        bench.edit("Functions.h", ", int64_t depth", ",  /* how */\n\n int64_t depth")
        run = bench.run("verify")
        assert run.returncode == 0, run.stderr
        names = bench.names()
        families = Counter(family_of(name).name for name in names)
        assert rows(run.stdout) == {family: [str(count), "0", "0", "0"] for family, count in families.items()}
        assert families["functions"] == 3
        assert run.stdout.splitlines()[-1] == f"{len(names)} files: {len(names)} the same"
        assert run.stderr.splitlines() == [
            "source: source",
            "release: PyTorch 2.13 (the version of torchgen)",
            f"torchgen: {(bench.site / 'torchgen').as_posix()} (PyTorch 2.13.0+cpu)",
            "running torchgen, which may take a while",
        ]

    def test_times_and_ratio(self, bench: Bench) -> None:
        run = bench.run("verify", STAND_IN_SLEEP="1")
        table = [line.split() for line in run.stdout.split("\n\n")[-2].splitlines()]
        assert [words[0] for words in table] == ["seconds", "torchgen", "Opwright", "ratio"]
        theirs, ours, ratio = (float(words[1]) for words in table[1:])
        assert theirs > 1
        assert ratio == pytest.approx(theirs / ours, rel=0.2)
        if os.name != "nt":
            assert float(table[1][2]) < 1  # sleeping takes no processor

    def test_differences(self, bench: Bench) -> None:
        bench.edit("Functions.h", "int64_t depth=1", "int64_t depth=3")
        bench.edit("Declarations.yaml", "default: 2.0", "default: 2.5")
        bench.edit("RegistrationDeclarations.h", '"dispatch": "False"', '"dispatch": "True"')
        (bench.files / "core" / "TensorMethods.cpp").unlink()
        (bench.files / "RegisterNovel_0.cpp").write_text("x")
        run = bench.run("verify")
        assert run.returncode == 1
        found = rows(run.stdout)
        assert found["functions"] == ["2", "1", "0", "0"]
        assert found["Declarations.yaml"] == ["0", "1", "0", "0"]
        assert found["tensor methods"] == ["1", "0", "0", "1"]
        assert found["registrations of Novel"] == ["0", "0", "1", "0"]
        shown = run.stdout.split("\n\n")[1].splitlines()
        line = (bench.files / "Functions.h").read_text().partition("int64_t depth=3")[0].count("\n") + 1
        assert shown[0].startswith("Functions.h: token ")
        assert shown[1].startswith(f"  torchgen line {line}: ")
        assert "int64_t depth = >>>3<<< )" in shown[1]
        assert "int64_t depth = >>>1<<< )" in shown[2]
        assert shown[3].startswith("RegistrationDeclarations.h: data line 1 differs")
        assert shown[6] == "Declarations.yaml: $[1](aten::scale).arguments[1].default differs"
        assert ">>>float '2.5'<<<" in shown[7]
        assert ">>>float '2.0'<<<" in shown[8]
        assert shown[9:] == [
            "core/TensorMethods.cpp: only Opwright makes it",
            "RegisterNovel_0.cpp: only torchgen makes it",
        ]
        both = len(bench.names()) - 1
        assert run.stdout.splitlines()[-1] == (
            f"{both + 2} files: {both - 3} the same, 3 different, 1 from torchgen only, 1 from Opwright only"
        )

    def test_limit(self, bench: Bench) -> None:
        for name in ("Functions.h", "Functions.cpp", "Operators.h"):
            (bench.files / name).write_text("x")
        run = bench.run("verify", "--limit", "1")
        shown = run.stdout.split("\n\n")[1].splitlines()
        assert (shown[0].partition(":")[0], len(shown)) == ("Operators.h", 4)
        assert shown[3] == "2 more; --limit shows more of them, --format json all"
        assert "2 more" not in bench.run("verify", "--limit", "3").stdout
        refused = bench.run("verify", "--limit", "-1")
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "argument --limit: invalid" in refused.stderr

    def test_namespaces_differ_without_compat(self, bench: Bench) -> None:
        run = bench.run("verify", "--no-torchgen-compat")
        assert run.returncode == 1
        assert rows(run.stdout)["operators"] == ["7", "1", "0", "0"]
        assert "mine" in run.stdout

    def test_json(self, bench: Bench) -> None:
        for name in ("Functions.h", "Functions.cpp", "Operators.h"):
            (bench.files / name).write_text("x")
        (bench.files / "RegisterNovel_0.cpp").write_text("x")
        run = bench.run(
            "verify", "--format", "json", "--limit", "1", "--generate", "headers", "sources", "declarations_yaml"
        )
        assert run.returncode == 1
        found: dict[str, Any] = json.loads(run.stdout)
        assert list(found) == [
            "outcome",
            "source",
            "release",
            "options",
            "torchgen",
            "opwright",
            "ratio",
            "files",
            "families",
            "differences",
            "torchgen_output",
            "diagnostics",
        ]
        assert (found["outcome"], found["source"], found["release"]) == ("different", "source", "2.13")
        assert (found["torchgen"]["version"], found["torchgen"]["status"]) == ("2.13.0+cpu", 0)
        assert found["torchgen"]["wall_seconds"] > 0 < found["opwright"]["wall_seconds"]
        same = len(bench.names()) - 4
        assert found["files"] == {"same": same, "different": 3, "only_torchgen": 1, "only_opwright": 0}
        assert found["families"][1] == {
            "family": "functions",
            "same": 1,
            "different": 2,
            "only_torchgen": 0,
            "only_opwright": 0,
        }
        assert [(file["path"], file["status"]) for file in found["differences"]] == [
            ("Operators.h", "different"),
            ("Functions.cpp", "different"),
            ("Functions.h", "different"),
            ("RegisterNovel_0.cpp", "only_torchgen"),
        ]
        first, last = found["differences"][0], found["differences"][-1]
        assert first["torchgen"] == {"line": 1, "before": "", "text": "x", "after": ""}
        assert first["opwright"]["text"] == "#pragma once"
        assert (first["place"], first["family"]) == ("token 1", "operators")
        assert (last["place"], last["torchgen"], last["opwright"]) == (None, None, None)
        assert (found["torchgen_output"], found["diagnostics"]) == (None, [])

    def test_other_formats_are_refused(self, bench: Bench) -> None:
        run = bench.run("verify", "--format", "sarif")
        assert (run.returncode, run.stdout) == (2, "")
        assert "invalid choice: 'sarif'" in run.stderr


class TestPrograms:
    def test_both_get_the_same_options(self, bench: Bench) -> None:
        (bench.folder / "only.yaml").write_text("operators:\n  aten::soak: {include_all_overloads: true}\n")
        options = ["--per-operator-headers", "--mps", "--op-selection-yaml-path", "only.yaml"]
        note = bench.folder / "note.json"
        shutil.rmtree(bench.files)
        bench.make_files(*options)
        run = bench.run("verify", *options, "--generate", "headers", STAND_IN_NOTE=str(note))
        assert run.returncode == 1
        assert rows(run.stdout)["headers by root: operators"] == ["2", "0", "0", "0"]
        assert rows(run.stdout)["schemas"] == ["0", "0", "1", "0"]
        arguments, seed, place = json.loads(note.read_text())
        assert arguments == [
            "-s",
            str(bench.folder / "source"),
            "-d",
            ".",
            "--generate",
            "headers",
            "--per-operator-headers",
            "--mps",
            "--op-selection-yaml-path",
            str(bench.folder / "only.yaml"),
            "--aoti-install-dir",
            "aoti",
        ]
        assert seed == "0"
        assert place not in ("", str(bench.folder))

    @pytest.mark.parametrize(("release", "is_told"), [("2.2", False), ("2.3", False), ("2.4", True)])
    def test_a_folder_for_shims_where_torchgen_takes_one(self, release: str, is_told: bool) -> None:
        job = gen_job(argparse.Namespace(torchgen_compat=True, format="text"), locate(str(SAMPLE), release), [])
        assert ["--aoti-install-dir" in words for words in (job.torchgen, job.opwright)] == [is_told, is_told]

    def test_options_are_those_of_torchgen(self) -> None:
        root = installed_or_skip()
        declared = (root / "torchgen" / "gen.py").read_text(encoding="utf-8")
        parser = argparse.ArgumentParser(add_help=False)
        add_content_options(parser)
        for action in parser._actions:
            if action.option_strings[0] != AOT_OPTIONS[0]:  # it came with 2.15
                assert f'"{action.option_strings[0]}"' in declared

    def test_declarations_that_torchgen_would_run(self, bench: Bench) -> None:
        """It takes those near the source unless it is told otherwise; Opwright takes only those that it is given."""
        (bench.site / "torch" / "version.py").write_text(VERSION.replace("2.13", "2.15"))
        (bench.folder / "aot").mkdir()
        note = bench.folder / "note.json"
        for given, passed in ([], ""), (["--aot-ops-dir", "aot"], str(bench.folder / "aot")):
            shutil.rmtree(bench.files)
            bench.make_files("--release", "2.15", *given)
            run = bench.run("verify", *given, STAND_IN_NOTE=str(note))
            assert run.returncode == 0, run.stderr
            arguments = json.loads(note.read_text())[0]
            assert arguments.count(AOT_OPTIONS[0]) == 1
            assert arguments[arguments.index(AOT_OPTIONS[0]) + 1] == passed

    def test_older_releases_have_no_declarations(self, bench: Bench) -> None:
        note = bench.folder / "note.json"
        bench.run("verify", STAND_IN_NOTE=str(note))
        assert AOT_OPTIONS[0] not in json.loads(note.read_text())[0]
        run = bench.run("verify", "--aot-ops-dir", "aot")
        assert run.returncode == 2
        assert "PyTorch 2.13 has no native AOT stubs" in run.stderr

    def test_a_folder_called_torchgen_is_not_taken(self, bench: Bench) -> None:
        (bench.folder / "torchgen").mkdir()
        (bench.folder / "torchgen" / "__init__.py").write_text("raise ValueError('the wrong one')")
        assert bench.run("verify").returncode == 0

    def test_keep(self, bench: Bench) -> None:
        run = bench.run("verify", "--keep", "kept")
        assert run.returncode == 0
        assert run.stderr.endswith("kept in kept\n")
        kept = {name: list(outputs(bench.folder / "kept" / name)) for name in ("torchgen", "opwright")}
        assert kept["torchgen"] == kept["opwright"]
        assert "Functions.h" in kept["torchgen"]
        again = bench.run("verify", "--keep", "kept")
        assert (again.returncode, again.stdout) == (2, "")
        assert again.stderr.endswith("kept/torchgen' is not empty\n")
        (bench.folder / "file").touch()
        assert "cannot be made" in bench.run("verify", "--keep", "file").stderr

    def test_relative_path_of_modules(self, bench: Bench) -> None:
        """Both programs run in other folders than the user, and find what the user would."""
        variables = bench.variables()
        variables["PYTHONPATH"] = os.pathsep.join(
            os.path.relpath(place, bench.folder) for place in variables["PYTHONPATH"].split(os.pathsep)
        )
        command = [sys.executable, "-m", "opwright", "verify", "-s", "source"]
        run = subprocess.run(command, cwd=bench.folder, env=variables, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr

    @pytest.mark.skipif(os.name == "nt", reason="Windows cannot send these signals to one process")
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_nothing_stays_when_interrupted(self, bench: Bench, number: signal.Signals) -> None:
        note = bench.folder / "note.json"
        command = [sys.executable, "-m", "opwright", "verify", "-s", "source"]
        variables = bench.variables(STAND_IN_NOTE=str(note), STAND_IN_SLEEP="60")
        with subprocess.Popen(
            command,
            cwd=bench.folder,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # What a shell starts in the background does not heed Ctrl-C, and neither would its children.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - there is one thread
        ) as run:
            while not note.exists():
                assert run.poll() is None
                time.sleep(0.02)
            assert list(bench.scratch.iterdir())
            run.send_signal(number)
            shown, remarks = run.communicate(timeout=30)
        assert (run.returncode, shown) == (130, b"")
        assert b"Traceback" not in remarks
        assert list(bench.scratch.iterdir()) == []


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("raise ModuleNotFoundError('gone', name='torchgen')", "has no torchgen. It comes with torch: install the"),
            ("import no_such_module", "cannot import torchgen: ModuleNotFoundError: No module named 'no_such_module'"),
        ],
    )
    def test_no_torchgen(self, text: str, sentence: str, bench: Bench) -> None:
        (bench.site / "torchgen" / "__init__.py").write_text(text)
        run = bench.run("verify")
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr.startswith("opwright verify: ")
        assert sentence in run.stderr

    def test_no_python(self, bench: Bench) -> None:
        run = bench.run("verify", "--python", "nowhere/python")
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr == "opwright verify: there is no program 'nowhere/python' that could run torchgen\n"

    @pytest.mark.skipif(os.name == "nt", reason="a script with an interpreter line is no program on Windows")
    def test_something_else_than_python(self, bench: Bench) -> None:
        (bench.folder / "other").write_text("#!/bin/sh\necho hello\n")
        (bench.folder / "other").chmod(0o755)
        run = bench.run("verify", "--python", "./other")
        assert (run.returncode, run.stderr) == (
            2,
            "opwright verify: './other' is not a Python interpreter that works\n",
        )

    def test_other_release(self, bench: Bench) -> None:
        run = bench.run("verify", "--release", "2.1")
        assert (run.returncode, run.stdout) == (2, "")
        assert "is that of PyTorch 2.13.0+cpu, but the release to follow is 2.1 (given with --release)" in run.stderr

    def test_release_of_torchgen_is_not_known(self, bench: Bench) -> None:
        (bench.site / "torch" / "version.py").unlink()
        run = bench.run("verify")
        assert run.returncode == 0
        assert "release: PyTorch 2.13 (told by the tags and templates: 8 of 8 marks)\n" in run.stderr
        assert "/torchgen (PyTorch of unknown version)\n" in run.stderr

    def test_no_operators(self, bench: Bench) -> None:
        run = bench.run("verify", source=None)
        assert (run.returncode, run.stderr) == (
            2,
            "opwright verify: no operators come with this torchgen; name their folder with -s\n",
        )
        assert "there is no native/native_functions.yaml in 'other'" in bench.run("verify", source="other").stderr

    def test_operators_that_come_with_torchgen(self, bench: Bench) -> None:
        shutil.move(bench.folder / "source", bench.site / "torchgen" / "packaged" / "ATen")
        run = bench.run("verify", source=None)
        assert run.returncode == 0
        assert run.stderr.startswith(f"source: {(bench.site / 'torchgen' / 'packaged' / 'ATen').as_posix()}\n")

    def test_torchgen_fails(self, bench: Bench) -> None:
        run = bench.run("verify", STAND_IN_FAULT="this operator is odd")
        assert (run.returncode, run.stdout) == (1, "")
        said = run.stderr.splitlines()[4:]
        assert said[0] == ("opwright verify: torchgen failed on this input (exit status 1). What it printed last:")
        assert said[-1] == "    ValueError: this operator is odd"
        document = json.loads(bench.run("verify", "--format", "json", STAND_IN_FAULT="odd").stdout)
        assert (document["outcome"], document["torchgen"]["status"]) == ("torchgen_failed", 1)
        assert document["torchgen_output"].endswith("ValueError: odd\n")
        assert document["families"] == document["differences"] == []

    def test_input_has_errors(self, bench: Bench) -> None:
        bench.write_operators("- func: soak(Tensr self) -> Tensor\n")
        note = bench.folder / "note.json"
        run = bench.run("verify", STAND_IN_NOTE=str(note))
        assert (run.returncode, run.stdout) == (1, "")
        assert "native_functions.yaml:1:14: error[unknown-type]: 'Tensr' is not a type of PyTorch 2.13" in run.stderr
        assert run.stderr.endswith("opwright verify: the input has errors, so nothing was compared\n")
        assert not note.exists()
        document = json.loads(bench.run("verify", "--format", "json").stdout)
        assert (document["outcome"], document["torchgen"]["status"]) == ("input_errors", None)
        assert [fault["code"] for fault in document["diagnostics"]] == ["unknown-type"]

    def test_warnings_are_shown(self, bench: Bench) -> None:
        bench.write_operators(f"{SMALL}  dispatch:\n    CPU: at::native::scale\n")
        bench.make_files()
        run = bench.run("verify")
        assert run.returncode == 0
        assert ": warning[kernel-namespace-native]: " in run.stderr
        document = json.loads(bench.run("verify", "--format", "json").stdout)
        assert (document["outcome"], len(document["diagnostics"])) == ("same", 1)

    def test_a_step_that_torchgen_does_not_have(self, bench: Bench) -> None:
        run = bench.run("verify", "--generate", "view_meta_binding")
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr == "opwright verify: --generate: there is no step 'view_meta_binding' in torchgen\n"

    @pytest.mark.parametrize(
        ("given", "named"),
        [(("--rocm",), "--rocm"), (("-s", "source"), "-s"), (("--no-torchgen-compat",), "--no-torchgen-compat")],
    )
    def test_options_that_backends_do_not_have(self, given: tuple[str, ...], named: str, bench: Bench) -> None:
        run = bench.run("verify", "--backend", "mine.yaml", *given, source=None)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr == f"opwright verify: --backend: {named} has no place beside the stubs of a backend\n"

    def test_options_that_gen_refuses(self, bench: Bench) -> None:
        run = bench.run("verify", "--op-registration-whitelist", "aten::soaked")
        assert (run.returncode, run.stdout) == (2, "")
        assert "opwright gen: " in run.stderr
        assert "aten::soak" in run.stderr


def verified(*arguments: str, folder: Path) -> dict[str, Any]:
    """What `verify` says in JSON."""
    command = [sys.executable, "-m", "opwright", "verify", "--format", "json", *arguments]
    run = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, encoding="utf-8", check=False)
    document: dict[str, Any] = json.loads(run.stdout)
    return document


class TestRealTorchgen:
    @pytest.mark.parametrize("native", [TOY_NATIVE, SAMPLE / "native"], ids=["toy", "sample"])
    def test_declarations(self, native: Path, tmp_path: Path) -> None:
        root = installed_or_skip()
        if not native.is_dir():
            pytest.skip(f"{native.name} of {native.parent.name} is not there")
        source = with_templates(native, root, tmp_path / "source")
        found = verified("-s", str(source), "--generate", "declarations_yaml", folder=tmp_path)
        assert found["outcome"] == "same"
        assert found["families"] == [
            {"family": "Declarations.yaml", "same": 1, "different": 0, "only_torchgen": 0, "only_opwright": 0}
        ]

    def test_everything(self, tmp_path: Path) -> None:
        root = installed_or_skip()
        source = write_subset(packaged_source(root), tmp_path / "source", 60, seed=9)
        assert verified("-s", str(source), folder=tmp_path)["outcome"] == "same"

    def test_a_backend(self, tmp_path: Path) -> None:
        text = "backend: PrivateUse1\ncpp_namespace: mine\nsupported: [add.Tensor, abs.out]\nautograd: [silu]\n"
        (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
        result = verified("--backend", "mine.yaml", folder=tmp_path)
        assert result["outcome"] == "same"
        assert result["files"] == {"same": 3, "different": 0, "only_torchgen": 0, "only_opwright": 0}
        assert [family["family"] for family in result["families"]] == [
            "kernel declarations",
            "registrations of AutogradPrivateUse1",
            "registrations of PrivateUse1",
        ]

    def test_a_backend_that_only_opwright_reads(self, tmp_path: Path) -> None:
        text = "backend: PrivateUse1\ncpp_namespace: mine\nsupported: [{mul.out: {structured: true}}]\n"
        (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
        assert verified("--backend", "mine.yaml", folder=tmp_path)["outcome"] == "torchgen_failed"
