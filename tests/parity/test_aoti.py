"""The shims of AOT-inductor: headers equal the reference's byte by byte, sources token by token."""

from __future__ import annotations

import re
import runpy
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from opwright.diagnostics import Diagnostics
from opwright.model.aoti import Shim
from opwright.reading import read_model, read_shims
from opwright.releases import find_release
from opwright.releases.release import Release
from tests.parity.checks import check_files, fetched_or_skip, installed_or_skip, run_opwright
from tests.parity.fetch import ALL
from tests.parity.reference import packaged_source, run_torchgen
from tests.parity.subset import write_subset
from tests.shim_forms import listing, operators

UPDATE, EXTEND = "--update-aoti-c-shim", "--extend-aoti-c-shim"
SOURCES = ("--generate", "sources")
EVERY_DEVICE = ("aten", "cpu", "cuda", "mps", "xpu")


def run(source: Path, out: Path, options: Sequence[str]) -> Path:
    """The folder of the shims that Opwright makes."""
    shims = out / "aoti"
    run_opwright(source, out / "install", ["--aoti-install-dir", str(shims), *options])
    return shims


def check(
    expected: Path, actual: Path, devices: Sequence[str] = EVERY_DEVICE, *, has_same_headers: bool = True
) -> None:
    """Compare the shims in two folders, which must be those of `devices`; headers that are checked in by bytes."""
    names = sorted(path.name for path in expected.iterdir())
    assert names == sorted(path.name for path in actual.iterdir())
    assert {name.partition(".")[0] for name in names} == {f"c_shim_{device}" for device in devices}
    check_files(expected, actual, names)
    for name in names:
        if name.endswith(".h") and has_same_headers:
            assert (actual / name).read_bytes() == (expected / name).read_bytes(), name


@pytest.mark.parametrize(
    ("options", "devices"),
    [
        ((UPDATE,), EVERY_DEVICE),
        pytest.param(
            (UPDATE, EXTEND, "--rocm"), EVERY_DEVICE, marks=pytest.mark.thorough
        ),  # also for invented operators
        (("--rocm", "--backend-whitelist", "CPU"), ("aten", "cpu", "cuda")),
    ],
    ids=["update", "extend-rocm", "rocm-whitelist"],
)
def test_packaged_operators(options: Sequence[str], devices: Sequence[str], tmp_path: Path) -> None:
    root = installed_or_skip()
    expected = run_torchgen(root, packaged_source(root), [*SOURCES, *options]) / "aoti"
    check(expected, run(packaged_source(root), tmp_path, [*SOURCES, *options]), devices)


#: The releases with shims of fewer devices than today, and all with shims besides the installed one.
OLDER = {
    **dict.fromkeys(("2.3.1", "2.4.1", "2.5.1"), ("cpu", "cuda")),
    **dict.fromkeys(("2.6.0", "2.7.1"), ("cpu", "cuda", "xpu")),
    "2.8.0": ("cpu", "cuda", "mps", "xpu"),
}
VERSIONS = {version: OLDER.get(version, EVERY_DEVICE) for version in ALL[ALL.index("2.3.1") :] if version != "2.13.0"}
LISTED = [version for version in VERSIONS if version != "2.3.1"]


def fetched(version: str) -> tuple[Path, Release]:
    """The root of a fetched reference, and its release."""
    root, release = fetched_or_skip(version), find_release(version)
    assert release is not None
    return root, release


def options_of(release: Release) -> list[str]:
    """The options that make the headers and the shims of all devices."""
    switches = sorted({key.flag for key in release.keys.values() if key.flag})
    update = [UPDATE] if release.shims.compares_headers else []
    return [*SOURCES, *(f"--{switch}" for switch in switches), *update]


def check_release(version: str, extra: Sequence[str], devices: Sequence[str], folder: Path) -> None:
    """Compare the shims of PyTorch's own operators in a release, with all its devices and the options `extra`."""
    root, release = fetched(version)
    options = [*options_of(release), *extra]
    expected = run_torchgen(root, packaged_source(root), options) / "aoti"
    made = run(packaged_source(root), folder, ["--release", version, *options])
    check(expected, made, devices, has_same_headers=release.shims.compares_headers)


@pytest.mark.parametrize("version", VERSIONS)
def test_packaged_operators_of_releases(version: str, tmp_path: Path) -> None:
    check_release(version, (), VERSIONS[version], tmp_path)


@pytest.mark.parametrize("version", [version for version, devices in VERSIONS.items() if "xpu" in devices])
def test_extensions_of_releases(version: str, tmp_path: Path) -> None:
    check_release(version, (EXTEND, "--rocm"), VERSIONS[version], tmp_path)


@pytest.mark.parametrize(
    ("version", "devices"), [("2.3.1", ("cpu",)), ("2.7.1", ("cpu",)), ("2.8.0", VERSIONS["2.8.0"])]
)
def test_a_choice_of_keys_in_releases(version: str, devices: Sequence[str], tmp_path: Path) -> None:
    check_release(version, ("--backend-whitelist", "CPU"), devices, tmp_path)


