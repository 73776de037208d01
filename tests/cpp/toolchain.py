"""The compiler and the installed libtorch: what the tests need whose C++ has to build and run.

generate(SAMPLE, "include/ATen", folder)
compile_cpp(torch, folder, "-fsyntax-only", "include/ATen/RegisterSchema.cpp")
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.program import environment

#: What a library is linked with; whatever is missing then is an error, as it always is elsewhere.
LINKED = ("-ltorch_cpu", "-lc10", *(("-Wl,--no-undefined",) if sys.platform == "linux" else ()))
#: Functions that generated kernels for functionalization call, which libtorch has and does not export.
FUNCTIONALIZATION_SHIM = Path(__file__).with_name("functionalization_shim.cpp")


class CommandError(Exception):
    """A program has failed; the text says which, and what it printed."""


def run(command: list[str], folder: Path, variables: dict[str, str] | None = None) -> str:
    """Run a program in `folder`; what it prints. Raises CommandError."""
    variables = variables or environment()
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        # What is wrong comes first where compilers complain, and last where tests fail.
        printed = f"{done.stderr[:5000]}\n{done.stdout[-5000:]}"
        raise CommandError(f"exit status {done.returncode} of {' '.join(command)}\n{printed}")
    return done.stdout


def generate(source: Path, out: str, folder: Path, *options: str) -> None:
    """Run Opwright in `folder`."""
    run([sys.executable, "-m", "opwright", "gen", "-q", "-s", str(source), "-d", out, *options], folder)


def compiler_errors(torch: Path, folder: Path, *arguments: str) -> str:
    """What the compiler says that is wrong with a file; empty when it compiles. The arguments are for `compile_cpp`."""
    try:
        compile_cpp(torch, folder, "-fsyntax-only", *arguments)
    except CommandError as error:
        return str(error)
    return ""


def compile_cpp(torch: Path, folder: Path, *arguments: str) -> None:
    """Run the compiler in `folder`, with the generated headers in `include` before those of libtorch."""
    headers = ("-Iinclude", f"-I{torch / 'include'}")
    run(["g++", "-std=c++20", "-O0", "-g0", "-w", *headers, *arguments], folder)


def precompile(torch: Path, folder: Path, header: str, *arguments: str) -> tuple[str, str]:
    """Compile a header in `folder` once for many files, with what these will be compiled with.

    Gives the arguments for them. Files that include the header themselves compile as they do without, but sooner.
    """
    own = f"precompiled_{header.replace('/', '_')}"
    (folder / own).write_text(f"#include <{header}>\n", encoding="utf-8")
    compile_cpp(torch, folder, *arguments, "-x", "c++-header", own, "-o", f"{own}.gch")
    return "-include", own


def link_library(torch: Path, folder: Path, library: str, *arguments: str) -> None:
    """Compile sources in `folder` to a shared library that can be loaded into the installed torch."""
    compile_cpp(torch, folder, "-fPIC", "-shared", *arguments, "-o", library, f"-L{torch / 'lib'}", *LINKED)
