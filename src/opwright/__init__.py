"""Opwright: reads the YAML that describes a tensor library's operators and writes the C++ around their kernels."""

__version__ = "0.1.0"
