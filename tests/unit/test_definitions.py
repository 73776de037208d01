"""Which functions of classes a C++ text defines, and with which parameters."""

from __future__ import annotations

import pytest

from opwright.cpp.definitions import definitions, may_be, normal
from opwright.cpp.tokens import tokenize


def found(text: str) -> list[tuple[str, str, int]]:
    return [(one.scope, one.name, one.line) for one in definitions(text, {"K", "structured_f"})]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tensor K::f(Tensor a) { }", [("K", "f", 1)]),
        ("\nTensor\nK::f(\n Tensor a)\n{ }", [("K", "f", 3)]),
        ("Tensor mine::K::f() {}", [("K", "f", 1)]),
        ("int K :: f ( ) const noexcept { }", [("K", "f", 1)]),
        ("int K::f(std::function<int(int)> g = h(1)) { }", [("K", "f", 1)]),
        ("int K::f() { } int K::g() { }", [("K", "f", 1), ("K", "g", 1)]),
        ("TORCH_IMPL_FUNC(f)(const Tensor& a) { }", [("structured_f", "impl", 1)]),
        ("TORCH_META_FUNC(f) (const Tensor& a) { }", [("structured_f", "meta", 1)]),
        ("void structured_f::impl(const Tensor& a) { }", [("structured_f", "impl", 1)]),
        ("TORCH_IMPL_FUNC(g)(const Tensor& a) { }", []),
        ("// Tensor K::f() { }\n/* int K::f() { } */", []),
        ('auto text = "int K::f() { }";', []),
        ('auto text = R"(int K::f() { })";', []),
        ("static Tensor f();", []),
        ("Tensor K::f();", []),
        ("return K::f(a);", []),
        ("auto g = &K::f;", []),
        ("Tensor Other::f() { }", []),
        ("K::f(", []),
        ("K::", []),
        ("TORCH_IMPL_FUNC(", []),
    ],
)
def test_what_is_a_definition(text: str, expected: list[tuple[str, str, int]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("parameter", "type", "expected"),
    [
        ("const at::Tensor & self", "const at::Tensor &", True),
        ("Tensor const &", "const at::Tensor &", True),
        ("const torch::Tensor&self", "const at::Tensor &", True),
        ("Tensor& self", "const at::Tensor &", False),
        ("IntArrayRef size", "at::IntArrayRef", True),
        ("c10::ArrayRef<int64_t> size", "at::IntArrayRef", True),
        ("c10::SymIntArrayRef size", "at::IntArrayRef", False),
        ("int64_t dim", "c10::SymInt", False),
        ("int64_t dim = -1", "int64_t", True),
        ("c10::optional<ScalarType> dtype", "::std::optional<at::ScalarType>", True),
        ("std::optional<Layout> dtype", "::std::optional<at::ScalarType>", False),
        ("::std::array<bool,3> mask", "::std::array<bool,3>", True),
        ("::std::array<bool,2> mask", "::std::array<bool,3>", False),
        ("MyOwnAlias x", "at::IntArrayRef", True),
        ("[[maybe_unused]] bool x", "bool", True),
    ],
)
def test_types(parameter: str, type: str, expected: bool) -> None:
    assert may_be(normal(tokenize(parameter)), normal(tokenize(type))) is expected


def test_parameters() -> None:
    (one,) = definitions("void K::f(std::array<bool, 3> a, const List<int>& b = {1, 2}, int c) {}", {"K"})
    assert [len(parameter) for parameter in one.parameters] == [7, 7, 2]
    assert next(definitions("void K::f() {}", {"K"})).parameters == ()
