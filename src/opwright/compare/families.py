"""The families of generated files, as those who build PyTorch name them.

In: the path of a generated file. Out: its family.

    family_of("RegisterCPU_0.cpp").name  ->  "registrations of CPU"
"""

from __future__ import annotations

import re
from typing import NamedTuple

#: In the order of a report: the name, with `{}` for what the group in the pattern finds, and the paths. The first
#: pattern that matches the whole path counts.
FAMILIES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.DOTALL))
    for name, pattern in (
        ("operators", r"(?:Method)?Operators\.h|Operators(?:_\d+|Everything)\.cpp"),
        ("functions", r"Functions\.(?:h|cpp)|RedispatchFunctions\.h"),
        ("tensor methods", r"core/Tensor(?:Body\.h|Methods\.cpp)"),
        ("operator lists", r"core/(?:ATenOpList\.cpp|aten_interned_strings\.h)|RegistrationDeclarations\.h"),
        ("tags", r"(?:.*/)?enum_tag\.h"),
        ("kernel declarations", r"\w*Native(?:Meta)?Functions\.h"),
        ("functions by key", r"\w+Functions(?:_inl)?\.h"),
        ("headers by root: operators", r"ops/\w+_ops\.h"),
        ("headers by root: kernels", r"ops/\w+_(?:native|meta)\.h"),
        ("headers by root: functions by key", r"ops/\w+_dispatch\.h"),
        ("headers by root: functions", r"ops/\w+\.h"),
        ("schemas", r"RegisterSchema\.cpp"),
        ("backend select", r"RegisterBackendSelect\.cpp"),
        (
            "functionalization",
            r"RegisterFunctionalization\w*\.cpp|FunctionalInverses\.h|ViewMetaClasses\w*\.(?:h|cpp)"
            r"|CompositeViewCopyKernels\.cpp",
        ),
        ("registrations of {}", r"Register(\w+?)(?:_\d+|Everything)?\.cpp"),
        ("ufuncs", r"Ufunc\w+\.(?:cpp|cu)"),
        ("vmap", r"VmapGeneratedPlumbing\.h"),
        ("Declarations.yaml", r"Declarations\.yaml"),
        ("AOT-inductor shims", r"(?:.*/)?c_shim_\w+\.(?:h|cpp)"),
        ("other files", r".*"),
    )
)


class Family(NamedTuple):
    """The place of a family in a report, which sorts, and its name."""

    rank: int
    name: str


def family_of(path: str) -> Family:
    """The family of the file at `path`, which is relative to the install folder and has `/` between its parts."""
    for rank, (name, pattern) in enumerate(FAMILIES):
        found = pattern.fullmatch(path)
        if found:
            return Family(rank, name.format(*found.groups()))
    raise AssertionError(path)  # not reached: the last pattern matches every path
