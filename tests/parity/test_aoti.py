"""The shims of AOT-inductor: headers equal the reference's byte by byte, sources token by token."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.parity.checks import check_files, installed_or_skip, run_opwright
from tests.parity.reference import packaged_source, run_torchgen
from tests.parity.subset import write_subset
from tests.releases import SAMPLES
from tests.shim_forms import listing, operators

UPDATE, EXTEND = "--update-aoti-c-shim", "--extend-aoti-c-shim"
SOURCES = ("--generate", "sources")
EVERY_DEVICE = ("aten", "cpu", "cuda", "mps", "xpu")


def run(source: Path, out: Path, options: Sequence[str]) -> Path:
    """The folder of the shims that Opwright makes."""
    shims = out / "aoti"
    run_opwright(source, out / "install", ["--aoti-install-dir", str(shims), *options])
    return shims


def check(expected: Path, actual: Path, devices: Sequence[str] = EVERY_DEVICE) -> None:
    """Compare the shims in two folders, which must be those of `devices`."""
    names = sorted(path.name for path in expected.iterdir())
    assert names == sorted(path.name for path in actual.iterdir())
    assert {name.partition(".")[0] for name in names} == {f"c_shim_{device}" for device in devices}
    check_files(expected, actual, [name for name in names if name.endswith(".cpp")])
    for name in names:
        if name.endswith(".h"):
            assert (actual / name).read_bytes() == (expected / name).read_bytes(), name


@pytest.mark.parametrize(
    ("options", "devices"),
    [
        ((UPDATE,), EVERY_DEVICE),
        ((UPDATE, EXTEND, "--rocm"), EVERY_DEVICE),
        (("--rocm", "--backend-whitelist", "CPU"), ("aten", "cpu", "cuda")),
    ],
    ids=["update", "extend-rocm", "rocm-whitelist"],
)
def test_packaged_operators(options: Sequence[str], devices: Sequence[str], tmp_path: Path) -> None:
    root = installed_or_skip()
    expected = run_torchgen(root, packaged_source(root), [*SOURCES, *options]) / "aoti"
    check(expected, run(packaged_source(root), tmp_path, [*SOURCES, *options]), devices)


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
{forms}optional_returns: [linear_backward]
"""  # fmt: skip


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
    assert SAMPLES.shim_list is not None
    returns = SAMPLES.shim_list.read_text(encoding="utf-8").partition("optional_returns:")[2]
    sections = f"devices:\n{listing(text)}aten:\n{listing(text)}optional_returns:{returns}"
    listed.write_text(sections, encoding="utf-8")
    expected = run_torchgen(root, source, [*SOURCES, UPDATE], shim_list=listed) / "aoti"
    check(expected, run(source, tmp_path / "out", [*SOURCES, UPDATE, "--aoti-ops", str(listed)]))


def test_empty_list(tmp_path: Path) -> None:
    root = installed_or_skip()
    source, listed = invented(tmp_path, root)
    listed.write_text("devices: {}\naten: {}\n", encoding="utf-8")
    expected = run_torchgen(root, source, [*SOURCES, UPDATE], shim_list=listed) / "aoti"
    check(expected, run(source, tmp_path / "out", [*SOURCES, UPDATE, "--aoti-ops", str(listed)]))
