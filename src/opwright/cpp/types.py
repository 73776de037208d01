"""C++ types of arguments and returns.

In: a schema type, whether it is written, and the flags of the operator. Out: an interned `CppType`; equal types are the
same object.

    Tensor, not written  ->  const at::Tensor &
    SymInt[]?            ->  at::OptionalSymIntArrayRef, or at::OptionalIntArrayRef without symint

Rules: spec 06 sections 1 to 3.
"""

from __future__ import annotations

from collections.abc import Sequence

from opwright.releases.release import Release
from opwright.syntax.schema import Return
from opwright.syntax.types import Form, Type
from opwright.values import Value

_BASES = {
    "int": "int64_t",
    "float": "double",
    "bool": "bool",
    "str": "c10::string_view",
    "Generator": "at::Generator",
    "ScalarType": "at::ScalarType",
    "Layout": "at::Layout",
    "Device": "at::Device",
    "MemoryFormat": "at::MemoryFormat",
    "QScheme": "at::QScheme",
    "Storage": "at::Storage",
    "Stream": "at::Stream",
    "DimVector": "at::DimVector",
}


# What the type of an argument depends on besides its schema type; plain integers, because they are tested often.
#: Symbolic integers are c10::SymInt and its friends; int64_t and its friends otherwise.
SYMINT = 1
#: Written tensors are const references.
CONST_REF = 2
#: Tensor lists are at::ITensorListRef.
TENSOR_LIST_REF = 4
#: The argument is that of a kernel; they take a `Tensor?` that they write to as an optional.
NATIVE = 8


class CppType(Value):
    """One C++ type; `target` is what a reference refers to, None for a type that is none."""

    text: str
    target: CppType | None = None
    is_const: bool = False

    def __str__(self) -> str:
        return self.text


class NoCppTypeError(ValueError):
    """A schema type that no C++ type stands for; the rules keep such types out of a model."""


