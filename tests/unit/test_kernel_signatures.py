"""The conventions of kernels: native functions, meta and impl functions of structured kernels, inner loops."""

from __future__ import annotations

import pytest

from opwright.signatures.bindings import Binding
from opwright.signatures.facts import FactTable
from opwright.signatures.native import NativeSignature, native_name
from opwright.signatures.structured import precomputed_arguments
from opwright.signatures.ufunc import COMPUTE, ELEMENT, VECTOR, functor_arguments
from tests.releases import SAMPLES
from tests.written import entry, first_group, model_of, operator_named

OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"


def native(text: str, name: str, *, symint: bool = False) -> NativeSignature:
    """The signature of the kernels of the operator with that name."""
    model = model_of(text)
    return FactTable(model.operators, SAMPLES).native(operator_named(name, model), symint)


class TestNative:
    def test_defaults_are_those_of_the_schema(self) -> None:
        text = entry(
            "peel(Tensor self, int[1] dim=0, *, float rate=1e-05) -> Tensor",
            "cpp_no_default_args: ['dim']",
            "dispatch: {CPU: peel}",
        )
        found = native(text, "peel")
        assert found.declarations == "const at::Tensor & self, at::IntArrayRef dim=0, double rate=1e-05"
        assert found.definitions == "const at::Tensor & self, at::IntArrayRef dim, double rate"
        assert found.returns == "at::Tensor"

    def test_symbolic_integers_are_a_choice_of_the_kernel(self) -> None:
        text = entry("peel(Tensor self, SymInt[2] margin=1, SymInt? offset=None) -> Tensor", "dispatch: {CPU: peel}")
        plain, symbolic = native(text, "peel"), native(text, "peel", symint=True)
        assert plain.declarations == (
            "const at::Tensor & self, at::IntArrayRef margin=1, ::std::optional<int64_t> offset=::std::nullopt"
        )
        assert symbolic.declarations == (
            "const at::Tensor & self, c10::SymIntArrayRef margin=c10::SymInt(1), "
            "::std::optional<c10::SymInt> offset=::std::nullopt"
        )

    def test_out_arguments_are_last_and_leave_no_defaults(self) -> None:
        returns = "(Tensor(a!) low, Tensor(b!) high)"
        text = entry("ends(Tensor self, int dim=0) -> (Tensor low, Tensor high)", "dispatch: {CPU: ends}")
        text += entry(
            f"ends.out(Tensor self, int dim=0, *, Tensor(a!) low, Tensor(b!) high) -> {returns}",
            "dispatch: {CPU: ends_out}",
        )
        assert native(text, "ends.out").declarations == (
            "const at::Tensor & self, int64_t dim, at::Tensor & low, at::Tensor & high"
        )

    def test_optional_tensor_options_have_a_default_even_where_the_schema_has_none(self) -> None:
        rest = "Layout layout, Device? device, bool pin_memory=False"
        text = entry(f"like(Tensor self, *, ScalarType? dtype, {rest}) -> Tensor", "dispatch: {CPU: like}")
        options = (
            "::std::optional<at::ScalarType> dtype={}, at::Layout layout, ::std::optional<at::Device> device={}, "
            "bool pin_memory=false"
        )
        assert native(text, "like").declarations == f"const at::Tensor & self, {options}"

    def test_tensor_options_are_four_arguments_without_their_values(self) -> None:
        rest = "Layout? layout=None, Device? device=None, bool? pin_memory=None, bool clear=True"
        text = entry(f"ramp(Scalar end, *, ScalarType? dtype=long, {rest}) -> Tensor", "dispatch: {CPU: ramp}")
        assert native(text, "ramp").declarations == (
            "const at::Scalar & end, ::std::optional<at::ScalarType> dtype={}, ::std::optional<at::Layout> layout={}, "
            "::std::optional<at::Device> device={}, ::std::optional<bool> pin_memory={}, bool clear=true"
        )

    def test_pointer_names_the_parameters(self) -> None:
        text = entry("front(Tensor(a) self, int count=1) -> Tensor(a)")
        assert native(text, "front").pointer == "at::Tensor (*)(const at::Tensor & self, int64_t count)"

    def test_mutable_tensors_as_const_references(self) -> None:
        text = entry("grow_(Tensor(a!) self) -> Tensor(a!)", "use_const_ref_for_mutable_tensors: True")
        assert native(text, "grow_").declarations == "const at::Tensor & self"

    @pytest.mark.parametrize(
        ("func", "expected"),
        [
            ("soak(Tensor self) -> Tensor", "soak"),
            ("soak.angle(Tensor self) -> Tensor", "soak_angle"),
            ("soak_.angle(Tensor(a!) self) -> Tensor(a!)", "soak__angle"),
            ("__iadd__.angle(Tensor(a!) self) -> Tensor(a!)", "__iadd___angle"),
            ("soak.o(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "soak_out_o"),
        ],
    )
    def test_names(self, func: str, expected: str) -> None:
        model = model_of(entry("soak(Tensor self) -> Tensor") * (".o(" in func) + entry(func))
        assert native_name(model.operators[-1]) == expected


def structured_pair(arguments: str, *lines: str) -> str:
    """A structured group of two, the out variant with further lines."""
    own = lines or ("dispatch: {CPU: k}",)
    separator = ", " if " *," in arguments else ", *, "
    return entry(
        f"soak({arguments}) -> Tensor", "structured_delegate: soak.out", "tags: nondeterministic_seeded"
    ) + entry(
        f"soak.out({arguments}{separator}Tensor(a!) out) -> Tensor(a!)",
        "structured: True",
        "tags: nondeterministic_seeded",
        *own,
    )


def structured(arguments: str, *lines: str) -> tuple[str, str, str]:
    """The parameters of `meta`, those of `impl`, and what is precomputed."""
    model = model_of(structured_pair(arguments, *lines))
    convention, group = FactTable(model.operators, SAMPLES).structured, first_group(model)
    precomputed = convention.bindings(precomputed_arguments(group.out.precomputed))
    return joined(convention.meta(group)), joined(convention.impl(group, group.out.precomputed)), joined(precomputed)


def joined(bindings: tuple[Binding, ...]) -> str:
    return ", ".join([binding.declaration for binding in bindings])


class TestStructured:
    @pytest.mark.parametrize(
        ("type", "expected"),
        [
            ("Tensor", "const at::Tensor &"),
            ("Tensor?", "at::OptionalTensorRef"),
            ("Tensor[]", "const at::ITensorListRef &"),
            ("Tensor[2]", "const at::ITensorListRef &"),
            ("Tensor?[]", "at::IOptTensorListRef"),
            ("Scalar", "const at::Scalar &"),
            ("Scalar?", "at::OptionalScalarRef"),
            ("int", "int64_t"),
            ("int?", "::std::optional<int64_t>"),
            ("int[]", "at::IntArrayRef"),
            ("int[2]", "at::IntArrayRef"),
            ("int[]?", "at::OptionalIntArrayRef"),
            ("int[2]?", "at::OptionalIntArrayRef"),
            ("SymInt", "int64_t"),
            ("SymInt?", "::std::optional<int64_t>"),
            ("SymInt[]", "at::ArrayRef<int64_t>"),
            ("float[]", "at::ArrayRef<double>"),
            ("float[]?", "::std::optional<at::ArrayRef<double>>"),
            ("bool[3]", "::std::array<bool,3>"),
            ("str", "c10::string_view"),
            ("MemoryFormat?", "::std::optional<at::MemoryFormat>"),
            ("Generator?", "::std::optional<at::Generator>"),
        ],
    )
    def test_types(self, type: str, expected: str) -> None:
        meta, impl, precomputed = structured(f"Tensor self, {type} x")
        assert meta == f"const at::Tensor & self, {expected} x"
        assert impl == f"{meta}, const at::Tensor & out"
        assert precomputed == ""

    def test_there_are_no_defaults(self) -> None:
        assert structured("Tensor self, int n=1, *, Scalar x=2")[0] == (
            "const at::Tensor & self, int64_t n, const at::Scalar & x"
        )

    def test_what_is_precomputed_takes_the_place_of_an_argument(self) -> None:
        lines = ("precomputed:", "- size -> int height, int width", "- DimVector steps", "dispatch: {CPU: k}")
        meta, impl, precomputed = structured("Tensor self, int[2] size, int n, *, Scalar x", *lines)
        assert meta == "const at::Tensor & self, at::IntArrayRef size, int64_t n, const at::Scalar & x"
        assert impl == (
            "const at::Tensor & self, int64_t height, int64_t width, int64_t n, const at::Scalar & x, "
            "at::DimVector steps, const at::Tensor & out"
        )
        assert precomputed == "int64_t height, int64_t width, at::DimVector steps"

    def test_replacements_are_held_in_the_order_of_the_entry(self) -> None:
        lines = ("precomputed:", "- dim -> int last", "- size -> int height", "dispatch: {CPU: k}")
        _, impl, precomputed = structured("Tensor self, int[2] size, int dim", *lines)
        assert impl == "const at::Tensor & self, int64_t height, int64_t last, const at::Tensor & out"
        assert precomputed == "int64_t last, int64_t height"


class TestInnerLoops:
    TEXT = structured_pair(
        "Tensor self, Scalar alpha, Tensor other",
        "structured_inherits: TensorIteratorBase",
        "ufunc_inner_loop: {Generic: 'soak (Float)'}",
    )

    def test_stub_takes_what_is_no_tensor(self) -> None:
        model = model_of(self.TEXT)
        ufunc = FactTable(model.operators, SAMPLES).ufunc
        assert joined(ufunc.stub(first_group(model))) == "const at::Scalar & alpha"

    @pytest.mark.parametrize("compute", [COMPUTE, ELEMENT, VECTOR])
    def test_loops_compute_in_one_type(self, compute: str) -> None:
        model = model_of(self.TEXT)
        ufunc = FactTable(model.operators, SAMPLES).ufunc
        arguments = first_group(model).functional.schema.non_out
        assert joined(ufunc.computed(arguments, compute)) == f"{compute} self, {compute} alpha, {compute} other"

    @pytest.mark.parametrize(
        ("tensor", "constructor", "call"),
        [
            (None, ["alpha"], ["self", "other"]),
            (0, ["self", "alpha"], ["other"]),
            (1, ["alpha", "other"], ["self"]),
        ],
    )
    def test_functors_take_a_tensor_that_is_a_number_first(
        self, tensor: int | None, constructor: list[str], call: list[str]
    ) -> None:
        arguments = functor_arguments(first_group(model_of(self.TEXT)), tensor)
        assert [item.name for item in arguments.constructor] == constructor
        assert [item.name for item in arguments.call] == call
