"""The verb `gen` as a user calls it, in a process of its own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from opwright.cli.main import main
from opwright.locate import SAMPLE
from tests.gen import SMALL, age, content, gen, make_source, names, touched, write_operators
from tests.privileges import UNBOUND
from tests.releases import RELEASES, SAMPLES

#: The files of every release, by the step that makes them.
SOURCES = [
    "Functions.cpp",
    *(f"Operators_{index}.cpp" for index in range(5)),
    "RegisterSchema.cpp",
    "core/ATenOpList.cpp",
    "core/TensorMethods.cpp",
]
HEADERS = [
    "Functions.h",
    "MethodOperators.h",
    "Operators.h",
    "RedispatchFunctions.h",
    "RegistrationDeclarations.h",
    "core/TensorBody.h",
    "core/aten_interned_strings.h",
    "core/enum_tag.h",
]
DECLARATIONS = ["Declarations.yaml"]
#: Those around kernels, and the keys whose kernels get functions.
COMPOSITE = [
    "CompositeImplicitAutograd",
    "CompositeImplicitAutogradNestedTensor",
    "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
]
KEYS = [key for key in SAMPLES.supported if not SAMPLES.keys[key].flag]
KERNEL_SOURCES = [
    *(f"Register{key}_{index}.cpp" for key in KEYS for index in range(4 if key == "CPU" else 1)),
    *(f"RegisterFunctionalization_{index}.cpp" for index in range(4)),
    "CompositeViewCopyKernels.cpp",
    "FunctionalInverses.h",
    "RegisterBackendSelect.cpp",
    "ViewMetaClasses.cpp",
    "ViewMetaClasses.h",
]
KERNEL_HEADERS = [
    *(f"{key}Functions{end}.h" for key in ("CPU", "CUDA", "Meta", *COMPOSITE) for end in ("", "_inl")),
    "NativeFunctions.h",
    "NativeMetaFunctions.h",
    "VmapGeneratedPlumbing.h",
]
ALL = sorted(SOURCES + HEADERS + DECLARATIONS + KERNEL_SOURCES + KERNEL_HEADERS)
#: The same in 2.1, with one file for a key and no classes for views.
OLD_KEYS = [key for key in KEYS if key in RELEASES[2].supported]
OLD = sorted(
    [name for name in ALL if not re.match(r"ViewMetaClasses|Register\w+_\d", name) or "Functionalization" in name]
    + [f"Register{key}.cpp" for key in OLD_KEYS]
)
SMALL_OPS = [
    *(f"ops/{root}{end}.h" for root in ("soak", "wring", "dry", "scale") for end in ("", "_native", "_ops")),
    *(f"ops/{root}_compositeimplicitautograd_dispatch.h" for root in ("soak", "wring", "scale")),
    "ops/dry_compositeexplicitautograd_dispatch.h",
]
#: What the sample has besides: kernels made of inner loops.
SAMPLE_FILES = sorted(
    [
        *ALL,
        *(f"Ufunc{kind}" for name in ("mix", "stretch") for kind in (f"CPUKernel_{name}.cpp", f"CPU_{name}.cpp")),
        *(f"UfuncCUDA_{name}.cu" for name in ("mix", "stretch")),
    ]
)


def summary(folder: str, files: list[str]) -> str:
    """What a run says that writes these files."""
    return f"{len(files)} files for {folder}: {len(files)} written, 0 unchanged\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return make_source(tmp_path / "source")


class TestSource:
    def test_given(self, tmp_path: Path) -> None:
        run = gen("-s", SAMPLE, "-d", "out", folder=tmp_path)
        assert (run.returncode, run.stdout) == (0, summary("out", SAMPLE_FILES))
        assert run.stderr.splitlines() == [
            f"source: {SAMPLE.as_posix()} (as given)",
            "release: PyTorch 2.13 (the sample's)",
        ]
        assert names(tmp_path / "out") == SAMPLE_FILES

    def test_given_but_not_there(self, tmp_path: Path) -> None:
        run = gen("-s", "nowhere", folder=tmp_path)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr == "opwright gen: there is no native/native_functions.yaml in 'nowhere'\n"

    def test_sample_by_default(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr("opwright.locate.find_packaged", lambda _: None)
        monkeypatch.chdir(tmp_path)
        assert main(["gen"]) == 0
        shown = capsys.readouterr()
        assert shown.out == summary("build/aten/src/ATen", SAMPLE_FILES)
        assert "(the sample that comes with Opwright; no torch is installed)" in shown.err
        assert names(tmp_path) == [f"build/aten/src/ATen/{name}" for name in SAMPLE_FILES]

    def test_sample_where_no_torch_is(self, tmp_path: Path) -> None:
        (tmp_path / "site").mkdir()
        # What runs at the start of every Python: from there on, a torchgen cannot be found.
        (tmp_path / "site" / "sitecustomize.py").write_text("import sys; sys.modules['torchgen'] = None")
        run = gen("-d", "out", folder=tmp_path, site=tmp_path / "site")
        assert run.returncode == 0
        assert f"source: {SAMPLE.as_posix()} (the sample that comes with Opwright; no torch is installed)" in run.stderr
        assert names(tmp_path / "out") == SAMPLE_FILES

    @pytest.mark.parametrize(
        ("version", "release"),
        [("2.13.0a0\n", "2.13"), ("2.1.2\n", "2.1"), (None, "2.1")],
        ids=["2.13", "2.1", "none"],
    )
    def test_checkout(self, version: str | None, release: str, tmp_path: Path) -> None:
        make_source(tmp_path / "aten" / "src" / "ATen")
        if version:
            (tmp_path / "version.txt").write_text(version, encoding="utf-8")
        fake_torch(tmp_path / "site", "2.1.0")
        run = gen("-d", "out", folder=tmp_path, site=tmp_path / "site")
        assert run.returncode == 0
        installed = "the version of the installed torch, for a library that is not PyTorch"
        where = "version.txt of the checkout" if version else installed
        assert run.stderr.splitlines() == [
            "source: aten/src/ATen (the checkout in the current folder)",
            f"release: PyTorch {release} ({where})",
        ]

    @pytest.mark.parametrize(("version", "release"), [("2.13.0+cpu", "2.13"), ("2.1.2", "2.1")])
    def test_installed_torch_is_not_imported(self, version: str, release: str, tmp_path: Path) -> None:
        packaged = fake_torch(tmp_path / "site", version)
        (tmp_path / "work").mkdir()
        run = gen("-d", "out", folder=tmp_path / "work", site=tmp_path / "site")
        assert run.returncode == 0
        assert run.stderr.splitlines() == [
            f"source: {packaged.as_posix()} (the installed torch)",
            f"release: PyTorch {release} (the version of the installed torch)",
        ]
        assert names(tmp_path / "work" / "out") == (ALL if release == "2.13" else OLD)

    def test_installed_torch_of_an_unknown_release(self, tmp_path: Path) -> None:
        fake_torch(tmp_path / "site", "1.13.1")
        run = gen(folder=tmp_path, site=tmp_path / "site")
        assert run.returncode == 2
        assert run.stderr == (
            "opwright gen: PyTorch 1.13.1 (the version of the installed torch) is not a release that Opwright knows; "
            "it knows 2.0 to 2.15. Choose one with --release\n"
        )
        chosen = gen("--release", "2.0", "-d", "out", folder=tmp_path, site=tmp_path / "site")
        assert chosen.returncode == 0
        assert "release: PyTorch 2.0 (given with --release)" in chosen.stderr


def fake_torch(site: Path, version: str) -> Path:
    """Something that looks like an installed torch and does not survive being imported; its operators."""
    for name in ("torch", "torchgen"):
        (site / name).mkdir(parents=True)
        (site / name / "__init__.py").write_text(f"raise SystemExit('{name} was imported')\n", encoding="utf-8")
    text = f"from typing import Optional\n__version__ = '{version}'\nraise SystemExit('torch.version was imported')\n"
    (site / "torch" / "version.py").write_text(text, encoding="utf-8")
    return make_source(site / "torchgen" / "packaged" / "ATen")


class TestRelease:
    @pytest.mark.parametrize("given", ["2.13", "2.13.0", "2.1", "2.0.1"])
    def test_known(self, given: str, source: Path, tmp_path: Path) -> None:
        run = gen("-s", source, "--release", given, "-d", "out", folder=tmp_path)
        assert run.returncode == 0
        name = ".".join(given.split(".")[:2])
        assert f"release: PyTorch {name} (given with --release)\n" in run.stderr
        operators = (tmp_path / "out" / "Operators.h").read_text(encoding="utf-8")
        is_old = 'STATIC_CONSTEXPR_STR_INL_EXCEPT_WIN_CUDA(name, "mine::scale")' in operators
        assert is_old == (name != "2.13")

    def test_unknown(self, source: Path, tmp_path: Path) -> None:
        run = gen("-s", source, "--release", "2.99", "-d", "out", folder=tmp_path)
        assert (run.returncode, run.stdout) == (2, "")
        assert "PyTorch 2.99 (given with --release)" in run.stderr
        assert "it knows 2.0 to 2.15." in run.stderr
        assert not (tmp_path / "out").exists()


class TestFiles:
    def test_one_header_for_each_operator_name(self, source: Path, tmp_path: Path) -> None:
        run = gen("-s", source, "-d", "out", "--per-operator-headers", folder=tmp_path)
        assert run.returncode == 0
        assert names(tmp_path / "out") == sorted(ALL + SMALL_OPS)
        functions = (tmp_path / "out" / "Functions.h").read_text(encoding="utf-8")
        assert "#include <ATen/ops/dry.h>\n#include <ATen/ops/scale.h>\n#include <ATen/ops/soak.h>\n" in functions

    def test_headers_of_the_same_name(self, source: Path, tmp_path: Path) -> None:
        write_operators(source, SMALL + "- func: soak_ops(Tensor self) -> Tensor\n")
        run = gen("-s", source, "-d", "out", "--per-operator-headers", folder=tmp_path)
        assert (run.returncode, run.stdout) == (2, "")
        assert "opwright gen: two files would be called 'ops/soak_ops.h'; rename an operator, or " in run.stderr
        assert not (tmp_path / "out").exists()
        assert gen("-s", source, "-d", "out", folder=tmp_path).returncode == 0

    def test_sample_has_a_header_for_every_root(self, tmp_path: Path) -> None:
        assert gen("-s", SAMPLE, "-d", "out", "--per-operator-headers", folder=tmp_path).returncode == 0
        made = names(tmp_path / "out")
        operators = [name for name in made if name.startswith("ops/")]
        roots = [name.removesuffix("_ops.h") for name in operators if name.endswith("_ops.h")]
        assert len(roots) > 50
        assert made == sorted([*SAMPLE_FILES, *operators])
        for_all = {f"{root}{end}.h" for root in roots for end in ("", "_ops", "_native")}
        others = sorted(set(operators) - for_all)
        assert for_all <= set(operators)
        structured = ("blend", "pool", "mix", "stretch", "glue")
        assert [name for name in others if name.endswith("_meta.h")] == sorted(
            f"ops/{name}_meta.h" for name in structured
        )
        ends = tuple(f"_{key.lower()}_dispatch.h" for key in ("CPU", "CUDA", "Meta", *COMPOSITE))
        assert all(name.endswith(("_meta.h", *ends)) for name in others)

    @pytest.mark.parametrize(
        ("steps", "expected"),
        [
            (["headers"], sorted(HEADERS + KERNEL_HEADERS + SMALL_OPS)),
            (["sources"], sorted(SOURCES + KERNEL_SOURCES)),
            (["declarations_yaml"], DECLARATIONS),
            (["sources", "declarations_yaml"], sorted(SOURCES + KERNEL_SOURCES + DECLARATIONS)),
        ],
        ids=["headers", "sources", "declarations", "two"],
    )
    def test_steps(self, steps: list[str], expected: list[str], source: Path, tmp_path: Path) -> None:
        run = gen("-s", source, "-d", "out", "--per-operator-headers", "--generate", *steps, folder=tmp_path)
        assert run.returncode == 0
        assert names(tmp_path / "out") == expected

    def test_unknown_step(self, tmp_path: Path) -> None:
        run = gen("--generate", "heders", folder=tmp_path)
        assert run.returncode == 2
        assert "invalid choice: 'heders' (choose from" in run.stderr

    def test_header_only_folder_and_umbrella_copies(self, source: Path, tmp_path: Path) -> None:
        run = gen("-s", source, "-d", "out", "--headeronly-install-dir", "only", "--everything", folder=tmp_path)
        assert run.returncode == 0
        assert names(tmp_path / "only") == ["enum_tag.h"]
        sharded = [*(f"Register{key}" for key in KEYS), "Operators", "RegisterFunctionalization"]
        expected = sorted({*ALL, *(f"{stem}Everything.cpp" for stem in sharded)} - {"core/enum_tag.h"})
        assert names(tmp_path / "out") == expected
        made = content(tmp_path / "out")
        parts = [made[f"Operators_{index}.cpp"].count(b"::call(") for index in range(5)]
        assert made["OperatorsEverything.cpp"].count(b"::call(") == sum(parts) == 5

    def test_underscore_spellings(self, source: Path, tmp_path: Path) -> None:
        write_selection(tmp_path, "aten::soak")
        run = gen(
            "-s", source, "--install_dir", "out", "--headeronly_install_dir", "only", "--op_selection_yaml_path",
            "selection.yaml", "--skip_dispatcher_op_registration", "--force_schema_registration", folder=tmp_path,
        )  # fmt: skip
        assert run.returncode == 0
        assert names(tmp_path / "only") == ["enum_tag.h"]
        run = gen("-s", source, "-d", "out2", "--op_registration_whitelist", "aten::soak", folder=tmp_path)
        assert run.returncode == 0
        assert registered(tmp_path / "out2") == ["soak"]
        run = gen(
            "-s", source, "-d", "out3", "--backend_whitelist", "CPU", "--static_dispatch_backend",
            "CompositeExplicitAutograd", folder=tmp_path,
        )  # fmt: skip
        assert run.returncode == 0
        assert [name for name in names(tmp_path / "out3") if name.startswith("RegisterCUDA")] == []
        run = gen("-s", source, "-d", "out4", "--aoti_install_dir", "x", folder=tmp_path)
        assert run.returncode == 0
        assert names(tmp_path / "x") == ["c_shim_aten.cpp", "c_shim_cpu.cpp", "c_shim_cuda.cpp"]

    def test_compatible_with_torchgen(self, tmp_path: Path) -> None:
        places = {
            "Operators.h": ("const char* name = ", '"{}::scale"'),
            "core/ATenOpList.cpp": ("", '{{"{}::scale", ""}},'),
            "Declarations.yaml": ("schema_string: ", "{}::scale(Tensor self, float factor=1.5) -> Tensor"),
            "RegistrationDeclarations.h": ('"schema": ', '"{}::scale(Tensor self, float factor=1.5) -> Tensor"'),
        }
        for options, present, absent in (((), "mine", "aten"), (("--torchgen-compat",), "aten", "mine")):
            assert gen("-s", SAMPLE, "-d", present, *options, folder=tmp_path).returncode == 0
            for name, (before, form) in places.items():
                text = (tmp_path / present / name).read_text(encoding="utf-8")
                assert before + form.format(present) in text, name
                assert before + form.format(absent) not in text, name
            assert "TORCH_LIBRARY(mine, m) {" in (tmp_path / present / "RegisterSchema.cpp").read_text(encoding="utf-8")

    def test_same_bytes_everywhere(self, source: Path, tmp_path: Path) -> None:
        """Neither the hash seed, the locale nor the line ends of the source have a say."""
        ascii_only = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        runs = {"a": {"PYTHONHASHSEED": "0"}, "b": {"PYTHONHASHSEED": "1"}, "c": ascii_only}
        for name, changes in runs.items():
            for path, here in ((source, name), (SAMPLE, f"{name}-sample")):
                run = gen("-s", path, "-d", here, "--per-operator-headers", "--everything", folder=tmp_path, **changes)
                assert run.returncode == 0
        for path in source.rglob("*"):
            if path.is_file():
                path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        assert gen("-s", source, "-d", "d", "--per-operator-headers", "--everything", folder=tmp_path).returncode == 0
        made = content(tmp_path / "a")
        assert [content(tmp_path / name) == made for name in "bcd"] == [True] * 3
        assert content(tmp_path / "a-sample") == content(tmp_path / "b-sample") == content(tmp_path / "c-sample")
        assert "str mark='red \\\"é\\\"'" in made["RegisterSchema.cpp"].decode("utf-8")
        assert not [name for name, data in made.items() if b"\r" in data or not data.endswith(b"\n")]


class TestWriting:
    def test_a_second_run_changes_nothing(self, source: Path, tmp_path: Path) -> None:
        gen("-s", source, "-d", "out", "--per-operator-headers", folder=tmp_path)
        age(tmp_path / "out")
        again = gen("-s", source, "-d", "out", "--per-operator-headers", folder=tmp_path)
        count = len(ALL + SMALL_OPS)
        assert (again.returncode, again.stdout) == (0, f"{count} files for out: 0 written, {count} unchanged\n")
        assert touched(tmp_path / "out") == []
        write_operators(source, SMALL.replace("force=0.5", "force=0.75"))
        changed = gen("-s", source, "-d", "out", "--per-operator-headers", "-v", folder=tmp_path)
        expected = ["Declarations.yaml", "RedispatchFunctions.h", "RegisterSchema.cpp", "RegistrationDeclarations.h"]
        ends = ("", "_compositeimplicitautograd_dispatch", "_native", "_ops")
        expected += [f"ops/wring{end}.h" for end in ends]
        assert touched(tmp_path / "out") == expected
        shown = changed.stdout.splitlines()
        assert shown[-1] == f"{count} files for out: 8 written, {count - 8} unchanged"
        assert sorted(line for line in shown if line.startswith("changed ")) == [f"changed out/{at}" for at in expected]
        assert len([line for line in shown if line.startswith("unchanged out/")]) == count - 8

    def test_dry_run_touches_nothing(self, source: Path, tmp_path: Path) -> None:
        run = gen("-s", source, "-d", "out", "--headeronly-install-dir", "only", "--dry-run", "-v", folder=tmp_path)
        assert run.returncode == 0
        assert run.stdout.endswith(f"{len(ALL)} files for out: {len(ALL)} would be written, 0 unchanged\n")
        assert "created only/enum_tag.h\n" in run.stdout
        assert sorted(path.name for path in tmp_path.iterdir()) == ["source"]

    def test_check(self, source: Path, tmp_path: Path) -> None:
        missing = gen("-s", source, "-d", "out", "--check", folder=tmp_path)
        assert missing.returncode == 1
        assert missing.stderr.endswith(f"{len(ALL)} of {len(ALL)} files are stale\n")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["source"]
        gen("-s", source, "-d", "out", folder=tmp_path)
        fresh = gen("-s", source, "-d", "out", "--check", folder=tmp_path)
        assert (fresh.returncode, fresh.stdout) == (0, "")
        assert fresh.stderr.endswith(f"{len(ALL)} files are fresh\n")
        write_operators(source, SMALL.replace("depth=1", "depth=2"))
        before = content(tmp_path / "out")
        stale = gen("-s", source, "-d", "out", "--check", "-q", folder=tmp_path)
        assert (stale.returncode, stale.stderr) == (1, "")
        assert "--- out/Functions.h (on disk)\n+++ out/Functions.h (generated)\n" in stale.stdout
        assert "\n-inline at::Tensor soak(const at::Tensor & self, int64_t depth=1) {\n" in stale.stdout
        assert "\n+inline at::Tensor soak(const at::Tensor & self, int64_t depth=2) {\n" in stale.stdout
        assert "core/enum_tag.h" not in stale.stdout
        assert content(tmp_path / "out") == before

    def test_check_in_a_machine_format(self, source: Path, tmp_path: Path) -> None:
        run = gen("-s", source, "-d", "out", "--check", "--format", "json", "--stats", folder=tmp_path)
        assert (run.returncode, json.loads(run.stdout)) == (1, [])
        assert "+++ out/Functions.h (generated)\n" in run.stderr
        assert "compare" in run.stderr

    def test_output_that_cannot_be_written(self, source: Path, tmp_path: Path) -> None:
        (tmp_path / "plain").write_text("", encoding="utf-8")
        run = gen("-s", source, "-d", "plain/out", "-q", folder=tmp_path)
        assert (run.returncode, run.stdout) == (2, "")
        reason = "the folder for this file cannot be made: 'plain' is in the way"
        assert run.stderr == f"opwright gen: plain/out/RegisterCPU_0.cpp: {reason}\n"
        (tmp_path / "out" / "Functions.h").mkdir(parents=True)
        for options in ((), ("--check",)):
            run = gen("-s", source, "-d", "out", "-q", *options, folder=tmp_path)
            assert run.returncode == 2
            assert run.stderr == "opwright gen: out/Functions.h: this is a directory, not a file\n"

    @pytest.mark.skipif(UNBOUND != "", reason=UNBOUND)
    def test_output_folder_that_is_protected(self, source: Path, tmp_path: Path) -> None:
        out = tmp_path / "out"
        out.mkdir(mode=0o500)
        run = gen("-s", source, "-d", "out", "-q", folder=tmp_path)
        assert run.returncode == 2
        assert "out/RegisterCPU_0.cpp: access is denied" in run.stderr


def write_selection(folder: Path, *listed: str) -> None:
    lines = [f"  {name}: {{include_all_overloads: true}}\n" for name in listed]
    (folder / "selection.yaml").write_text("operators:\n" + "".join(lines), encoding="utf-8")


def registered(out: Path) -> list[str]:
    """The operators that RegisterSchema.cpp defines."""
    text = (out / "RegisterSchema.cpp").read_text(encoding="utf-8")
    return [line.split('"')[1].partition("(")[0] for line in text.splitlines() if "m.def(" in line]


class TestSelection:
    def test_whitelist(self, source: Path, tmp_path: Path) -> None:
        whitelist = "--op-registration-whitelist"
        for options, expected in (
            ([whitelist, "aten::dry", "mine::scale"], ["dry", "dry.out", "scale"]),
            ([whitelist], []),
            ([whitelist, "aten::soak", "--force-schema-registration"], ["soak", "wring", "dry", "dry.out", "scale"]),
            ([whitelist, "aten::soak", "--skip-dispatcher-op-registration"], []),
            (["--skip-dispatcher-op-registration", "--force-schema-registration"], []),
        ):
            run = gen("-s", source, "-d", "out", *options, folder=tmp_path)
            assert run.returncode == 0
            assert registered(tmp_path / "out") == expected
            assert b"struct TORCH_API wring" in content(tmp_path / "out")["Operators.h"]

    def test_file(self, source: Path, tmp_path: Path) -> None:
        write_selection(tmp_path, "aten::dry")
        run = gen("-s", source, "-d", "out", "--op-selection-yaml-path", "selection.yaml", folder=tmp_path)
        assert run.returncode == 0
        assert registered(tmp_path / "out") == ["dry", "dry.out"]
        write_selection(tmp_path, "aten::drry")
        run = gen("-s", source, "-d", "out", "--op-selection-yaml-path", "selection.yaml", folder=tmp_path)
        assert run.returncode == 1
        assert "selection.yaml:2:3: error[selection-unknown-operator]" in run.stderr
        assert "did you mean 'aten::dry'?" in run.stderr
        assert registered(tmp_path / "out") == ["dry", "dry.out"]
        run = gen("-s", source, "-d", "out", "--op-selection-yaml-path", "absent.yaml", folder=tmp_path)
        assert run.returncode == 2
        assert "absent.yaml: error[unreadable-file]: there is no such file" in run.stderr

    def test_misuse(self, source: Path, tmp_path: Path) -> None:
        write_selection(tmp_path, "aten::dry")
        listed = ("--op-registration-whitelist", "aten::soka", "dry")
        run = gen("-s", source, "-d", "out", *listed, folder=tmp_path)
        assert (run.returncode, run.stdout) == (2, "")
        assert "there is no operator 'aten::soka'; did you mean 'aten::soak'?" in run.stderr
        assert "'dry' selects nothing" in run.stderr
        both = gen("-s", source, *listed, "--op-selection-yaml-path", "selection.yaml", folder=tmp_path)
        assert both.returncode == 2
        assert both.stderr == (
            "opwright gen: --op-registration-whitelist and --op-selection-yaml-path exclude each other\n"
        )
        assert names(tmp_path) == ["selection.yaml", *(f"source/{name}" for name in names(source))]


class TestRefusedOptions:
    def test_switch_of_another_release(self, source: Path, tmp_path: Path) -> None:
        run = gen("-s", source, "-d", "out", "--xpu", "--release", "2.1", folder=tmp_path)
        assert (run.returncode, run.stderr) == (2, "opwright gen: PyTorch 2.1 has no option --xpu\n")
        assert not (tmp_path / "out").exists()
        run = gen("-s", SAMPLE, "-d", "out", "--xpu", "--mps", "--mtia", folder=tmp_path)
        assert run.returncode == 0


class TestFaults:
    """Nothing is written and the old outputs stay as they are."""

    @pytest.fixture
    def old(self, source: Path, tmp_path: Path) -> dict[str, bytes]:
        assert gen("-s", source, "-d", "out", folder=tmp_path).returncode == 0
        age(tmp_path / "out")
        return content(tmp_path / "out")

    def test_in_the_operators(self, old: dict[str, bytes], source: Path, tmp_path: Path) -> None:
        write_operators(
            source, SMALL.replace("Tensor self, int", "Tensr self, int").replace("autogen: dry", "auto: dry")
        )
        run = gen("-s", source, "-d", "out", folder=tmp_path)
        assert (run.returncode, run.stdout) == (1, "")
        assert "source/native/native_functions.yaml:1:14: error[unknown-type]" in run.stderr
        assert "source/native/native_functions.yaml:7:3: error[unknown-field]" in run.stderr
        assert run.stderr.endswith("nothing was written\n")
        assert content(tmp_path / "out") == old
        assert touched(tmp_path / "out") == []

    def test_in_a_template(self, old: dict[str, bytes], source: Path, tmp_path: Path) -> None:
        path = source / "templates" / "Functions.h"
        path.write_text(path.read_text(encoding="utf-8") + "${Functions_declaration}\n", encoding="utf-8")
        (source / "templates" / "enum_tag.h").rename(source / "templates" / "enum_tags.h")
        run = gen("-s", source, "-d", "out", folder=tmp_path)
        assert run.returncode == 1
        line = path.read_text(encoding="utf-8").count("\n")
        found = f"source/templates/Functions.h:{line}:1: error[template-variable]: Functions.h gives no value for "
        assert f"{found}'Functions_declaration'" in run.stderr
        assert "did you mean 'Functions_declarations'?" in run.stderr
        missing = "source/templates/enum_tag.h: error[template-missing]: the template 'enum_tag.h' cannot be used"
        assert missing in run.stderr
        assert "did you mean 'enum_tags.h'?" in run.stderr
        assert content(tmp_path / "out") == old
        assert touched(tmp_path / "out") == []

    def test_unreadable(self, old: dict[str, bytes], source: Path, tmp_path: Path) -> None:
        native = source / "native" / "native_functions.yaml"
        native.write_bytes(b"\xff\xfe")
        (source / "native" / "tags.yaml").unlink()
        run = gen("-s", source, "-d", "out", folder=tmp_path)
        assert run.returncode == 2
        assert "native_functions.yaml: error[unreadable-file]: this is not UTF-8 text: byte 0" in run.stderr
        assert "tags.yaml: error[unreadable-file]: there is no such file" in run.stderr
        assert content(tmp_path / "out") == old


class TestReports:
    def test_quiet_and_stats(self, source: Path, tmp_path: Path) -> None:
        run = gen("-s", source, "-d", "out", "-q", folder=tmp_path)
        assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
        run = gen("-s", source, "-d", "out", "-q", "--stats", "--force", folder=tmp_path, PYTHONIOENCODING="ascii")
        assert (run.returncode, run.stdout) == (0, "")
        words = {line.strip("│| ").split("  ")[0].strip() for line in run.stderr.splitlines()}
        assert words >= {
            "read",
            "catalog",
            "expand and group",
            "signatures",
            "operators",
            "tensor body",
            "declarations",
            "write",
            "all",
        }
        assert gen("-q", "-v", folder=tmp_path).returncode == 2

    def test_json_is_all_there_is_on_standard_output(self, source: Path, tmp_path: Path) -> None:
        run = gen("-s", source, "-d", "out", "-v", "--stats", "--format", "json", folder=tmp_path)
        assert (run.returncode, json.loads(run.stdout)) == (0, [])
        assert "created out/Functions.h\n" in run.stderr
        assert summary("out", ALL) in run.stderr
        write_operators(source, SMALL.replace("-> Tensor", "-> Tensr"))
        run = gen("-s", source, "-d", "out", "--format", "json", folder=tmp_path)
        assert run.returncode == 1
        assert [item["code"] for item in json.loads(run.stdout)] == ["unknown-type"] * 4
