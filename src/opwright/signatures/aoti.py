"""The C convention: how AOT-inductor's shims take the arguments of an operator and give back its results.

In: an operator with the versions of its C function. Out: for each version the C parameters, and the arguments of the
call to C++ that the function makes.

    Tensor self, int[] dim  ->  AtenTensorHandle self, const int64_t* dim, int64_t dim_len_
                                resolve_tensor_dispatch_flags(self), pointer_to_list<int64_t>(dim, dim_len_)

Rules: spec 13 section 1.
"""

from __future__ import annotations

from opwright.cpp.literals import default_value
from opwright.model.aoti import Shim
from opwright.releases.release import Release
from opwright.syntax.schema import Argument, Return
from opwright.syntax.types import Form, Type
from opwright.values import Value


class CForm(Value):
    """How a value of a schema type crosses the C interface.

    `types` are those of the C parameters; their names are that of the argument with each of `endings`. `value` is the
    C++ type that they stand for, or that of the items of a list, and `expression` makes the argument of them, with
    `{0}` for its name.
    """

    types: tuple[str, ...]
    value: str
    expression: str
    endings: tuple[str, ...] = ("",)

    def parameters(self, name: str) -> list[str]:
        """The C parameters of the argument called `name`."""
        return [f"{type} {name}{ending}" for type, ending in zip(self.types, self.endings, strict=True)]


class NoCFormError(ValueError):
    """An argument or a return whose type cannot cross the C interface."""

    def __init__(self, part: Argument | Return) -> None:
        super().__init__(f"'{part.type}' has no form in C")
        self.part = part


class TensorForms(Value):
    """What makes tensors of their handles: one, one that may be missing, several, and several that may be missing."""

    one: str
    optional: str
    several: str
    optionals: str


def _enumeration(name: str) -> CForm:
    """An enumeration of C++, or a number of an unusual size, as an integer."""
    return CForm(("int32_t",), f"c10::{name}", f"static_cast<c10::{name}>({{0}})")


#: The forms of base types besides tensors and strings.
BASES = {
    "bool": CForm(("int32_t",), "bool", "{0}"),
    "int": CForm(("int64_t",), "int64_t", "{0}"),
    "SymInt": CForm(("int64_t",), "c10::SymInt", "{0}"),
    "float": CForm(("double",), "double", "{0}"),
    "Scalar": CForm(("double",), "c10::Scalar", "{0}"),
    "Generator": CForm(("AtenGeneratorHandle",), "at::Generator", "*generator_handle_to_generator_pointer({0})"),
    **{name: _enumeration(name) for name in ("ScalarType", "Layout", "MemoryFormat", "DeviceIndex")},
    "Device": CForm(
        ("int32_t", "int32_t"),
        "c10::Device",
        "c10::Device(static_cast<c10::DeviceType>({0}), static_cast<c10::DeviceIndex>({0}_index_))",
        ("", "_index_"),
    ),
}
#: Lists of other types cannot be made; the library has no conversion that compiles.
LIST_ITEMS = frozenset(
    "int SymInt float Scalar ScalarType Layout MemoryFormat DeviceIndex int? float? bool? DeviceIndex?".split()
)
OPTIONAL_LIST_ITEMS = LIST_ITEMS | {"Tensor"}
#: What gives a result to C, by the type of the return; others cannot be given.
RETURNS = {
    "Tensor": "new_tensor_handle(std::move({0}))",
    "SymInt": "{0}.expect_int()",
    "Scalar": "{0}.toDouble()",
    **dict.fromkeys(("bool", "int", "float", "DeviceIndex"), "{0}"),
}
RESOLVED = TensorForms(
    "resolve_tensor_dispatch_flags({0})",
    "resolve_tensor_dispatch_flags({0})",
    "resolve_tensor_list_dispatch_flags({0}, {0}_len_)",
    "resolve_tensor_list_dispatch_flags({0}, {0}_len_)",
)


def _plain_tensors(optional: str) -> TensorForms:
    """What makes tensors that stay as they are; `optional` is the template of options."""
    return TensorForms(
        "*tensor_handle_to_tensor_pointer({0})",
        "pointer_to_optional<at::Tensor>({0})",
        "pointer_to_list<at::Tensor>({0}, {0}_len_)",
        f"pointer_to_list<{optional}<at::Tensor>>({{0}}, {{0}}_len_)",
    )