@pytest.mark.parametrize("version", LISTED)
def test_list_of_releases(version: str, tmp_path: Path) -> None:
    """The list offers what that of the reference does; those of which the release has no operator do not count."""
    root, release = fetched(version)
    native, faults = packaged_source(root) / "native", Diagnostics()
    model = read_model(native / "native_functions.yaml", native / "tags.yaml", release, faults, frozenset())
    assert model is not None and not faults.has_errors
    listed = read_shims(None, model, faults)
    assert listed is not None and not faults.has_errors
    known = {operator.full_name for operator in model.operators}
    tables = runpy.run_path(str(root / "torchgen" / "aoti" / "fallback_ops.py"))
    for own, name in ((listed.devices, "inductor_fallback_ops"), (listed.aten, "aten_shimified_ops")):
        if name in tables:
            assert {shim.operator.full_name: versions(shim, release) for shim in own} == table(tables[name], known)


Versions = dict[int, tuple[str, list[str]]]


def versions(shim: Shim, release: Release) -> Versions:
    """What guards the versions of an operator, and their new arguments."""
    is_guarded = release.shims.guards_declarations
    return {
        version.number: (version.since if is_guarded else "", sorted(version.new_arguments))
        for version in shim.versions
    }


def table(listed: set[str] | dict[str, dict[str, Any]], known: set[str]) -> dict[str, Versions]:
    """A list of the reference in these terms: a set of names, or what is said of each in either of two ways."""
    found: dict[str, Versions] = {}
    for name in listed:
        entry: dict[str, Any] = listed[name] if isinstance(listed, dict) else {}
        full = name.replace(".", "::", 1).removesuffix(".default")
        if full in known:
            found[full] = {1: (entry.get("since", ""), [])}
            for key, said in entry.items():
                if key != "since":
                    version: dict[str, Any] = {"new_args": said} if isinstance(said, list) else said
                    found[full][int(key[1:])] = (version.get("since", ""), sorted(version["new_args"]))
    return found


#: In every release: a family, an operator that changes, one made of others, and one with optional arguments.
COMMON = """\
- func: blend(Tensor self, Tensor other, *, Scalar weight=1) -> Tensor
  structured_delegate: blend.out
  variants: function, method
- func: blend_(Tensor(a!) self, Tensor other, *, Scalar weight=1) -> Tensor(a!)
  structured_delegate: blend.out
  variants: method
- func: blend.out(Tensor self, Tensor other, *, Scalar weight=1, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: blend_out
- func: settle_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CPU: settle_
    CompositeExplicitAutograd: settle_any_
  autogen: settle, settle.out
- func: made_of_others(Tensor self) -> Tensor
- func: spread(Tensor self, float? rate=None, Device? device=None) -> (Tensor, Tensor)
  dispatch:
    CUDA: spread_cuda
    CompositeExplicitAutograd: spread
- func: linear_backward(Tensor self, int dim) -> (Tensor, Tensor)
  dispatch:
    CompositeExplicitAutograd: linear_backward
"""
#: What a release without versions says of an operator, and one with versions.
SAID = {False: "{}", True: "{v2: {new_args: [device]}}"}


def common(folder: Path, root: Path, *, has_versions: bool) -> tuple[Path, Path]:
    """A source for any release with every form of arguments and returns, and a list of its operators.

    In releases without a list only kernels of a dispatch key have shims, so operators that change nothing have one.
    """
    source, listed = invented(folder, root)
    kernel = r"\1 -> Tensor\n  dispatch: {CompositeExplicitAutograd: any}\n"
    text = COMMON + re.sub(r"^(- func: argument[^!\n]*) -> \(\)\n", kernel, operators(), flags=re.MULTILINE)
    (source / "native" / "native_functions.yaml").write_text(text, encoding="utf-8")
    entries = listing(text).replace("spread: {}", f"spread: {SAID[has_versions]}")
    listed.write_text(f"devices:\n{entries}aten:\n{entries}", encoding="utf-8")
    return source, listed


# The reference of 2.15 wants kernels that only PyTorch's own operators have.
@pytest.mark.parametrize("version", [version for version in LISTED if version != "2.15.0"])
def test_invented_operators_of_releases(version: str, tmp_path: Path) -> None:
    root, release = fetched(version)
    source, listed = common(tmp_path, root, has_versions="mps" in VERSIONS[version])
    expected = run_torchgen(root, source, options_of(release), shim_list=listed) / "aoti"
    made = run(source, tmp_path / "out", ["--release", version, *options_of(release), "--aoti-ops", str(listed)])
    check(expected, made, VERSIONS[version])


def test_invented_operators_of_a_release_without_a_list(tmp_path: Path) -> None:
    root, release = fetched("2.3.1")
    source, _ = common(tmp_path, root, has_versions=False)
    expected = run_torchgen(root, source, options_of(release)) / "aoti"
    made = run(source, tmp_path / "out", ["--release", "2.3.1", *options_of(release)])
    check(expected, made, VERSIONS["2.3.1"], has_same_headers=False)


