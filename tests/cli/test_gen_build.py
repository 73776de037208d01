"""What `gen` does for build systems: lists of files, depfiles, manifests, and removing what is not made any more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from opwright.locate import SAMPLE
from opwright.options import STEPS
from tests.gen import SMALL, age, content, gen, make_source, names, touched, write_operators
from tests.program import outputs

PER_OPERATOR = "--per-operator-headers"
#: The small operators without `wring`.
DRIER = SMALL.replace("- func: wring(Tensor self, float force=0.5) -> Tensor\n", "")
FAULTY = SMALL.replace("Tensor self, int", "Tensr self, int")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return make_source(tmp_path / "source")


def manifest(folder: Path, step: str) -> Path:
    return folder / f".opwright-{step}.json"


def wrung(files: Iterable[str]) -> list[str]:
    """The files that are there because of the operator `wring`."""
    return [name for name in files if name.startswith("ops/wring")]


def entries(folder: Path, *steps: str) -> list[str]:
    """The files that the manifests of a folder name."""
    found = [json.loads(manifest(folder, step).read_text(encoding="utf-8"))["files"] for step in steps or STEPS]
    return sorted(name for files in found for name in files)


class TestFileLists:
    NAMES = ("core_made.cmake", "cpu_vec_made.cmake", "cuda_made.cmake", "made.cmake", "ops_made.cmake")

    def test_every_file_is_in_its_list(self, source: Path, tmp_path: Path) -> None:
        options = ("-s", source, "-d", "out", PER_OPERATOR, "--everything", "-o", "lists/made.cmake")
        run = gen(*options, "-v", folder=tmp_path)
        assert run.returncode == 0
        assert "created lists/made.cmake\n" in run.stdout.replace(f"{tmp_path.resolve().as_posix()}/", "")
        lists = content(tmp_path / "lists")
        assert tuple(lists) == self.NAMES
        listed = sorted(name for data in lists.values() for name in re.findall('"out/(.*)"', data.decode()))
        unlisted = {"core/enum_tag.h", *(name for name in names(tmp_path / "out") if "Everything" in name)}
        assert listed == sorted({*names(tmp_path / "out")} - unlisted)
        assert wrung(re.findall('"out/(.*)"', lists["ops_made.cmake"].decode())) == wrung(names(tmp_path / "out"))
        age(tmp_path / "lists")
        gen(*options, folder=tmp_path)
        assert touched(tmp_path / "lists") == []
        write_operators(source, DRIER)
        gen(*options, folder=tmp_path)
        assert touched(tmp_path / "lists") == ["ops_made.cmake"]

    def test_the_list_of_xpu_comes_with_its_switch(self, tmp_path: Path) -> None:
        gen("-s", SAMPLE, "-d", "out", "--xpu", "-o", "made.cmake", folder=tmp_path)
        assert (tmp_path / "xpu_made.cmake").read_text(encoding="utf-8").startswith("set(\nxpu_made\n")

    def test_a_dry_run_writes_them_and_nothing_else(self, source: Path, tmp_path: Path) -> None:
        """PyTorch's build gets its lists this way, before it generates anything."""
        options = ("-s", source, "-d", "out", "--generate", "headers", "--output-dependencies", "lists/made.cmake")
        assert gen(*options, "--dry-run", "--depfile", "x.d", "--prune", folder=tmp_path).returncode == 0
        assert sorted(path.name for path in tmp_path.iterdir()) == ["lists", "source"]
        before = content(tmp_path / "lists")
        assert tuple(before) == self.NAMES
        gen(*options, folder=tmp_path)
        assert content(tmp_path / "lists") == before
        assert b"Functions.h" in before["made.cmake"]
        assert b".cpp" not in b"".join(before.values())

    def test_a_check_compares_them(self, source: Path, tmp_path: Path) -> None:
        options = ("-s", source, "-d", "out", "-o", "made.cmake")
        gen(*options, folder=tmp_path)
        assert gen(*options, "--check", folder=tmp_path).returncode == 0
        (tmp_path / "ops_made.cmake").write_text("old", encoding="utf-8")
        run = gen(*options, "--check", folder=tmp_path)
        assert run.returncode == 1
        assert "ops_made.cmake (on disk)\n" in run.stdout
        assert (tmp_path / "ops_made.cmake").read_text(encoding="utf-8") == "old"

    def test_lists_that_cannot_be_written(self, source: Path, tmp_path: Path) -> None:
        (tmp_path / "core_made.cmake").mkdir()
        run = gen("-s", source, "-d", "out", "-o", "made.cmake", "-q", folder=tmp_path)
        assert run.returncode == 2
        assert run.stderr.endswith("/core_made.cmake: this is a directory, not a file\n")


