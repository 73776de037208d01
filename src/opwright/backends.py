"""From a backend file to the stubs of the backend.

In: a backend file and the operators of a source. Out: a `Backend` with its model, and the files that its kernels need.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from opwright.artifacts.backend_stubs import backend_stubs
from opwright.artifacts.emission import Emission, Planned
from opwright.checking import faulty_source
from opwright.diagnostics import Diagnostics
from opwright.locate import Located
from opwright.model.backend import Backend, read_backend
from opwright.model.context import Context
from opwright.model.model import Model
from opwright.options import GenOptions, StubOptions
from opwright.output.template import TemplateFolder
from opwright.pipeline import read_document, read_model
from opwright.stats import Stats
from opwright.values import Value


class ReadBackend(Value):
    """A backend with the operators of its source."""

    backend: Backend
    model: Model


def read_backend_file(
    path: Path, located: Located, faults: Diagnostics, stats: Stats, *, is_lazy: bool = False
) -> ReadBackend | None:
    """Read a backend file and look its operators up in the source; None when that cannot be done."""
    document = read_document(path, faults)
    model = read_source_model(located, faults, stats)
    if document is None:
        return None
    context = Context(located.release, faults)
    backend = read_backend(document[0], context, model, is_lazy=is_lazy)
    return ReadBackend(backend, model) if backend is not None and model is not None else None


def read_source_model(located: Located, faults: Diagnostics, stats: Stats) -> Model | None:
    """The operators of the source with the kernels of all devices; None, and one diagnostic, when it has errors."""
    own = Diagnostics()
    flags = frozenset(key.flag for key in located.release.keys.values() if key.flag)
    model = read_model(located.native, located.tags, located.release, own, flags, stats)
    if own.has_errors:
        faulty_source(located, own, faults)
        return None
    return model


def plan_backend(
    read: ReadBackend, options: StubOptions, templates: Path, faults: Diagnostics, inputs: list[Path]
) -> Iterator[Planned]:
    """The files of a backend before anything of them is made; `inputs` gets the templates that are read."""
    emission = Emission.of(read.model, GenOptions(), TemplateFolder(templates, inputs), faults)
    return backend_stubs(emission, read.backend, options)
