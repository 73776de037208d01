"""The shims of AOT-inductor as a user of `gen` makes them: where they go, and what becomes of their headers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_check import opwright
from tests.gen import gen, make_source, names

OPERATORS = """\
- func: soak(Tensor self, int depth=1) -> Tensor
  dispatch:
    CPU: soak_cpu
    MPS: soak_mps
- func: wring(Tensor self, float force) -> Tensor
- func: stash(Tensor self, Storage where) -> Tensor
"""
LIST = "devices:\n  aten::soak: {}\naten:\n  aten::wring: {}\n"
DEFAULT = "torch/csrc/inductor/aoti_torch/generated"
PLAIN = ["c_shim_aten.cpp", "c_shim_cpu.cpp", "c_shim_cuda.cpp"]
WITH_HEADERS = sorted(f"c_shim_{name}.{end}" for name in ("aten", "cpu", "cuda", "mps", "xpu") for end in ("cpp", "h"))
SOAK = "AOTITorchError aoti_torch_cpu_soak(AtenTensorHandle self, int64_t depth, AtenTensorHandle* ret0)"
#: What every run here has in common.
START = ("-s", "source", "-d", "out", "--generate", "sources", "--aoti-ops", "list.yaml")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a source and a list of its operators."""
    make_source(tmp_path / "source", OPERATORS)
    write(tmp_path / "list.yaml", LIST)
    return tmp_path


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


class TestPlaces:
    def test_default(self, folder: Path) -> None:
        run = gen(*START, folder=folder)
        assert run.returncode == 0, run.stderr
        assert names(folder / DEFAULT) == PLAIN
        assert not (folder / "out" / "aoti").exists()

    def test_given(self, folder: Path) -> None:
        assert gen(*START, "--aoti_install_dir", "shims", folder=folder).returncode == 0
        assert names(folder / "shims") == PLAIN
        assert not (folder / "torch").exists()

    @pytest.mark.parametrize("option", ["--dry-run", "--check"])
    def test_nothing_is_touched(self, option: str, folder: Path) -> None:
        gen(*START, option, folder=folder)
        assert not (folder / "torch").exists()

    def test_only_with_sources(self, folder: Path) -> None:
        run = gen("-s", "source", "-d", "out", "--generate", "declarations_yaml", folder=folder)
        assert (run.returncode, "not found" in run.stderr) == (0, False)
        assert not (folder / "torch").exists()