class CppTypes:
    """The C++ types of one run."""

    def __init__(self, release: Release) -> None:
        self.release = release
        self.optional_name = release.spelling.optional
        self._bases = {**_BASES, **release.cpp_types}
        self._types: dict[str, CppType] = {}
        self._arguments: dict[tuple[Type, bool, int], CppType] = {}
        self._returns: dict[int, ReturnRow] = {}
        self._return_types: dict[tuple[tuple[Return, ...], int], str] = {}

    # Building types

    def named(self, text: str) -> CppType:
        """The type that is written `text` and is no reference."""
        found = self._types.get(text)
        if found is None:
            found = self._types[text] = CppType(text)
        return found

    def ref(self, target: CppType) -> CppType:
        """`target &`"""
        return self._reference(f"{target.text} &", target, False)

    def const_ref(self, target: CppType) -> CppType:
        """`const target &`"""
        return self._reference(f"const {target.text} &", target, True)

    def _reference(self, text: str, target: CppType, is_const: bool) -> CppType:
        found = self._types.get(text)
        if found is None:
            found = self._types[text] = CppType(text, target, is_const)
        return found

    def optional(self, element: CppType) -> CppType:
        """The type of an `element` that may be missing."""
        return self.named(f"{self.optional_name}<{element.text}>")

    def array_ref(self, element: CppType) -> CppType:
        """The type of a view of several `element`s."""
        return self.named(f"at::ArrayRef<{element.text}>")

    def vector(self, element: CppType) -> CppType:
        """The type of several `element`s that are held."""
        return self.named(f"::std::vector<{element.text}>")

    # From schema types

    def argument(self, type: Type, written: bool, flags: int) -> CppType:
        """The type of an argument in the public and dispatcher conventions. Raises `NoCppTypeError`."""
        key = (type, written, flags)
        found = self._arguments.get(key)
        if found is None:
            found = self._arguments[key] = self.value(type, flags) or self._argument(type, written, flags)
        return found

    def value(self, type: Type, flags: int) -> CppType | None:
        """The type of a value that is the same in every position; None for other types."""
        if type.form is Form.BASE:
            if type.base in ("Tensor", "Scalar"):
                return None
            if type.base == "SymInt":
                return self.named("c10::SymInt" if flags & SYMINT else "int64_t")
            if type.base in self._bases:
                return self.named(self._bases[type.base])
        elif type.element is not None and type.form is Form.OPTIONAL:
            inner = self.value(type.element, flags)
            return self.optional(inner) if inner else None
        elif type.element is not None and type.form is Form.LIST:
            if type.element.text != "bool":
                return None
            if type.size is not None:
                return self.named(f"::std::array<bool,{type.size}>")
        raise NoCppTypeError(f"'{type.text}' has no C++ type")

    def _argument(self, type: Type, written: bool, flags: int) -> CppType:
        element = type.element
        if element is None:
            if type.base == "Scalar":
                return self.const_ref(self.named("at::Scalar"))
            return self._tensor(written, flags)
        if type.form is Form.OPTIONAL:
            return self._optional(element, written, flags)
        return self._list(element, written, flags)

    def _tensor(self, written: bool, flags: int) -> CppType:
        tensor = self.named("at::Tensor")
        return self.ref(tensor) if written and not flags & CONST_REF else self.const_ref(tensor)

    def _optional(self, element: Type, written: bool, flags: int) -> CppType:
        if element.text == "Tensor":
            tensor = self.named("at::Tensor")
            if written and not flags & CONST_REF:
                return self.ref(self.optional(tensor) if flags & NATIVE else tensor)
            return self.const_ref(self.optional(tensor))
        if element.text == "Scalar":
            return self.const_ref(self.optional(self.named("at::Scalar")))
        inner = element.element.text if element.form is Form.LIST and element.element else ""
        if inner == "SymInt" and flags & SYMINT:
            return self.named("at::OptionalSymIntArrayRef")
        if inner in ("int", "SymInt"):
            return self.named("at::OptionalIntArrayRef")
        return self.optional(self.argument(element, written, flags))

    def _list(self, element: Type, written: bool, flags: int) -> CppType:
        text = element.text
        if text == "SymInt" and flags & SYMINT:
            return self.named("c10::SymIntArrayRef")
        if text in ("int", "SymInt"):
            return self.named("at::IntArrayRef")
        if text == "Tensor":
            if flags & TENSOR_LIST_REF:
                return self.const_ref(self.named("at::ITensorListRef"))
            return self.named("at::TensorList")
        if text == "Tensor?":
            return self.const_ref(self.named(f"c10::List<{self.optional_name}<at::Tensor>>"))
        if text == "Scalar":
            return self.array_ref(self.named("at::Scalar"))
        if text == "Dimname":
            return self.named("at::DimnameList")
        return self.array_ref(self.argument(element, written, flags))

    def return_type(self, returns: tuple[Return, ...], flags: int) -> str:
        """The return type of the functions of an operator with these returns (spec 06 section 3.2)."""
        found = self._return_types.get((returns, flags))
        if found is None:
            row = self.returns(flags)
            found = self._return_types[returns, flags] = returned([row[item].text for item in returns])
        return found

    def returns(self, flags: int) -> ReturnRow:
        """The types of returns under one set of flags."""
        found = self._returns.get(flags)
        if found is None:
            found = self._returns[flags] = ReturnRow(self, flags)
        return found

    def returned(self, type: Type, written: bool, flags: int) -> CppType:
        """The type of one return. Raises `NoCppTypeError`."""
        value = self.value(type, flags)
        if value is not None:
            return value
        if type.text == "Tensor":
            tensor = self.named("at::Tensor")
            if not written:
                return tensor
            return self.const_ref(tensor) if flags & CONST_REF else self.ref(tensor)
        if type.text == "Scalar":
            return self.named("at::Scalar")
        if type.text == "Tensor?" and self.release.returns_optional_tensor:
            return self.optional(self.named("at::Tensor"))
        if type.form is Form.LIST and type.element is not None and type.size is None and not written:
            return self.vector(self.returned(type.element, False, flags))
        raise NoCppTypeError(f"'{type.text}' cannot be returned")


def returned(types: Sequence[str]) -> str:
    """The return type of a function that returns values of some types."""
    if len(types) == 1:
        return types[0]
    return f"::std::tuple<{','.join(types)}>" if types else "void"


class ReturnRow(dict[Return, CppType]):
    """The types of returns under one set of flags; a missing one is made when it is looked up."""

    def __init__(self, types: CppTypes, flags: int) -> None:
        super().__init__()
        self.types = types
        self.flags = flags

    def __missing__(self, item: Return) -> CppType:
        made = self[item] = self.types.returned(item.type, item.is_write, self.flags)
        return made
