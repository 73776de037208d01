"""The options of `opwright lazy` that decide about the content of files, one for each field of `LazyOptions`."""

from __future__ import annotations

import argparse

from opwright.options import LazyOptions
from opwright.values import field_names

#: What stands for the value, and the help, of every option by its field.
TEXTS = {
    "backend_name": ("NAME", "part of the name of the function that registers the kernels"),
    "node_base": ("CLASS", "base class of nodes"),
    "node_base_hdr": ("HEADER", "header that declares it"),
    "shape_inference_hdr": ("HEADER", "header that declares the shape functions, to include and to check"),
    "tensor_class": ("CLASS", "class of lazy tensors; taken for torchgen's sake, nothing depends on it"),
    "tensor_class_hdr": ("HEADER", "header that declares lazy tensors"),
    "backend_namespace": ("NAMESPACE", "namespace of the functions that find and make lazy tensors"),
    "get_tensorlist": ("NAME", "function that makes a value of a list of tensors"),
    "get_tensor_or_wrap_number": ("NAME", "function that gives the lazy tensor of an argument"),
    "try_get_tensor": ("NAME", "function that gives the lazy tensor of an argument that may be missing"),
    "metrics_counter": ("CODE", "statement that counts calls"),
    "create_tensor": ("NAME", "function that makes a lazy tensor of a node"),
    "create_aten_from_ltc_tensor": ("NAME", "function that makes a tensor of a lazy tensor"),
    "tuple_aten_from_ltc_tensors": ("NAME", "function that makes a tuple of tensors of lazy tensors"),
    "lazy_value_class": ("CLASS", "class of the values that nodes compute"),
    "lazy_tensor_ptr": ("CLASS", "pointer to a lazy tensor"),
    "get_device_fn": ("NAME", "function that finds the device of arguments"),
}
SWITCHES = {
    "build_in_tree": "write includes of generated headers for a build inside PyTorch",
    "per_operator_headers": "include single headers in registrations",
    "gen_forced_fallback_code": "let kernels run eagerly when that is forced",
    "use_lazy_shape": "give the constructors of nodes shapes, or do not",
    "create_from_first_tensor": "make lazy tensors by a method of the first argument that is a tensor",
}


def add_lazy_options(parser: argparse.ArgumentParser) -> None:
    """Declare them, each with dashes and as torchgen spells it."""
    default = LazyOptions()
    for name in field_names(LazyOptions):
        spellings, value = spelled(name), getattr(default, name)
        if name in TEXTS:
            metavar, help = TEXTS[name]
            shown = value.replace("%", "%%") or "none"
            parser.add_argument(*spellings, metavar=metavar, default=value, help=f"{help} (default: {shown})")
        elif value:
            parser.add_argument(
                *spellings, action=argparse.BooleanOptionalAction, default=True, help=f"{SWITCHES[name]} (default: do)"
            )
        else:
            parser.add_argument(*spellings, action="store_true", help=SWITCHES[name])


def spelled(name: str) -> list[str]:
    """The spellings of the option for a field."""
    return list(dict.fromkeys([f"--{name.replace('_', '-')}", f"--{name}"]))


def lazy_options(options: argparse.Namespace) -> LazyOptions:
    """What decides about the content of files."""
    return LazyOptions(**{name: getattr(options, name) for name in field_names(LazyOptions)})
