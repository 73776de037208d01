"""Every form in which an argument crosses the C interface of AOT-inductor's shims."""

from __future__ import annotations

import re

RESOLVE, RESOLVE_LIST = "resolve_tensor_dispatch_flags(x)", "resolve_tensor_list_dispatch_flags(x, x_len_)"
OPTIONAL_TENSOR = "::std::optional<at::Tensor>"

#: Schema type, C parameters, C++ argument.
FORMS = [
    ("Tensor", "AtenTensorHandle x", RESOLVE),
    ("Tensor(a!)", "AtenTensorHandle x", "*tensor_handle_to_tensor_pointer(x)"),
    ("Tensor(a)", "AtenTensorHandle x", RESOLVE),
    ("bool", "int32_t x", "x"),
    ("int", "int64_t x", "x"),
    ("SymInt", "int64_t x", "x"),
    ("float", "double x", "x"),
    ("Scalar", "double x", "x"),
    ("str", "const char* x", "x"),
    ("ScalarType", "int32_t x", "static_cast<c10::ScalarType>(x)"),
    ("Layout", "int32_t x", "static_cast<c10::Layout>(x)"),
    ("MemoryFormat", "int32_t x", "static_cast<c10::MemoryFormat>(x)"),
    ("DeviceIndex", "int32_t x", "static_cast<c10::DeviceIndex>(x)"),
    ("Generator", "AtenGeneratorHandle x", "*generator_handle_to_generator_pointer(x)"),
    (
        "Device",
        "int32_t x, int32_t x_index_",
        "c10::Device(static_cast<c10::DeviceType>(x), static_cast<c10::DeviceIndex>(x_index_))",
    ),
    ("Tensor?", "AtenTensorHandle* x", RESOLVE),
    ("Tensor(a!)?", "AtenTensorHandle* x", RESOLVE),
    ("bool?", "int32_t* x", "pointer_to_optional<bool>(x)"),
    ("int?", "int64_t* x", "pointer_to_optional<int64_t>(x)"),
    ("SymInt?", "int64_t* x", "pointer_to_optional<c10::SymInt>(x)"),
    ("float?", "double* x", "pointer_to_optional<double>(x)"),
    ("Scalar?", "double* x", "pointer_to_optional<c10::Scalar>(x)"),
    ("str?", "const char** x", "pointer_to_optional<::std::string_view>(x)"),
    ("ScalarType?", "int32_t* x", "pointer_to_optional<c10::ScalarType>(x)"),
    ("Layout?", "int32_t* x", "pointer_to_optional<c10::Layout>(x)"),
    ("MemoryFormat?", "int32_t* x", "pointer_to_optional<c10::MemoryFormat>(x)"),
    ("DeviceIndex?", "int32_t* x", "pointer_to_optional<c10::DeviceIndex>(x)"),
    ("Generator?", "AtenGeneratorHandle* x", "pointer_to_optional<at::Generator>(x)"),
    ("Device?", "int32_t* x, int32_t x_index_", "pointer_to_optional_device(x, x_index_)"),
    ("Tensor[]", "const AtenTensorHandle* x, int64_t x_len_", RESOLVE_LIST),
    ("Tensor(a!)[]", "const AtenTensorHandle* x, int64_t x_len_", "pointer_to_list<at::Tensor>(x, x_len_)"),
    (
        "Tensor?[]",
        "const AtenTensorHandle** x, int64_t x_len_",
        f"c10::List<{OPTIONAL_TENSOR}>(c10::ArrayRef<{OPTIONAL_TENSOR}>({RESOLVE_LIST}))",
    ),
    ("bool[3]", "const int32_t* x, int64_t x_len_", "pointer_to_list<3>(x)"),
    ("int[]", "const int64_t* x, int64_t x_len_", "pointer_to_list<int64_t>(x, x_len_)"),
    ("int[2]", "const int64_t* x, int64_t x_len_", "pointer_to_list<int64_t>(x, x_len_)"),
    ("SymInt[]", "const int64_t* x, int64_t x_len_", "pointer_to_list<c10::SymInt>(x, x_len_)"),
    ("float[]", "const double* x, int64_t x_len_", "pointer_to_list<double>(x, x_len_)"),
    ("Scalar[]", "const double* x, int64_t x_len_", "pointer_to_list<c10::Scalar>(x, x_len_)"),
    ("Layout[]", "const int32_t* x, int64_t x_len_", "pointer_to_list<c10::Layout>(x, x_len_)"),
    ("int?[]", "const int64_t** x, int64_t x_len_", "pointer_to_list<::std::optional<int64_t>>(x, x_len_)"),
    ("int[]?", "const int64_t** x, int64_t x_len_", "pointer_to_optional_list<int64_t>(x, x_len_)"),
    ("SymInt[1]?", "const int64_t** x, int64_t x_len_", "pointer_to_optional_list<c10::SymInt>(x, x_len_)"),
    (
        "float?[]?",
        "const double*** x, int64_t x_len_",
        "pointer_to_optional_list<::std::optional<double>>(x, x_len_)",
    ),
    ("Tensor[]?", "const AtenTensorHandle** x, int64_t x_len_", "pointer_to_optional_list<at::Tensor>(x, x_len_)"),
]

#: The types of returns that can be given to C.
RETURNS = ("Tensor", "SymInt", "Scalar", "bool", "int", "float", "DeviceIndex")


def operators() -> str:
    """Entries with an operator for each form of an argument and of a return."""
    arguments = [type for type, *_ in FORMS if type != "Tensor(a!)?"]  # optional tensors cannot be written
    schemas = [f"argument{index}({type} x) -> ()" for index, type in enumerate(arguments)]
    schemas += [f"return{index}(Tensor self) -> {type}" for index, type in enumerate(RETURNS)]
    tag = "  tags: nondeterministic_seeded\n"
    return "".join(f"- func: {schema}\n{tag if 'Generator' in schema else ''}" for schema in schemas)


def listing(entries: str) -> str:
    """The operators of these entries as a section of a list."""
    names = re.findall(r"^- func: (?:aten::)?([^(:]+)\(", entries, re.MULTILINE)
    return "".join(f"  aten::{name}: {{}}\n" for name in names)
