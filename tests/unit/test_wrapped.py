"""Which operators get a wrapper under which dispatch key: every row of the table of spec 08 section 9.1."""

from __future__ import annotations

import pytest

from opwright.artifacts.wrapped import KernelIndex, WrappedKey
from opwright.releases.devices import NO_DEVICE
from tests.releases import SAMPLES
from tests.written import entry, model_of

#: Keys that are mentioned by operators that nothing else is asked about.
MENTIONED = entry("mention(Tensor self) -> Tensor", "dispatch: {Meta: k, CompositeExplicitAutogradNonFunctional: k}")
NON_FUNCTIONAL = "CompositeExplicitAutogradNonFunctional"


def under(key: str, text: str, *, mentions: bool = True, is_compat: bool = True) -> WrappedKey:
    """What there is under a key for these operators, beside one that mentions keys."""
    model = model_of(text + MENTIONED * mentions)
    return KernelIndex(model, is_compat=is_compat).under(SAMPLES.keys[key])


def wrapped(key: str, text: str, *, mentions: bool = True, is_compat: bool = True) -> list[str]:
    """The operators with a wrapper under a key, in order."""
    groups = under(key, text, mentions=mentions, is_compat=is_compat).groups
    return [operator.name.text for group in groups for operator in group.members if group.root != "mention"]


def single(dispatch: str, *lines: str) -> str:
    return entry("soak(Tensor self) -> Tensor", *([f"dispatch: {{{dispatch}}}"] if dispatch else []), *lines)