class TestDepfile:
    def test_it_names_all_that_was_read(self, source: Path, tmp_path: Path) -> None:
        (tmp_path / "my selection.yaml").write_text("operators: {aten::dry: {include_all_overloads: true}}\n")
        options = ("--op-selection-yaml-path", "my selection.yaml", "--depfile", "build/ops.stamp.d")
        assert gen("-s", "source", "-d", "out", *options, folder=tmp_path).returncode == 0
        text = (tmp_path / "build" / "ops.stamp.d").read_text(encoding="utf-8")
        target, *read = text.replace("\\ ", "?").replace("\\\n ", "").split()
        assert target == "build/ops.stamp:"
        templates = [name for name in read if name.startswith("source/templates/")]
        assert read[:2] == ["source/native/native_functions.yaml", "source/native/tags.yaml"]
        assert "my?selection.yaml" in read
        assert {"source/templates/Functions.h", "source/templates/enum_tag.h"} < {*templates}
        assert "source/templates/Operator.h" not in templates, "this run makes no header by operator"
        own = [name for name in read if "/opwright/" in name and "/opwright/sample/" not in name]
        assert {"output/tree.py", "artifacts/functions.py", "releases/v2_13.py", "releases/data/aoti.yaml"} <= {
            name.rpartition("/opwright/")[2] for name in own
        }
        assert len(read) == len(set(read)) == 3 + len(templates) + len(own)
        assert all((tmp_path / name.replace("?", " ")).is_file() for name in read)

    def test_it_is_written_by_successful_runs_only(self, source: Path, tmp_path: Path) -> None:
        options = ("-s", source, "-d", "out", "--depfile", "x.d")
        for more in (["--dry-run"], ["--check"], ["--print-outputs", "lines"]):
            gen(*options, *more, folder=tmp_path)
        write_operators(source, FAULTY)
        assert gen(*options, folder=tmp_path).returncode == 1
        assert [path.name for path in tmp_path.iterdir()] == ["source"]

    @pytest.mark.parametrize("name", ["ops.dep", "ops", ".d", "d"])
    def test_its_name_gives_the_target(self, name: str, tmp_path: Path) -> None:
        run = gen("-s", SAMPLE, "-d", "out", "--depfile", name, folder=tmp_path)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr.startswith(f"opwright gen: '{name}' does not end in .d")
        assert not (tmp_path / "out").exists()


class TestPrintOutputs:
    @pytest.mark.parametrize(
        "options",
        [
            (),
            (PER_OPERATOR, "--everything"),
            ("--headeronly-install-dir", "out/../only"),
            ("--generate", "sources", "declarations_yaml"),
        ],
        ids=["aggregated", "per-operator", "header-only", "steps"],
    )
    def test_it_tells_what_will_be_written(self, options: tuple[str, ...], source: Path, tmp_path: Path) -> None:
        arguments: list[str | Path] = ["-s", source, "-d", "./out//", *options]
        run = gen(*arguments, "--print-outputs", "lines", "-o", "x", "--depfile", "x.d", "--prune", folder=tmp_path)
        assert run.returncode == 0
        assert [path.name for path in tmp_path.iterdir()] == ["source"]
        gen(*arguments, folder=tmp_path)
        told = run.stdout.splitlines()
        made = [path for folder in ("out", "only") for path in outputs(tmp_path / folder).values()]
        assert {(tmp_path / name).resolve() for name in told} == {path.resolve() for path in made}
        assert len(told) == len(made)
        assert told == sorted(told, key=lambda name: name.split("/"))

    def test_families(self, source: Path, tmp_path: Path) -> None:
        arguments = ("-s", source, "-d", "out", PER_OPERATOR, "--everything", "--print-outputs")
        groups = json.loads(gen(*arguments, "json", folder=tmp_path).stdout)
        assert groups["header-only"] == ["out/core/enum_tag.h"]
        assert "out/ops/wring.h" in groups["ops"]
        assert "out/OperatorsEverything.cpp" in groups["umbrella"]
        assert "out/core/TensorBody.h" in groups["core"]
        lines = gen(*arguments, "lines", folder=tmp_path).stdout.splitlines()
        assert sorted(name for group in groups.values() for name in group) == sorted(lines)
        cmake = gen(*arguments, "cmake", folder=tmp_path).stdout
        for family, group in groups.items():
            quoted = "".join(f'\n    "{name}"' for name in group)
            assert f"set(opwright_{family.replace('-', '_')}{quoted})\n" in cmake

    def test_faulty_input(self, source: Path, tmp_path: Path) -> None:
        arguments = ("-s", source, "-d", "out", PER_OPERATOR, "--print-outputs", "lines")
        write_operators(source, FAULTY)
        run = gen(*arguments, folder=tmp_path)
        assert (run.returncode, run.stdout) == (1, "")
        assert "error[unknown-type]" in run.stderr
        write_operators(source, "- func: x(Tensor self) -> Tensor\n- func: x_ops(Tensor self) -> Tensor\n")
        run = gen(*arguments, folder=tmp_path)
        assert (run.returncode, run.stdout) == (2, "")
        assert "two files would be called 'ops/x_ops.h'" in run.stderr
        (source / "native" / "tags.yaml").unlink()
        assert gen(*arguments, folder=tmp_path).returncode == 2

    def test_beside_a_machine_format(self, source: Path, tmp_path: Path) -> None:
        run = gen("-s", source, "--print-outputs", "lines", "--format", "json", "--stats", folder=tmp_path)
        assert (run.returncode, json.loads(run.stdout)) == (0, [])
        assert "build/aten/src/ATen/Functions.h\n" in run.stderr