class TestHeaders:
    def test_missing_ones_are_named(self, folder: Path) -> None:
        run = gen(*START, "--aoti-install-dir", "shims", folder=folder)
        assert run.returncode == 0
        shown = "not found in shims, and written only with --update-aoti-c-shim: "
        assert run.stderr.endswith(f"{shown}c_shim_cpu.h, c_shim_cuda.h, c_shim_aten.h\n")
        quiet = gen(*START, "--aoti-install-dir", "shims", "-q", folder=folder)
        assert (quiet.returncode, quiet.stderr) == (0, "")

    def test_written_on_request_with_those_of_all_devices(self, folder: Path) -> None:
        run = gen(*START, "--aoti-install-dir", "shims", "--update-aoti-c-shim", folder=folder)
        assert (run.returncode, "not found" in run.stderr) == (0, False)
        assert names(folder / "shims") == WITH_HEADERS
        assert f"AOTI_TORCH_EXPORT {SOAK};\n" in read(folder / "shims" / "c_shim_cpu.h")
        assert "at::mps::soak(" in read(folder / "shims" / "c_shim_mps.cpp")
        gen(*START, "--aoti-install-dir", "shims", "--prune", folder=folder)
        again = gen(*START, "--aoti-install-dir", "shims", "--check", folder=folder)
        assert again.returncode == 0, again.stdout + again.stderr

    def test_a_fresh_one_is_left_alone_whatever_its_line_ends(self, folder: Path) -> None:
        gen(*START, "--aoti-install-dir", "shims", "--update-aoti-c-shim", folder=folder)
        path = folder / "shims" / "c_shim_cpu.h"
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        before = path.read_bytes()
        assert gen(*START, "--aoti-install-dir", "shims", folder=folder).returncode == 0
        assert path.read_bytes() == before

    @pytest.mark.parametrize("option", [(), ("--dry-run",), ("--check",)])
    def test_a_stale_one_stops_the_run(self, option: tuple[str, ...], folder: Path) -> None:
        gen(*START, "--aoti-install-dir", "shims", "--update-aoti-c-shim", folder=folder)
        before = read(folder / "shims" / "c_shim_cpu.cpp")
        write(folder / "list.yaml", LIST.replace("aoti", "").replace("aten:\n", "  aten::wring: {}\naten:\n"))
        run = gen(*START, "--aoti-install-dir", "shims", *option, folder=folder)
        assert (run.returncode, run.stdout) == (1, "")
        lines = run.stderr.splitlines()
        message = "error[aoti-stale-header]: this header is not the one that the listed operators give"
        assert [line for line in lines if "error[" in line] == [
            f"shims/c_shim_{device}.h: {message}" for device in ("cpu", "cuda")
        ]
        at = lines.index(f"shims/c_shim_cpu.h: {message}")
        assert "--update-aoti-c-shim" in lines[at + 1]
        assert lines[at + 2 : at + 4] == ["--- shims/c_shim_cpu.h (on disk)", "+++ shims/c_shim_cpu.h (generated)"]
        added = "AOTITorchError aoti_torch_cpu_wring(AtenTensorHandle self, double force, AtenTensorHandle* ret0);"
        assert f"+AOTI_TORCH_EXPORT {added}" in lines
        assert lines[-1] == "nothing was written"
        assert read(folder / "shims" / "c_shim_cpu.cpp") == before
        done = gen(*START, "--aoti-install-dir", "shims", "--update-aoti-c-shim", folder=folder)
        assert done.returncode == 0
        assert "aoti_torch_cpu_wring" in read(folder / "shims" / "c_shim_cpu.h")

    def test_a_stale_one_for_programs(self, folder: Path) -> None:
        gen(*START, "--aoti-install-dir", "shims", "--update-aoti-c-shim", folder=folder)
        write(folder / "list.yaml", "devices: {}\n")
        run = gen(*START, "--aoti-install-dir", "shims", "--format", "json", folder=folder)
        assert run.returncode == 1
        found = json.loads(run.stdout)
        assert [(item["code"], item["path"]) for item in found] == [
            ("aoti-stale-header", f"shims/c_shim_{name}.h") for name in ("cpu", "aten")
        ]
        assert f"\n-AOTI_TORCH_EXPORT {SOAK};\n" in found[0]["help"]
        concise = gen(*START, "--aoti-install-dir", "shims", "--format", "concise", folder=folder)
        assert len([line for line in concise.stderr.splitlines() if line.startswith("shims/")]) == 2

    def test_one_that_is_no_file(self, folder: Path) -> None:
        (folder / "shims" / "c_shim_cpu.h").mkdir(parents=True)
        run = gen(*START, "--aoti-install-dir", "shims", folder=folder)
        assert run.returncode == 2
        assert "shims/c_shim_cpu.h: this is a directory, not a file" in run.stderr


