"""Releases: how they are named, and what differs between them."""

from __future__ import annotations

import pytest

from opwright.releases import NAMES, NEWEST, find_release
from opwright.releases.release import Release
from tests.releases import RELEASES


def release(name: str) -> Release:
    found = find_release(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("version", "name"),
    [
        ("2.13", "2.13"),
        ("2.13.0", "2.13"),
        ("2.13.1", "2.13"),
        ("2.13.0a0+git12ab34c", "2.13"),
        ("2.13.0+cpu", "2.13"),
        ("2.13.0.dev20260101", "2.13"),
        ("2.1", "2.1"),
        ("2.1.2+cu118", "2.1"),
        ("2.0.1", "2.0"),
    ],
)
def test_find_release(version: str, name: str) -> None:
    assert release(version).name == name


@pytest.mark.parametrize("version", ["", "2", "1.13", "3.0", "2.99", "v2.13", "two", "2.130"])
def test_unknown_release(version: str) -> None:
    assert find_release(version) is None


def test_order() -> None:
    numbers = [tuple(int(part) for part in name.split(".")) for name in NAMES if name != "2.1.0a0"]
    assert numbers == [(2, minor) for minor in range(16)]
    assert NAMES[NAMES.index("2.1") - 1] == "2.1.0a0"
    assert NAMES[-1] == NEWEST


@pytest.mark.parametrize(("name", "supported"), [("2.0", 21), ("2.1", 21), ("2.13", 30)])
def test_supported_keys(name: str, supported: int) -> None:
    assert sum(key.is_supported for key in release(name).keys.values()) == supported


@pytest.mark.parametrize("item", RELEASES, ids=lambda item: item.name)
def test_keys(item: Release) -> None:
    assert all(name == key.name for name, key in item.keys.items())
    assert all(target in item.keys for target in item.key_aliases.values())
    assert {key.name for key in item.keys.values() if key.is_composite} == {
        "CompositeImplicitAutograd",
        "CompositeImplicitAutogradNestedTensor",
        "CompositeExplicitAutograd",
        "CompositeExplicitAutogradNonFunctional",
    }
    assert all(key.is_supported for key in item.keys.values() if key.is_structured or key.flag)


def test_keys_of_each_release() -> None:
    names = {item.name: set(item.keys) for item in RELEASES}
    assert "MTIA" not in names["2.0"] and "MTIA" in names["2.1"]
    assert "ORT" in names["2.1"] and "ORT" not in names["2.13"] and "MAIA" in names["2.13"]
    assert "SparseCsrXPU" not in names["2.1"] and "SparseCsrXPU" in names["2.13"]
    assert {key.name for key in release("2.1").keys.values() if key.is_structured} == {"CPU", "CUDA", "MPS"}
    assert {key.name for key in release("2.13").keys.values() if key.is_structured} == {
        "CPU", "CUDA", "MPS", "XPU", "MTIA",
    }  # fmt: skip


def test_flags() -> None:
    assert {key.name: key.flag for key in release("2.1").keys.values() if key.flag} == {"MPS": "mps"}
    assert {key.name: key.flag for key in release("2.13").keys.values() if key.flag} == {
        "MPS": "mps", "SparseMPS": "mps", "SparseCsrMPS": "mps", "XPU": "xpu", "MTIA": "mtia",
    }  # fmt: skip


def test_base_types() -> None:
    types = {item.name: set(item.base_types) for item in RELEASES}
    assert types["2.1"] - types["2.0"] == {"DeviceIndex"}
    assert types["2.13"] - types["2.1"] == {"SymBool", "GraphModule"}
    assert types["2.1"] - types["2.13"] == {"Dimname", "ConstQuantizerPtr"}


def test_scalar_types() -> None:
    counts = {item.name: len(item.scalar_types) for item in RELEASES}
    assert (counts["2.0"], counts["2.1"], counts["2.13"]) == (13, 15, 18)


def test_lists_of_operators() -> None:
    old, middle, new = (release(name).lists for name in ("2.0", "2.1", "2.13"))
    assert old.functional_without_out - middle.functional_without_out == {"_nested_tensor_offsets"}
    assert len(new.functional_without_out) == 38
    assert middle.not_functionalized - old.not_functionalized == {"resize_as_", "_fill_mem_eff_dropout_mask_"}
    assert len(new.not_functionalized) == 10
    assert [len(lists.unused_autogen) for lists in (old, middle, new)] == [15, 14, 13]
    assert new.unused_autogen - middle.unused_autogen == {"_upsample_lanczos2d_aa.vec_out"}
    assert not old.keyword_arguments and len(new.keyword_arguments) == 3


def test_facts() -> None:
    old, middle, new = (release(name) for name in ("2.0", "2.1", "2.13"))
    assert (old.symint_returns, middle.symint_returns) == (True, False)
    assert (old.dropout_arguments, middle.dropout_arguments) == (False, True)
    assert (middle.mutable_is_base, new.mutable_is_base) == (False, True)
    assert (middle.returns_optional_tensor, new.returns_optional_tensor) == (False, True)
    assert middle.implied_tags == frozenset()
    assert new.implied_tags == {"pt2_compliant_tag", "out", "inplace"}
    assert (middle.spelling.optional, new.spelling.optional) == ("c10::optional", "::std::optional")