class TestManifest:
    def test_it_holds_what_was_written(self, source: Path, tmp_path: Path) -> None:
        gen("-s", source, "-d", "out", PER_OPERATOR, "--mps", folder=tmp_path)
        assert entries(tmp_path / "out") == names(tmp_path / "out")
        assert entries(tmp_path / "out", "declarations_yaml") == ["Declarations.yaml"]
        head = json.loads(manifest(tmp_path / "out", "headers").read_text(encoding="utf-8"))
        assert (head["release"], head["step"]) == ("2.13", "headers")
        assert head["options"] == {"per_operator_headers": True, "devices": ["mps"]}

    def test_same_bytes_everywhere(self, source: Path, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").mkdir()
        options = ("-s", source, "--op-registration-whitelist", "aten::dry")
        gen(*options, "-d", "a", folder=tmp_path, PYTHONHASHSEED="1")
        gen(*options, "-d", "deep/er/b", folder=tmp_path / "elsewhere", PYTHONHASHSEED="2", LC_ALL="C")
        for step in STEPS:
            data = manifest(tmp_path / "a", step).read_bytes()
            assert data == manifest(tmp_path / "elsewhere" / "deep" / "er" / "b", step).read_bytes()
            assert tmp_path.name.encode() not in data

    def test_a_second_run_does_not_touch_it(self, source: Path, tmp_path: Path) -> None:
        for _ in range(2):
            gen("-s", source, "-d", "out", folder=tmp_path)
            fresh = {step: manifest(tmp_path / "out", step).stat().st_mtime > 2_000_000 for step in STEPS}
            age(tmp_path / "out")
        assert not any(fresh.values())

    def test_a_faulty_run_leaves_it(self, source: Path, tmp_path: Path) -> None:
        gen("-s", source, "-d", "out", folder=tmp_path)
        before = {step: manifest(tmp_path / "out", step).read_bytes() for step in STEPS}
        write_operators(source, FAULTY)
        assert gen("-s", source, "-d", "out", "--prune", folder=tmp_path).returncode == 1
        assert {step: manifest(tmp_path / "out", step).read_bytes() for step in STEPS} == before


class TestPrune:
    @pytest.fixture
    def old(self, source: Path, tmp_path: Path) -> dict[str, bytes]:
        """The files of a run after which an operator is dropped."""
        assert gen("-s", source, "-d", "out", PER_OPERATOR, folder=tmp_path).returncode == 0
        write_operators(source, DRIER)
        return content(tmp_path / "out")

    def test_what_is_not_made_any_more_goes(self, old: dict[str, bytes], source: Path, tmp_path: Path) -> None:
        (tmp_path / "out" / "ops" / "own.h").write_text("// mine\n", encoding="utf-8")
        stays = gen("-s", source, "-d", "out", PER_OPERATOR, folder=tmp_path)
        count = len(wrung(old))
        assert stays.stderr.endswith(f"\n{count} more of earlier runs are not made any more; --prune removes them\n")
        assert names(tmp_path / "out") == sorted([*old, "ops/own.h"])
        run = gen("-s", source, "-d", "out", PER_OPERATOR, "--prune", "-v", folder=tmp_path)
        assert run.returncode == 0
        assert [line for line in run.stdout.splitlines() if line.startswith("removed")] == [
            f"removed out/{name}" for name in wrung(old)
        ]
        assert run.stdout.endswith(f" unchanged, {count} removed\n")
        assert names(tmp_path / "out") == sorted({*old, "ops/own.h"} - {*wrung(old)})
        again = gen("-s", source, "-d", "out", PER_OPERATOR, "--prune", folder=tmp_path)
        assert again.stdout.endswith(" unchanged, 0 removed\n")

    def test_another_header_mode(self, old: dict[str, bytes], source: Path, tmp_path: Path) -> None:
        run = gen("-s", source, "-d", "out", "--prune", folder=tmp_path)
        assert run.returncode == 0
        assert names(tmp_path / "out") == sorted(name for name in old if not name.startswith("ops/"))
        assert not (tmp_path / "out" / "ops").exists()

    def test_an_edited_file_stays(self, old: dict[str, bytes], source: Path, tmp_path: Path) -> None:
        (tmp_path / "out" / "ops" / "wring.h").write_text("// mine\n", encoding="utf-8")
        run = gen("-s", source, "-d", "out", PER_OPERATOR, "--prune", "-q", folder=tmp_path)
        assert (run.returncode, run.stdout) == (0, "")
        assert run.stderr == "out/ops/wring.h is not made any more, but it was edited, so it is kept\n"
        assert (tmp_path / "out" / "ops" / "wring.h").read_text(encoding="utf-8") == "// mine\n"
        assert not (tmp_path / "out" / "ops" / "wring_ops.h").exists()
        again = gen("-s", source, "-d", "out", PER_OPERATOR, "--prune", "-q", folder=tmp_path)
        assert again.stderr == ""

    def test_a_dry_run_only_tells(self, old: dict[str, bytes], source: Path, tmp_path: Path) -> None:
        run = gen("-s", source, "-d", "out", PER_OPERATOR, "--prune", "--dry-run", "-v", folder=tmp_path)
        assert "removed out/ops/wring.h\n" in run.stdout
        assert run.stdout.endswith(f", {len(wrung(old))} would be removed\n")
        assert content(tmp_path / "out") == old
        assert wrung(entries(tmp_path / "out")) == wrung(old)

    def test_a_check_finds_them_stale(self, old: dict[str, bytes], source: Path, tmp_path: Path) -> None:
        arguments = ("-s", source, "-d", "out", PER_OPERATOR)
        gen(*arguments, folder=tmp_path)
        (tmp_path / "out" / "ops" / "wring_ops.h").write_text("// mine\n", encoding="utf-8")
        run = gen(*arguments, "--check", "-v", folder=tmp_path)
        assert run.returncode == 1
        name = "out/ops/wring.h"
        diff = f"--- {name} (on disk)\n+++ {name} (generated)\nthis file is not made any more; --prune removes it\n"
        assert diff in run.stdout
        assert "this file is not made any more; it was edited, so --prune keeps it\n" in run.stdout
        assert "stale out/ops/wring.h\n" in run.stdout
        assert f"\n{len(wrung(old))} of {len(old)} files are stale\n" in run.stderr
        gen(*arguments, "--prune", folder=tmp_path)
        assert gen(*arguments, "--check", folder=tmp_path).returncode == 0

    def test_runs_of_single_steps(self, old: dict[str, bytes], source: Path, tmp_path: Path) -> None:
        """They neither forget nor remove the files of other steps."""
        arguments = ("-s", source, "-d", "out", "--prune", "--generate")
        gen(*arguments, "sources", folder=tmp_path)
        assert names(tmp_path / "out") == [*old]
        gen(*arguments, "declarations_yaml", folder=tmp_path)
        assert names(tmp_path / "out") == [*old]
        gen(*arguments, "headers", folder=tmp_path)
        assert names(tmp_path / "out") == sorted(name for name in old if not name.startswith("ops/"))
        assert entries(tmp_path / "out") == names(tmp_path / "out")

    def test_a_damaged_manifest_is_ignored(self, old: dict[str, bytes], source: Path, tmp_path: Path) -> None:
        place = manifest(tmp_path / "out", "headers")
        place.write_bytes(place.read_bytes()[:-20])
        run = gen("-s", source, "-d", "out", PER_OPERATOR, "--prune", "-q", folder=tmp_path)
        ignored = "out/.opwright-headers.json is ignored: it is not a manifest of this version of Opwright\n"
        assert (run.returncode, run.stderr) == (0, ignored)
        assert names(tmp_path / "out") == [*old]
        assert gen("-s", source, "-d", "out", PER_OPERATOR, "--prune", "-q", folder=tmp_path).stderr == ""