def test_headers_of_the_wheel(tmp_path: Path) -> None:
    """The headers inside the installed torch come from its official build."""
    root = installed_or_skip()
    wheel = root / "torch" / "include" / "torch" / "csrc" / "inductor" / "aoti_torch" / "generated"
    headers = sorted(wheel.glob("*.h"))
    assert [path.stem for path in headers] == [f"c_shim_{device}" for device in EVERY_DEVICE]
    made = run(packaged_source(root), tmp_path, [*SOURCES, UPDATE])
    for path in headers:
        assert (made / path.name).read_bytes() == path.read_bytes(), path.name


def invented(folder: Path, root: Path) -> tuple[Path, Path]:
    """A source and a list with every form of argument and return, and every way to a kernel."""
    source, listed = folder / "source", folder / "list.yaml"
    (source / "native").mkdir(parents=True)
    shutil.copytree(packaged_source(root) / "templates", source / "templates")
    shutil.copyfile(packaged_source(root) / "native" / "tags.yaml", source / "native" / "tags.yaml")
    (source / "native" / "native_functions.yaml").write_text(OPERATORS + operators(), encoding="utf-8")
    listed.write_text(LIST.format(forms=listing(operators())), encoding="utf-8")
    return source, listed


OPERATORS = """\
- func: blend(Tensor self, Tensor other, *, Scalar weight=1) -> Tensor
  structured_delegate: blend.out
  variants: function, method
- func: blend_(Tensor(a!) self, Tensor other, *, Scalar weight=1) -> Tensor(a!)
  structured_delegate: blend.out
  variants: method
- func: blend.out(Tensor self, Tensor other, *, Scalar weight=1, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: blend_out
    MPS: blend_out_mps
- func: grow(Tensor self, SymInt[] size, float? rate=None, int[2] steps=[1,2], str mode='it\\'s "odd"', *, \
Device? device=None, bool exact=False) -> (Tensor, Tensor)
  dispatch:
    CUDA: grow_cuda
    CompositeExplicitAutograd: grow
- func: stepped(Tensor self, SymInt n) -> Tensor
  variants: method
- func: nowhere(Tensor self) -> Tensor
  dispatch:
    QuantizedCPU: nowhere
- func: copied(Tensor self, SymInt n) -> Tensor
  dispatch:
    CPU: copied_cpu
  autogen: copied.out
- func: stored(Tensor self, Storage source) -> Tensor
- func: linear_backward(Tensor self, int dim) -> (Tensor, Tensor)
  dispatch:
    XPU: linear_backward
    CompositeExplicitAutograd: linear_backward_any
- func: mine::tilt(Tensor self) -> Tensor
"""
LIST = """\
devices:
  aten::blend: {{since: TORCH_VERSION_2_10_0}}
  aten::blend_: {{}}
  aten::blend.out: {{}}
  aten::grow:
    v3: {{new_args: [steps, device], since: TORCH_VERSION_2_13_0}}
    v2: {{new_args: [rate, mode]}}
    since: TORCH_VERSION_2_9_1
  aten::nowhere: {{}}
  aten::copied: {{}}
  aten::copied.out: {{}}
  aten::stored: {{}}
  aten::linear_backward: {{v2: {{new_args: []}}}}
  mine::tilt: {{}}
{forms}aten:
  aten::blend.out: {{}}
  aten::stepped: {{}}
  mine::tilt: {{}}
{forms}"""  # fmt: skip


@pytest.mark.parametrize("options", [(UPDATE,), (UPDATE, EXTEND)], ids=["plain", "extend"])
def test_invented_operators(options: Sequence[str], tmp_path: Path) -> None:
    root = installed_or_skip()
    source, listed = invented(tmp_path, root)
    expected = run_torchgen(root, source, [*SOURCES, *options], shim_list=listed) / "aoti"
    check(expected, run(source, tmp_path / "out", [*SOURCES, *options, "--aoti-ops", str(listed)]))


def test_part_of_the_operators(tmp_path: Path) -> None:
    """Many real operators, which are in no list of a release."""
    root = installed_or_skip()
    source = write_subset(packaged_source(root), tmp_path / "source", 150, seed=5)
    text = (source / "native" / "native_functions.yaml").read_text(encoding="utf-8")
    listed = tmp_path / "list.yaml"
    listed.write_text(f"devices:\n{listing(text)}aten:\n{listing(text)}", encoding="utf-8")
    expected = run_torchgen(root, source, [*SOURCES, UPDATE], shim_list=listed) / "aoti"
    check(expected, run(source, tmp_path / "out", [*SOURCES, UPDATE, "--aoti-ops", str(listed)]))


def test_empty_list(tmp_path: Path) -> None:
    root = installed_or_skip()
    source, listed = invented(tmp_path, root)
    listed.write_text("devices: {}\naten: {}\n", encoding="utf-8")
    expected = run_torchgen(root, source, [*SOURCES, UPDATE], shim_list=listed) / "aoti"
    check(expected, run(source, tmp_path / "out", [*SOURCES, UPDATE, "--aoti-ops", str(listed)]))
