"""Names in the options of `gen`: dispatch keys that are chosen, and what a selection comes to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from opwright.locate import SAMPLE
from tests.gen import gen, make_source, names

WHITELIST = "--backend-whitelist"
STATIC = "--static-dispatch-backend"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([WHITELIST, "CPUs"], f"{WHITELIST}: 'CPUs' is not a dispatch key of PyTorch 2.13; did you mean 'CPU'?"),
        ([WHITELIST, "qwertz"], f"{WHITELIST}: 'qwertz' is not a dispatch key of PyTorch 2.13"),
        ([STATIC, "cuda"], f"{STATIC}: 'cuda' is not a dispatch key of PyTorch 2.13; did you mean 'CUDA'?"),
        ([STATIC, "NestedTensorHPU"], f"{STATIC}: no operator has a kernel under 'NestedTensorHPU'"),
        ([STATIC, "XPU"], f"{STATIC}: no operator has a kernel under 'XPU'; --xpu keeps them"),
        ([STATIC, "CUDA", WHITELIST, "CPU"], f"{STATIC}: 'CUDA' is not in --backend-whitelist"),
    ],
)
def test_keys_that_cannot_be_chosen(given: list[str], message: str, tmp_path: Path) -> None:
    run = gen("-s", SAMPLE, "-d", "out", *given, folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.splitlines()[-1] == f"opwright gen: {message}"
    assert not (tmp_path / "out").exists()


def test_static_dispatch_of_an_older_release(tmp_path: Path) -> None:
    source = make_source(tmp_path / "source")
    run = gen("-s", source, "-d", "out", STATIC, "CompositeExplicitAutograd", "--release", "2.1", folder=tmp_path)
    assert run.returncode == 0, run.stderr
    operators = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "out").glob("Operators_*.cpp"))
    assert "return at::compositeexplicitautograd::dry(" in operators


@pytest.mark.parametrize(
    ("key", "remark"),
    [
        ("Vulkan", "there are no files for 'Vulkan'"),
        ("MPS", "there are no files for 'MPS' without --mps"),
    ],
)
def test_keys_without_files_are_remarked_on(key: str, remark: str, tmp_path: Path) -> None:
    run = gen("-s", SAMPLE, "-d", "out", WHITELIST, "CPU", key, folder=tmp_path)
    assert run.returncode == 0
    assert f"{WHITELIST}: {remark}\n" in run.stderr


def test_the_whitelist_keeps_the_composite_keys(tmp_path: Path) -> None:
    assert gen("-s", SAMPLE, "-d", "out", WHITELIST, "CPU", folder=tmp_path).returncode == 0
    registered = {name.partition("_")[0] for name in names(tmp_path / "out") if name.startswith("Register")}
    assert registered == {
        "RegisterBackendSelect.cpp",
        "RegisterCPU",
        "RegisterCompositeExplicitAutograd",
        "RegisterCompositeExplicitAutogradNonFunctional",
        "RegisterCompositeImplicitAutograd",
        "RegisterCompositeImplicitAutogradNestedTensor",
        "RegisterFunctionalization",
        "RegisterSchema.cpp",
    }


def test_static_dispatch_calls_kernels(tmp_path: Path) -> None:
    run = gen("-s", SAMPLE, "-d", "out", STATIC, "CPU", "--everything", folder=tmp_path)
    assert run.returncode == 0
    text = (tmp_path / "out" / "OperatorsEverything.cpp").read_text(encoding="utf-8")
    assert "#include <ATen/CPUFunctions.h>" in text
    assert "return at::cpu::blend_out(out, self, other, weight);" in text


class TestSelectionReport:
    def report(self, folder: Path, *given: str) -> dict[str, dict[str, list[str]]]:
        """What a run says about its selection."""
        run = gen("-s", SAMPLE, "-d", "out", "--selection-report", "report.json", *given, folder=folder)
        assert run.returncode == 0, run.stderr
        found: dict[str, dict[str, list[str]]] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        return found

    def test_without_a_selection_all_is_kept(self, tmp_path: Path) -> None:
        report = self.report(tmp_path)
        assert "aten::blend.out" in report["operators"]["kept"]
        assert (report["operators"]["dropped"], report["operators"]["unknown"]) == ([], [])
        assert report["dispatch_keys"]["dropped"] == ["MPS", "XPU", "SparseMPS", "SparseCsrMPS", "MTIA"]

    def test_a_selection(self, tmp_path: Path) -> None:
        report = self.report(tmp_path, "--op-registration-whitelist", "aten::blend", "other::thing")
        assert report["operators"]["kept"] == ["aten::blend", "aten::blend.out", "aten::blend.Scalar"]
        assert "aten::blend_" in report["operators"]["dropped"]
        assert report["operators"]["unknown"] == ["other::thing"]

    def test_keys(self, tmp_path: Path) -> None:
        report = self.report(tmp_path, WHITELIST, "Meta")
        assert "Meta" in report["dispatch_keys"]["kept"]
        assert "CPU" in report["dispatch_keys"]["dropped"]

    def test_a_dry_run_writes_none(self, tmp_path: Path) -> None:
        run = gen("-s", SAMPLE, "-d", "out", "--selection-report", "report.json", "--dry-run", folder=tmp_path)
        assert run.returncode == 0
        assert not (tmp_path / "report.json").exists()
