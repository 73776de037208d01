"""The verb `check` as a user calls it, in a process of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from opwright import __version__
from opwright.locate import SAMPLE
from tests.program import environment

HERE = Path(__file__).parent
TWENTY = HERE / "twenty_faults.yaml"
CLEAN = "- func: soak(Tensor self) -> Tensor\n"
FAULTY = "- func: soak(Tensr self) -> Tensor\n"
WARNED = "backend: PrivateUse1\ncpp_namespace: mine\n"

#: Line, column and code of everything that is wrong with `TWENTY`.
EXPECTED = [
    (3, 14, "unknown-type"),
    (5, 35, "duplicate-argument"),
    (7, 36, "inplace-return"),
    (9, 54, "out-return-alias"),
    (14, 23, "unknown-variant"),
    (17, 3, "unknown-field"),
    (21, 5, "unknown-dispatch-key"),
    (25, 10, "kernel-name"),
    (30, 5, "duplicate-key"),
    (33, 9, "unknown-tag"),
    (36, 17, "device-check-word"),
    (39, 24, "unknown-delegate"),
    (42, 17, "device-guard-type"),
    (44, 3, "func-missing"),
    (46, 3, "entry-not-a-mapping"),
    (50, 9, "duplicate-operator"),
    (52, 31, "required-after-default"),
    (54, 37, "default-value"),
    (56, 31, "keyword-parameter"),
    (60, 5, "redundant-dispatch"),
]


def opwright(
    *arguments: str, folder: Path, module: Sequence[str] = ("-m", "opwright"), **changes: str
) -> subprocess.CompletedProcess[str]:
    """Run Opwright in `folder` with the sample as its source."""
    command = [sys.executable, *module, *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment(**changes), capture_output=True, encoding="utf-8", check=False
    )


def check(*arguments: str, folder: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    return opwright("check", *arguments, "-s", SAMPLE.as_posix(), folder=folder, **changes)


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")


def codes(run: subprocess.CompletedProcess[str]) -> list[str]:
    return re.findall(r"(?:error|warning)\[([a-z-]+)\]", run.stdout)


class TestKinds:
    FILES = {  # noqa: RUF012 - a table
        "native": ("- func: soak(Tensor self) -> Tensor\n  oops: 1\n", "unknown-field"),
        "tags": ("- tag: core\n", "tag-description"),
        "selection": ("operators:\n  aten::soak: {}\n", "selection-unknown-operator"),
        "backend": (f"{WARNED}supported: [soak]\n", "backend-unknown-operator"),
    }

    @pytest.mark.parametrize("kind", FILES)
    def test_found_by_content(self, kind: str, tmp_path: Path) -> None:
        text, code = self.FILES[kind]
        write(tmp_path, any=text)
        run = check("any.yaml", folder=tmp_path)
        assert (run.returncode, codes(run)) == (1, [code])

    @pytest.mark.parametrize("kind", FILES)
    def test_given(self, kind: str, tmp_path: Path) -> None:
        write(tmp_path, any="{}" if kind in ("native", "tags") else "[]")
        run = check("any.yaml", "--kind", kind, folder=tmp_path)
        wanted = "list" if kind in ("native", "tags") else "mapping"
        assert run.returncode == 1
        assert [code for code in codes(run) if code.endswith(f"not-a-{wanted}")] == [f"{kind}-not-a-{wanted}"]

    @pytest.mark.parametrize(
        "text",
        [
            "x: 1\n",
            "- op: add.out\n  kernels: []\n",
            "- func: mine::soak.out(Tensor x) -> ()\n  kernels: []\n",
            "- name: soak(Tensor self) -> Tensor\n  self: grad\n  dispatch: {}\n",
            "just words\n",
        ],
    )
    def test_that_cannot_be_told(self, text: str, tmp_path: Path) -> None:
        write(tmp_path, any=text)
        run = check("any.yaml", folder=tmp_path)
        assert (run.returncode, codes(run)) == (1, ["unknown-kind"])
        assert "--kind native|tags|selection|backend" in run.stdout

    def test_that_does_not_exist(self, tmp_path: Path) -> None:
        write(tmp_path, any=CLEAN)
        run = check("any.yaml", "--kind", "nativ", folder=tmp_path)
        assert (run.returncode, run.stdout) == (2, "")
        assert "invalid choice: 'nativ'" in run.stderr


class TestFiles:
    def test_none_means_those_of_the_source(self, tmp_path: Path) -> None:
        run = check(folder=tmp_path)
        assert (run.returncode, run.stdout) == (0, "")
        assert run.stderr == "no faults in 2 files\n"

    def test_several(self, tmp_path: Path) -> None:
        write(tmp_path, one=FAULTY, two=WARNED, three=CLEAN, four="operators: []\n")
        run = check("one.yaml", "two.yaml", "three.yaml", "four.yaml", "--format", "concise", folder=tmp_path)
        assert run.returncode == 1
        assert [line.split(":")[0] for line in run.stdout.splitlines()] == ["one.yaml", "two.yaml", "four.yaml"]
        assert run.stderr == "2 errors and 1 warning in 3 files\n"

    def test_one_that_cannot_be_read(self, tmp_path: Path) -> None:
        write(tmp_path, one=FAULTY)
        run = check("none.yaml", "one.yaml", folder=tmp_path)
        assert (run.returncode, codes(run)) == (2, ["unreadable-file", "unknown-type"])

    def test_tags_beside_a_file(self, tmp_path: Path) -> None:
        write(tmp_path, ops=f"{CLEAN}  tags: own\n", tags="- tag: own\n  desc: mine\n")
        assert check("ops.yaml", folder=tmp_path).returncode == 0
        (tmp_path / "tags.yaml").unlink()
        assert codes(check("ops.yaml", folder=tmp_path)) == ["unknown-tag"]

    def test_warnings_are_no_failure(self, tmp_path: Path) -> None:
        write(tmp_path, two=WARNED)
        run = check("two.yaml", folder=tmp_path)
        assert (run.returncode, codes(run)) == (0, ["backend-nothing-supported"])

    def test_quiet(self, tmp_path: Path) -> None:
        write(tmp_path, one=FAULTY)
        assert check("one.yaml", "-q", folder=tmp_path).stderr == ""


class TestSource:
    def test_that_does_not_exist(self, tmp_path: Path) -> None:
        run = opwright("check", "-s", "nowhere", folder=tmp_path)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr == "opwright check: there is no native/native_functions.yaml in 'nowhere'\n"

    def test_whose_release_is_not_known(self, tmp_path: Path) -> None:
        run = check("--release", "1.13", folder=tmp_path)
        assert (run.returncode, run.stdout) == (2, "")
        assert "PyTorch 1.13 (given with --release) is not a release that Opwright knows" in run.stderr

    def test_of_the_user(self, tmp_path: Path) -> None:
        native = tmp_path / "lib" / "native"
        native.mkdir(parents=True)
        write(native, native_functions=CLEAN, tags="- tag: own\n  desc: mine\n")
        write(tmp_path, any="operators: {'aten::soak': {}, 'aten::blend': {}}\n")
        run = opwright("check", "any.yaml", "-s", "lib", folder=tmp_path)
        assert codes(run) == ["selection-unknown-operator"]
        assert "'aten::blend'" in run.stdout

    def test_with_errors_is_named_once(self, tmp_path: Path) -> None:
        native = tmp_path / "lib" / "native"
        native.mkdir(parents=True)
        write(native, native_functions=FAULTY, tags="- tag: own\n  desc: mine\n")
        write(tmp_path, one="operators: {'aten::nope': {}}\n", two=f"{WARNED}supported: [soak]\n")
        run = opwright("check", "one.yaml", "two.yaml", "-s", "lib", folder=tmp_path)
        assert (run.returncode, codes(run)) == (1, ["faulty-source"])
        assert run.stdout.startswith("lib/native/native_functions.yaml: error[faulty-source]: the source has 1 error,")

    def test_that_cannot_be_read(self, tmp_path: Path) -> None:
        native = tmp_path / "lib" / "native"
        native.mkdir(parents=True)
        write(native, native_functions=CLEAN)
        write(tmp_path, one="operators: {'aten::soak': {}}\n")
        run = opwright("check", "one.yaml", "-s", "lib", folder=tmp_path)
        assert (run.returncode, codes(run)) == (2, ["unreadable-file"])


class TestTwentyFaults:
    def test_each_is_found_once_and_nothing_else(self, tmp_path: Path) -> None:
        run = check(TWENTY.as_posix(), "--format", "json", folder=tmp_path)
        assert [(item["line"], item["column"], item["code"]) for item in json.loads(run.stdout)] == EXPECTED
        assert len(EXPECTED) == len({code for _, _, code in EXPECTED}) == 20
        assert run.returncode == 1
        assert run.stderr == "20 errors in 1 file\n"

    def test_as_text(self, tmp_path: Path) -> None:
        run = check(TWENTY.as_posix(), folder=tmp_path)
        heads = re.findall(r"^\S+twenty_faults\.yaml:(\d+):(\d+): error\[([a-z-]+)\]: ", run.stdout, re.MULTILINE)
        assert [(int(line), int(column), code) for line, column, code in heads] == EXPECTED


class TestFormats:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        write(tmp_path, ops=f"{FAULTY}{CLEAN}{CLEAN}")
        return tmp_path

    def test_text(self, folder: Path) -> None:
        assert check("ops.yaml", folder=folder).stdout == (
            "ops.yaml:1:14: error[unknown-type]: 'Tensr' is not a type of PyTorch 2.13\n"
            "    1 | - func: soak(Tensr self) -> Tensor\n"
            "      |              ^^^^^ did you mean 'Tensor'?\n"
            "ops.yaml:3:9: error[duplicate-operator]: there is an operator 'soak' already\n"
            "    3 | - func: soak(Tensor self) -> Tensor\n"
            "      |         ^^^^\n"
            "  ::: ops.yaml:2:9: first defined here\n"
            "    2 | - func: soak(Tensor self) -> Tensor\n"
            "      |         ----\n"
        )

    def test_concise(self, folder: Path) -> None:
        lines = check("ops.yaml", "--format", "concise", folder=folder).stdout.splitlines()
        assert len(lines) == 2
        assert all(re.match(r"ops\.yaml:\d+:\d+: error\[[a-z-]+\]: ", line) for line in lines)

    def test_json(self, folder: Path) -> None:
        first, second = json.loads(check("ops.yaml", "--format", "json", folder=folder).stdout)
        assert first == {
            "path": "ops.yaml",
            "line": 1,
            "column": 14,
            "end_line": 1,
            "end_column": 19,
            "severity": "error",
            "code": "unknown-type",
            "message": "'Tensr' is not a type of PyTorch 2.13",
            "help": "did you mean 'Tensor'?",
            "related": [],
        }
        place = {"path": "ops.yaml", "line": 2, "column": 9, "end_line": 2, "end_column": 13}
        assert second["related"] == [{**place, "message": "first defined here"}]

    def test_sarif(self, folder: Path) -> None:
        (run,) = json.loads(check("ops.yaml", "--format", "sarif", folder=folder).stdout)["runs"]
        assert run["tool"]["driver"]["version"] == __version__
        assert [result["ruleId"] for result in run["results"]] == ["unknown-type", "duplicate-operator"]
        region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
        assert (region["startLine"], region["startColumn"]) == (1, 14)

    def test_github(self, folder: Path) -> None:
        lines = check("ops.yaml", "--format", "github", folder=folder).stdout.splitlines()
        assert len(lines) == 2
        assert lines[0].startswith("::error file=ops.yaml,line=1,")

    def test_github_is_the_usual_one_in_its_actions(self, folder: Path) -> None:
        assert check("ops.yaml", folder=folder, GITHUB_ACTIONS="true").stdout.startswith("::error ")

    @pytest.mark.parametrize(("format", "empty"), [("json", "[]\n"), ("text", ""), ("concise", ""), ("github", "")])
    def test_without_faults(self, format: str, empty: str, tmp_path: Path) -> None:
        write(tmp_path, ops=CLEAN)
        run = check("ops.yaml", "--format", format, folder=tmp_path)
        assert (run.returncode, run.stdout, run.stderr) == (0, empty, "no faults in 1 file\n")

    def test_sarif_without_faults(self, tmp_path: Path) -> None:
        write(tmp_path, ops=CLEAN)
        (run,) = json.loads(check("ops.yaml", "--format", "sarif", folder=tmp_path).stdout)["runs"]
        assert run["results"] == []

    def test_one_that_does_not_exist(self, folder: Path) -> None:
        assert check("ops.yaml", "--format", "xml", folder=folder).returncode == 2


class TestColor:
    @pytest.mark.parametrize(
        ("options", "variables", "colored"),
        [
            ((), {}, False),
            ((), {"FORCE_COLOR": "1"}, True),
            ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
            (("--color", "always"), {}, True),
            (("--color", "always"), {"NO_COLOR": "1"}, True),
            (("--color", "never"), {"FORCE_COLOR": "1"}, False),
            (("--color", "always", "--format", "json"), {}, False),
        ],
    )
    def test_when(self, options: tuple[str, ...], variables: dict[str, str], colored: bool, tmp_path: Path) -> None:
        write(tmp_path, one=FAULTY)
        assert ("\x1b[" in check("one.yaml", *options, folder=tmp_path, **variables).stdout) is colored


class TestProgram:
    def test_help(self, tmp_path: Path) -> None:
        run = opwright("--help", folder=tmp_path)
        assert (run.returncode, run.stderr) == (0, "")
        assert all(word in run.stdout for word in ("check", "gen", "explain-code", "exit status"))

    def test_help_of_the_verb(self, tmp_path: Path) -> None:
        run = opwright("check", "--help", folder=tmp_path)
        assert (run.returncode, run.stderr) == (0, "")
        assert all(word in run.stdout for word in ("--kind", "--source-path", "--release", "--format", "--color"))

    def test_version(self, tmp_path: Path) -> None:
        run = opwright("--version", folder=tmp_path)
        assert (run.returncode, run.stderr) == (0, "")
        assert run.stdout.startswith(f"opwright {__version__} ")
        assert "PyTorch releases: 2.0 to 2.15" in run.stdout

    @pytest.mark.parametrize("arguments", [("chekc",), (), ("check", "--no-such-option")])
    def test_wrong_usage(self, arguments: tuple[str, ...], tmp_path: Path) -> None:
        run = opwright(*arguments, folder=tmp_path)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr

    def test_the_installed_script_is_the_same(self, tmp_path: Path) -> None:
        write(tmp_path, one=FAULTY)
        script = ("-c", "from opwright.cli.main import run; run()")
        run = opwright("check", "one.yaml", "-s", SAMPLE.as_posix(), folder=tmp_path, module=script)
        assert (run.returncode, codes(run)) == (1, ["unknown-type"])

    def test_a_locale_that_knows_no_utf8(self, tmp_path: Path) -> None:
        write(tmp_path, one="- func: soak(Größe self) -> Tensor\n")
        run = check("one.yaml", folder=tmp_path, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
        assert run.returncode == 1
        assert "Größe" in run.stdout
