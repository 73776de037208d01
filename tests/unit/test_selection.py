"""What a selection answers (spec 05 section 6.1), however it was made."""

from __future__ import annotations

from opwright.diagnostics import Diagnostics
from opwright.model.context import Context
from opwright.model.selection import SelectedOperator, Selection, check_whitelist, read_selection
from opwright.source import Source
from opwright.syntax.yaml_reading import read_yaml
from tests.releases import SAMPLES

KNOWN = ("aten::add.Tensor", "aten::add.Scalar", "aten::add_.Tensor", "aten::blend", "aten::blend.out", "mine::tilt")


def read(text: str) -> Selection:
    faults = Diagnostics()
    root = read_yaml(Source("selection.yaml", text), faults)
    assert root is not None
    selection = read_selection(root, Context(SAMPLES, faults), None)
    assert not faults.items
    return selection


class TestOperators:
    def test_an_overload_alone(self) -> None:
        selection = read("operators: {'aten::add.Tensor': {}}")
        assert selection.is_selected("aten::add.Tensor")
        assert not selection.is_selected("aten::add.Scalar")
        assert not selection.is_selected("aten::add")

    def test_a_name_stands_for_its_overloads(self) -> None:
        selection = read("operators: {'aten::add': {}}")
        assert all(selection.is_selected(name) for name in ("aten::add", "aten::add.Tensor", "aten::add.out"))
        assert not selection.is_selected("aten::add_")
        assert not selection.is_selected("aten::add_.Tensor")
        assert not selection.is_selected("mine::add")

    def test_a_name_without_its_overloads(self) -> None:
        selection = read("operators: {'aten::add': {include_all_overloads: false}}")
        assert selection.is_selected("aten::add")
        assert not selection.is_selected("aten::add.Tensor")

    def test_an_overload_does_not_stand_for_others(self) -> None:
        assert not read("operators: {'aten::add.Tensor': {}}").is_selected("aten::add.Tensor.more")

    def test_everything(self) -> None:
        for selection in (read("include_all_operators: yes"), read("include_all_operators: true")):
            assert selection.selects_everything
            assert selection.is_selected("aten::add")

    def test_nothing(self) -> None:
        for selection in (read("{}"), read("operators: {}"), Selection.of_names([])):
            assert not selection.selects_everything
            assert not selection.is_selected("aten::add")


def test_default_of_an_operator() -> None:
    assert read("operators: {'aten::add': {}}").operators["aten::add"].include_all_overloads


class TestWhitelist:
    def test_names_stand_for_their_overloads(self) -> None:
        selection = Selection.of_names(["aten::add", "aten::blend.out"])
        assert selection.is_selected("aten::add.Tensor")
        assert selection.is_selected("aten::blend.out")
        assert not selection.is_selected("aten::blend")
        assert isinstance(selection.operators["aten::add"], SelectedOperator)

    def test_names_that_exist(self) -> None:
        assert check_whitelist(["aten::add", "aten::add.Tensor", "aten::blend", "mine::tilt"], KNOWN, "2.13") == []

    def test_a_name_that_does_not_exist(self) -> None:
        assert check_whitelist(["aten::blnd", "aten::blnd"], KNOWN, "2.13") == [
            "there is no operator 'aten::blnd'; did you mean 'aten::blend'?"
        ]
        assert check_whitelist(["aten::add.Tensr"], KNOWN, "2.13") == [
            "there is no operator 'aten::add.Tensr'; did you mean 'aten::add.Tensor'?"
        ]
        assert check_whitelist(["aten::zzzzzz"], KNOWN, "2.13") == ["there is no operator 'aten::zzzzzz'"]

    def test_a_namespace_that_does_not_exist(self) -> None:
        assert check_whitelist(["atn::blend"], KNOWN, "2.13") == [
            "there is no operator 'atn::blend'; did you mean 'aten::blend'?"
        ]

    def test_a_name_without_namespace(self) -> None:
        message = "'tilt' selects nothing: the names of operators are given with their namespace"
        assert check_whitelist(["tilt"], KNOWN, "2.13") == [f"{message}; did you mean 'mine::tilt'?"]

    def test_an_operator_of_another_library_is_passed_over(self) -> None:
        assert check_whitelist(["prim::ListConstruct", "quantized::linear"], KNOWN, "2.13") == []