class TestPlainOperators:
    def test_a_kernel_makes_a_wrapper(self) -> None:
        text = single("CPU: soak, SparseCPU: soak_sparse")
        assert wrapped("CPU", text) == wrapped("SparseCPU", text) == ["soak"]
        assert wrapped("CUDA", text) == wrapped("Meta", text) == []

    def test_without_a_dispatch_table_the_kernel_is_composite(self) -> None:
        assert wrapped("CompositeImplicitAutograd", single("")) == ["soak"]
        assert wrapped("CPU", single("")) == []

    def test_kernels_that_are_registered_by_hand_get_none(self) -> None:
        text = single("", "manual_kernel_registration: True")
        found = under("CompositeImplicitAutograd", text)
        assert [group.members for group in found.groups] == [()]

    def test_each_member_of_a_group_has_its_own_keys(self) -> None:
        text = single("CPU: soak") + entry(
            "soak.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "dispatch: {CPU: soak_out, CUDA: soak_out}"
        )
        assert wrapped("CPU", text) == ["soak", "soak.out"]
        assert wrapped("CUDA", text) == ["soak.out"]

    def test_members_come_in_one_order(self) -> None:
        """Functional, out, in-place, mutable, whatever the order of the entries."""
        kernel = "dispatch: {CPU: k}"
        text = entry("soak_(Tensor(a!) self) -> Tensor(a!)", kernel)
        text += entry("soak.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kernel)
        text += entry("soak(Tensor self) -> Tensor", kernel)
        assert wrapped("CPU", text) == ["soak", "soak.out", "soak_"]

    def test_generated_variants_have_a_composite_kernel(self) -> None:
        text = entry("soak_(Tensor(a!) self) -> Tensor(a!)", "dispatch: {CPU: soak_}", "autogen: soak, soak.out")
        assert wrapped("CompositeExplicitAutograd", text) == ["soak", "soak.out"]


class TestMetaStubs:
    @staticmethod
    def inplace(dispatch: str) -> str:
        """An in-place operator and the rest of its group, which has a kernel for the CPU."""
        kernel = "dispatch: {CPU: k}"
        return (
            entry("soak(Tensor self) -> Tensor", kernel)
            + entry("soak.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kernel)
            + entry("soak_(Tensor(a!) self) -> Tensor(a!)", f"dispatch: {{{dispatch}}}")
        )

    def test_an_inplace_operator_without_a_composite_kernel_gets_one(self) -> None:
        assert wrapped("Meta", self.inplace("CPU: soak_")) == ["soak_"]
        assert wrapped("CUDA", self.inplace("CPU: soak_")) == []

    @pytest.mark.parametrize(
        "key", ["CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional"]
    )
    def test_a_composite_kernel_serves_meta(self, key: str) -> None:
        assert wrapped("Meta", self.inplace(f"CPU: soak_, {key}: k")) == []

    def test_its_own_kernel_comes_first(self) -> None:
        found = under("Meta", self.inplace("CPU: soak_, Meta: soak_meta_"))
        assert [kernel.name for operator, kernel in found.kernels.items() if operator.name.text == "soak_"] == [
            "soak_meta_"
        ]
        assert wrapped("Meta", self.inplace("CPU: soak_, Meta: soak_meta_")) == ["soak_"]

    def test_lists_return_nothing_and_get_none(self) -> None:
        text = entry("_soak_(Tensor(a!)[] self) -> ()", "dispatch: {CPU: k}", "autogen: _soak, _soak.out")
        assert wrapped("Meta", text) == []

    def test_other_operators_that_write_get_none(self) -> None:
        kernel = "dispatch: {CPU: k}"
        text = entry("soak(Tensor self, Tensor(a!) w) -> Tensor", kernel, "autogen: soak_functional, soak.out")
        assert wrapped("Meta", text) == []

    def test_registered_by_hand(self) -> None:
        text = entry("soak_(Tensor(a!) self) -> Tensor(a!)", "manual_kernel_registration: True")
        assert wrapped("Meta", text) == []


class TestStructuredGroups:
    TEXT = (
        entry(
            "soak(Tensor self) -> Tensor",
            "structured_delegate: soak.out",
            "dispatch: {SparseCPU: soak_sparse, ZeroTensor: soak_zero}",
        )
        + entry("soak_(Tensor(a!) self) -> Tensor(a!)", "structured_delegate: soak.out")
        + entry(
            "soak.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
            "structured: True",
            "dispatch: {CPU: soak_out, SparseCPU: soak_out_sparse}",
        )
    )

    @pytest.mark.parametrize(
        ("key", "members", "is_structured"),
        [
            ("CPU", ["soak", "soak.out", "soak_"], True),
            ("Meta", ["soak", "soak.out", "soak_"], True),
            (NON_FUNCTIONAL, ["soak", "soak_"], True),
            ("SparseCPU", ["soak", "soak.out"], False),
            ("ZeroTensor", ["soak"], False),
            ("CUDA", [], None),
        ],
    )
    def test_rows(self, key: str, members: list[str], is_structured: bool | None) -> None:
        assert wrapped(key, self.TEXT) == members
        kinds = {group.is_structured for group in under(key, self.TEXT).groups if group.root == "soak"}
        assert kinds == (set() if is_structured is None else {is_structured})

    @pytest.mark.parametrize("key", ["Meta", NON_FUNCTIONAL])
    def test_a_key_that_no_operator_mentions_has_nothing(self, key: str) -> None:
        found = under(key, self.TEXT, mentions=False)
        assert (found.is_seen, found.groups, found.device) == (False, (), NO_DEVICE)

    @pytest.mark.parametrize("key", ["Meta", NON_FUNCTIONAL])
    def test_unless_the_operators_have_a_namespace_of_their_own(self, key: str) -> None:
        """A small library would not think of mentioning them; torchgen makes it."""
        text = self.TEXT.replace("func: ", "func: mine::")
        assert wrapped(key, text, mentions=False) == []
        assert wrapped(key, text, mentions=False, is_compat=False) == wrapped(key, text)
        assert wrapped(key, self.TEXT, mentions=False, is_compat=False) == []

    def test_stubs_need_a_mention_too(self) -> None:
        text = TestMetaStubs.inplace("CPU: soak_")
        assert wrapped("Meta", text, mentions=False) == []
        assert wrapped("Meta", text) == ["soak_"]

    def test_a_device_belongs_to_a_key_that_is_mentioned(self) -> None:
        assert under("CPU", self.TEXT).device is SAMPLES.keys["CPU"].device
        assert under("MkldnnCPU", self.TEXT).device is NO_DEVICE


def test_groups_come_in_model_order() -> None:
    """Also those that have no kernel under the key, but one that is made of the meta function."""
    structured = TestStructuredGroups.TEXT
    text = structured.replace("soak", "first") + single("Meta: soak") + structured.replace("soak", "last")
    groups = under("Meta", text).groups
    assert [group.root for group in groups] == ["first", "soak", "last", "mention"]
