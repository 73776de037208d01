"""Lazy backends as a library: generate the nodes and kernels of one, and write parts of them yourself.

In: a backend file, options, and hooks. Out: files.

    class Hooks(LazyHooks):
        def lowering(self, node: LazyNode) -> str:
            return f"MyOp Lower() const override {{ return lower_{node.base}(this); }}"

    generate("my_ops.yaml", "generated", options=LazyOptions(node_base="MyNode"), hooks=Hooks())

`TorchScriptHooks` are those of PyTorch's own lazy backend. What hooks are given is described at their classes:
`LazyNode` and its `NodeArgument`s, and `LazyKernel`. A hook that cannot make code raises `LazyFault`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from opwright.artifacts.backend_declarations import Function, functions_to_write
from opwright.artifacts.backend_stubs import backend_stubs
from opwright.artifacts.backend_wrappers import wrapped_backend
from opwright.artifacts.emission import Emission, Planned
from opwright.artifacts.lazy import LazyBackend, lazy_files, sorted_by_name
from opwright.artifacts.lazy_kernels import LazyHooks, LazyKernel
from opwright.artifacts.lazy_nodes import LazyFault
from opwright.artifacts.lazy_shapes import ShapeFunction, shape_functions, undeclared
from opwright.artifacts.lazy_torchscript import TorchScriptHooks
from opwright.artifacts.making import make
from opwright.backends import ReadBackend, read_backend_file
from opwright.diagnostics import Diagnostics
from opwright.handwritten import kernel_missing, missing_kernels, read_kernels
from opwright.inputs import Inputs
from opwright.locate import Located, locate_operators
from opwright.options import GenOptions, LazyOptions, StubOptions
from opwright.output.template import TemplateFolder
from opwright.output.tree import OutputFile, Written, write_files
from opwright.report import render
from opwright.signatures.lazy import LazyNode, NodeArgument
from opwright.source import UnreadableError
from opwright.stats import Stats

__all__ = (
    "GenerationError",
    "LazyFault",
    "LazyHooks",
    "LazyKernel",
    "LazyNode",
    "LazyOptions",
    "NodeArgument",
    "TorchScriptHooks",
    "generate",
)


class GenerationError(Exception):
    """The input has errors, and nothing was written. `diagnostics` has them; the text shows each on a line."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        super().__init__(render(diagnostics.in_order(), "concise", color=False))
        self.diagnostics = diagnostics


def generate(
    source_yaml: Path | str,
    output_dir: Path | str,
    *,
    options: LazyOptions | None = None,
    hooks: LazyHooks | None = None,
    source_path: Path | str | None = None,
    release: str | None = None,
    shape_inference_paths: Sequence[Path | str] = (),
    impl_paths: Sequence[Path | str] = (),
    include_prefix: str | None = None,
    dry_run: bool = False,
) -> list[Written]:
    """Generate the files of the lazy backend that `source_yaml` describes into `output_dir`.

    `source_path` is the folder of the operators and templates, `release` the PyTorch release; both are found as the
    command line finds them. `shape_inference_paths` are headers in which shape functions are looked for, besides the
    one that `options` name, and `impl_paths` C++ files or folders in which the kernels that are not generated must be
    defined. `include_prefix` stands before the names of generated headers instead of `output_dir`. Only files that
    differ are written, with `dry_run` none; what became of each is told.

    Raises `GenerationError` for faults of the input, `opwright.locate.NotFoundError` when there is no such source or
    release, and `opwright.output.tree.WriteError`.
    """
    source = None if source_path is None else str(source_path)
    inputs = Inputs()
    located = locate_operators(source, release, inputs, takes_sample=False)
    options = options or LazyOptions()
    faults = Diagnostics()
    read = read_lazy_backend(Path(source_yaml), located, faults, Stats(), inputs)
    files: list[OutputFile] = []
    if read is not None and not faults.has_errors:
        folder = str(output_dir) if include_prefix is None else include_prefix.removesuffix("/")
        lazy = begin(read, options, hooks or LazyHooks(), folder, located.templates, faults, inputs)
        headers = shape_headers(options, shape_inference_paths, located, inputs)
        for item in missing_shapes(lazy, headers, faults, inputs):
            shape_missing(item, lazy, headers, faults)
        if impl_paths:
            functions = declared_kernels(lazy)
            written = read_kernels(map(Path, impl_paths), functions, faults, inputs)
            for function in missing_kernels(functions, written, read.backend, faults):
                kernel_missing(function, read.backend, faults)
        files = list(make(plan(lazy), "lazy", "lazy", Stats()))
    if faults.has_errors:
        raise GenerationError(faults)
    return write_files([(Path(output_dir) / file.path, file.text) for file in files], dry_run=dry_run)