class CForms:
    """How values cross the C interface in a release."""

    def __init__(self, release: Release) -> None:
        self.facts, self.spelling = release.shims, release.spelling
        self.optional = release.spelling.optional
        plain = _plain_tensors(self.optional)
        self.tensors = RESOLVED if self.facts.resolves_tensors else plain
        #: What is passed for a tensor, or a list of tensors, that the operator writes to: these must be lvalues.
        self.written = {Form.BASE: plain.one, Form.LIST: plain.several}
        bases = {
            **BASES,
            "Tensor": CForm(("AtenTensorHandle",), "at::Tensor", self.tensors.one),
            "str": CForm(("const char*",), self.facts.string, "{0}"),
        }
        self.bases = {name: form for name, form in bases.items() if name not in self.facts.formless}

    def of(self, type: Type) -> CForm | None:
        """The form of a type; None when it has none."""
        if type.form is Form.BASE:
            return self.bases.get(type.base)
        element = type.element
        inner = self.of(element) if element is not None else None
        if inner is None or element is None:
            return None
        return self._optional(inner, element) if type.form is Form.OPTIONAL else self._list(inner, element, type.size)

    def _optional(self, inner: CForm, element: Type) -> CForm | None:
        """A pointer to what may be missing; the length of a list and the index of a device stay as they are."""
        if element.text == "Tensor":
            expression = self.tensors.optional
        elif element.text == "Device":
            expression = "pointer_to_optional_device({0}, {0}_index_)"
        elif element.form is Form.BASE:
            expression = f"pointer_to_optional<{inner.value}>({{0}})"
        elif element.element is not None and element.element.text in OPTIONAL_LIST_ITEMS:
            expression = f"pointer_to_optional_list<{inner.value}>({{0}}, {{0}}_len_)"
        else:
            return None
        types = (f"{inner.types[0]}*", *inner.types[1:])
        return CForm(types, f"{self.optional}<{inner.value}>", expression, inner.endings)

    def _list(self, inner: CForm, element: Type, size: int | None) -> CForm | None:
        """A pointer to the first item and the number of items."""
        if element.text == "bool" and size is not None:  # C++ has arrays of booleans, and no views of them
            expression = f"pointer_to_list<{size}>({{0}})"
        elif element.text in LIST_ITEMS:
            expression = f"pointer_to_list<{inner.value}>({{0}}, {{0}}_len_)"
        elif element.text == "Tensor":
            expression = self.tensors.several
        elif element.text == "Tensor?":
            expression = f"c10::List<{inner.value}>(c10::ArrayRef<{inner.value}>({self.tensors.optionals}))"
        else:
            return None
        return CForm((f"const {inner.types[0]}*", "int64_t"), inner.value, expression, ("", "_len_"))

    def passed(self, argument: Argument) -> tuple[list[str], str]:
        """The C parameters of an argument, and what makes the C++ argument of them. Raises `NoCFormError`."""
        type = argument.type
        form = self.of(type)
        if form is None:
            raise NoCFormError(argument)
        expression = form.expression
        if argument.is_write and (type.element or type).text == "Tensor":
            expression = self.written.get(type.form, expression)
        return form.parameters(argument.name), expression.format(argument.name)

    def default(self, argument: Argument) -> str:
        """What is passed for an argument that a version does not have."""
        if argument.default is None or not self.facts.passes_defaults:
            return "std::nullopt"
        return default_value(argument.default, argument.type, False, self.spelling)

    def returned(self, item: Return) -> tuple[str, str]:
        """The type of the pointer for a return, and what gives its value. Raises `NoCFormError`."""
        given = RETURNS.get(item.type.text)
        if given is None:
            raise NoCFormError(item)
        end = ";" if item.type.text == "Tensor" and self.facts.doubled_semicolons else ""
        return f"{self.bases[item.type.text].types[0]}*", given + end


class ShimFunction(Value):
    """One version of the C function of an operator.

    `name` is what follows the device in its name; `since` is the macro of the release that has it, or empty.
    `parameters` are in C, `arguments` in C++. `results` are the statements that give the results away.
    """

    name: str
    since: str
    parameters: str
    arguments: str
    results: tuple[str, ...]


def shim_functions(shim: Shim, optional_returns: tuple[str, ...], forms: CForms) -> list[ShimFunction]:
    """The C functions of an operator, the newest first. Raises `NoCFormError`."""
    operator = shim.operator
    schema = operator.schema
    gives_results = not schema.out and (forms.facts.inplace_results or not operator.name.is_inplace)
    may_be_null = any(part in operator.name.unambiguous for part in optional_returns)
    returned = [forms.returned(item) for item in schema.returns] if gives_results else []
    pointers = [f"{type} ret{index}" for index, (type, _) in enumerate(returned)]
    results = tuple(_result(index, value, len(returned), may_be_null) for index, (_, value) in enumerate(returned))
    ordered = schema.out + schema.non_out if schema.out else schema.arguments
    passed = [(argument, *forms.passed(argument)) for argument in ordered]
    left_out: frozenset[str] = frozenset()
    made = []
    for name, version in zip(shim.functions, shim.versions, strict=True):
        parameters, arguments = [], []
        for argument, own, expression in passed:
            if argument.name in left_out:
                arguments.append(forms.default(argument))
            else:
                parameters += own
                arguments.append(expression)
        made.append(ShimFunction(name, version.since, ", ".join(parameters + pointers), ", ".join(arguments), results))
        left_out |= version.new_arguments
    return made


def _result(index: int, value: str, count: int, may_be_null: bool) -> str:
    """The statement that gives away the result at `index` of `count`."""
    source = "tmp_result" if count == 1 else f"std::get<{index}>(tmp_result)"
    statement = f"*ret{index} = {value.format(source)};"
    return f"if (ret{index}) {{ {statement} }}" if may_be_null else statement