class TestList:
    def test_faults_stop_the_run(self, folder: Path) -> None:
        write(folder / "list.yaml", "devices:\n  aten::saok: {}\naten:\n  aten::soak: {since: 2.13}\n")
        run = gen(*START, folder=folder)
        assert (run.returncode, run.stdout) == (1, "")
        assert "list.yaml:2:3: error[aoti-unknown-operator]: there is no operator 'aten::saok'" in run.stderr
        assert "list.yaml:4:23: error[aoti-since-form]" in run.stderr
        assert not (folder / "out").exists() and not (folder / "torch").exists()

    def test_missing(self, folder: Path) -> None:
        run = gen("-s", "source", "-d", "out", "--aoti-ops", "nowhere.yaml", folder=folder)
        assert run.returncode == 2
        assert "nowhere.yaml: error[unreadable-file]: there is no such file" in run.stderr

    def test_the_release_has_one(self, folder: Path) -> None:
        """Operators of the list that the source lacks are no fault, and the sample has none of them."""
        run = gen("-s", "source", "-d", "out", "--generate", "sources", "--update-aoti-c-shim", folder=folder)
        assert run.returncode == 0
        assert "aoti_torch_cpu_" not in read(folder / DEFAULT / "c_shim_cpu.cpp")

    def test_what_has_no_form_in_c_is_a_warning(self, folder: Path) -> None:
        write(folder / "list.yaml", "devices:\n  aten::stash: {}\n")
        run = gen(*START, folder=folder)
        assert run.returncode == 0
        place = f"source/native/native_functions.yaml:6:{OPERATORS.splitlines()[5].index('Storage') + 1}"
        message = "the shims leave 'aten::stash' out: 'Storage' has no form in C"
        assert run.stderr.count(f"{place}: warning[aoti-no-c-form]: {message}\n") == 1

    def test_extension(self, folder: Path) -> None:
        write(folder / "list.yaml", "devices:\n  aten::soak: {}\n  aten::wring: {}\n")
        assert gen(*START, "--extend-aoti-c-shim", folder=folder).returncode == 0
        text = read(folder / DEFAULT / "c_shim_cpu.cpp")
        assert "at::cpu::soak(" in text and "wring" not in text
        assert f"#include <{DEFAULT}/extend/c_shim_cpu.h>\n" in text

    @pytest.mark.parametrize(
        ("option", "shown"),
        [
            (("--aoti-install-dir", "x"), "--aoti-install-dir"),
            (("--aoti-ops", "x"), "--aoti-ops"),
            (("--update_aoti_c_shim",), "--update-aoti-c-shim"),
            (("--extend_aoti_c_shim",), "--extend-aoti-c-shim"),
        ],
    )
    def test_older_releases_have_no_shims(self, option: tuple[str, ...], shown: str, folder: Path) -> None:
        old = ("-s", "source", "-d", "out", "--release", "2.1")
        run = gen(*old, *option, folder=folder)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr == f"opwright gen: PyTorch 2.1 has no AOT-inductor shims, which {shown} is about\n"
        plain = gen(*old, folder=folder)
        assert (plain.returncode, "not found" in plain.stderr) == (0, False)
        assert not (folder / "torch").exists()


class TestReleases:
    def test_headers_are_written_in_2_3(self, folder: Path) -> None:
        run = gen("-s", "source", "-d", "out", "--generate", "sources", "--release", "2.3", folder=folder)
        assert (run.returncode, "not found" in run.stderr) == (0, False)
        assert names(folder / DEFAULT) == [f"c_shim_{name}.{end}" for name in ("cpu", "cuda") for end in ("cpp", "h")]
        assert f"AOTI_TORCH_EXPORT {SOAK};\n" in read(folder / DEFAULT / "c_shim_cpu.h")
        assert "wring" not in read(folder / DEFAULT / "c_shim_cpu.h")

    def test_they_go_elsewhere_and_offer_what_a_list_says(self, folder: Path) -> None:
        write(folder / "list.yaml", LIST.replace("aten:\n", ""))
        run = gen(*START, "--release", "2.3", "--aoti-install-dir", "shims", folder=folder)
        assert run.returncode == 0, run.stderr
        assert "aoti_torch_cpu_soak" in read(folder / "shims" / "c_shim_cpu.h")

    def test_update_makes_no_further_devices_before_2_8(self, folder: Path) -> None:
        run = gen(*START, "--release", "2.7", "--aoti-install-dir", "shims", "--update-aoti-c-shim", folder=folder)
        assert run.returncode == 0
        assert names(folder / "shims") == [f"c_shim_{name}.{end}" for name in ("cpu", "cuda") for end in ("cpp", "h")]

    @pytest.mark.parametrize(
        ("release", "option", "missing"),
        [
            ("2.3", "--update-aoti-c-shim", "headers of AOT-inductor shims that are written on request only"),
            ("2.3", "--extend-aoti-c-shim", "AOT-inductor shims for libraries outside it"),
            ("2.5", "--extend-aoti-c-shim", "AOT-inductor shims for libraries outside it"),
        ],
    )
    def test_options_that_a_release_does_not_have(self, release: str, option: str, missing: str, folder: Path) -> None:
        run = gen("-s", "source", "-d", "out", "--release", release, option, folder=folder)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr == f"opwright gen: PyTorch {release} has no {missing}, which {option} is about\n"


def test_check_knows_such_lists(folder: Path) -> None:
    write(folder / "list.yaml", "devices:\n  aten::saok: {}\n")
    run = opwright("check", "list.yaml", "-s", "source", folder=folder)
    assert run.returncode == 1
    assert "list.yaml:2:3: error[aoti-unknown-operator]" in run.stdout