def read_lazy_backend(
    path: Path, located: Located, faults: Diagnostics, stats: Stats, inputs: Inputs
) -> ReadBackend | None:
    """Read the file of a lazy backend, whose class has always the same name."""
    return read_backend_file(path, located, faults, stats, inputs, is_lazy=True)


def begin(
    read: ReadBackend,
    options: LazyOptions,
    hooks: LazyHooks,
    folder: str,
    templates: Path,
    faults: Diagnostics,
    inputs: Inputs,
) -> LazyBackend:
    """What is needed to make the files; `inputs` reads the templates."""
    emission = Emission.of(
        sorted_by_name(read.model),
        GenOptions(per_operator_headers=options.per_operator_headers),
        TemplateFolder(templates, inputs),
        faults,
    )
    stubs = StubOptions(include_folder=folder, in_angles=options.build_in_tree, deferred=options.backend_name)
    hooks.begin(options, read.model.release)
    return LazyBackend(emission, read.backend, options, hooks, stubs)


def declared_kernels(lazy: LazyBackend) -> list[Function]:
    """The kernels that the author of a lazy backend writes: those that are not generated."""
    backend = lazy.backend
    generated = set(backend.full_codegen)
    functions = functions_to_write(wrapped_backend(backend, lazy.emission), backend, lazy.emission)
    return [function for function in functions if function.operator not in generated]


def plan(lazy: LazyBackend) -> list[Planned]:
    """The files of a lazy backend before anything of them is made."""
    return [*backend_stubs(lazy.emission, lazy.backend, lazy.stubs), *lazy_files(lazy)]


def shape_headers(options: LazyOptions, paths: Iterable[Path | str], located: Located, inputs: Inputs) -> list[Path]:
    """The headers in which shape functions are looked for.

    They are `paths` and the header that is included, if one is, which is found in the current folder or among the
    headers of the installed torch. It need not be found with `paths`, nor without a torch of the release.
    """
    given, name = [Path(path) for path in paths], options.shape_inference_hdr
    if not name:
        return given
    found = located.header(name, inputs)
    return given if found is None or (given and not inputs.is_file(found)) else [*given, found]


def shape_missing(item: ShapeFunction, lazy: LazyBackend, headers: Sequence[Path], faults: Diagnostics) -> None:
    """Report a shape function that none of the headers declares."""
    names = ", ".join([f"'{header.as_posix()}'" for header in headers])
    subject = "does not declare" if len(headers) == 1 else "do not declare"
    message = f"{names} {subject} the shape function of '{item.operator.name.text}'"
    faults.error("lazy-missing-shape", message, lazy.place(item.operator), f"declare it: {item.declaration}")


def missing_shapes(
    lazy: LazyBackend, headers: Sequence[Path], faults: Diagnostics, inputs: Inputs
) -> list[ShapeFunction]:
    """The shape functions that none of the headers declares.

    There are none without headers, and none, but a diagnostic, when one cannot be read.
    """
    texts = []
    for header in headers:
        try:
            texts.append(inputs.read(header).text)
        except UnreadableError as error:
            faults.file_error("unreadable-file", error.message, error.path)
    return undeclared(shape_functions(lazy), texts) if texts and len(texts) == len(headers) else []
