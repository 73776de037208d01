"""The operators and tags of releases, as the package has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from opwright.diagnostics import Diagnostics
from opwright.reading import read_model
from opwright.releases import NAMES
from opwright.releases.operators import DATA, native_functions_yaml, read_facts, tags_yaml
from opwright.releases.release import Release
from tests.releases import RELEASES


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
def test_the_operators_of_a_release_are_without_fault(release: Release, tmp_path: Path) -> None:
    native, tags = tmp_path / "native_functions.yaml", tmp_path / "tags.yaml"
    native.write_text(native_functions_yaml(release.name), encoding="utf-8")
    tags.write_text(tags_yaml(release.name), encoding="utf-8")
    faults = Diagnostics()
    model = read_model(native, tags, release, faults)
    assert not faults.items
    assert model is not None
    assert len(model.operators) > 2490


def test_an_entry_has_all_its_fields_and_nothing_else() -> None:
    assert """\
- func: sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  device_check: NoCheck
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU, CUDA, MPS: sigmoid_out
  tags: pointwise
- func: logit(""" in native_functions_yaml("2.10")


def test_a_tag_has_a_description_that_is_not_that_of_pytorch() -> None:
    assert "- tag: core\n  desc: A tag of PyTorch 2.10.\n" in tags_yaml("2.10")
    assert "- tag: reduction\n" in tags_yaml("2.10")
    assert tags_yaml("2.15").endswith("\n- tag: out_variant\n  desc: A tag of PyTorch 2.15.\n")
    assert "- tag: reduction\n" not in tags_yaml("2.9")


def test_the_state_without_a_wheel_has_the_operators_before_it() -> None:
    assert native_functions_yaml("2.1.0a0") == native_functions_yaml("2.0")
    assert tags_yaml("2.1.0a0").replace("2.1.0a0", "2.0") == tags_yaml("2.0")


def test_there_are_facts_about_each_release_and_the_one_before() -> None:
    assert read_facts().releases == ("1.13", *[name for name in NAMES if name != "2.1.0a0"])
    with pytest.raises(ValueError):
        native_functions_yaml("1.12")


def test_the_facts_are_small() -> None:
    assert DATA.stat().st_size < 150_000


def test_the_license_of_the_facts_is_beside_them() -> None:
    text = DATA.with_name("LICENSE.pytorch").read_text(encoding="utf-8")
    assert text.startswith("From PyTorch:\n")
    assert "Redistribution and use in source and binary forms" in text
