"""The last stages in order: signatures, artifacts. `reading` has those before, and `output` writes what comes out.

In: a `Model`. Out: `OutputFile`s, and diagnostics of everything that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from opwright.artifacts.emission import Emission, Planned
from opwright.artifacts.making import make
from opwright.artifacts.registry import ARTIFACTS, Artifact
from opwright.diagnostics import Diagnostics
from opwright.inputs import Inputs
from opwright.model.model import Model
from opwright.options import GenOptions
from opwright.output.template import TemplateFolder
from opwright.output.tree import OutputFile
from opwright.stats import Stats


def plan(
    model: Model,
    options: GenOptions,
    templates: Path,
    faults: Diagnostics,
    stats: Stats | None = None,
    inputs: Inputs | None = None,
) -> Iterator[tuple[Artifact, Iterator[Planned]]]:
    """The files that `options` ask for, artifact by artifact, before anything of them is made.

    `inputs` reads the templates when something is made.
    """
    with (stats or Stats()).stage("signatures"):
        emission = Emission.of(model, options, TemplateFolder(templates, inputs), faults)
    for artifact in ARTIFACTS:
        if artifact.step in options.steps and artifact.is_in(model.release):
            yield artifact, artifact.make(emission)


def generate(
    model: Model,
    options: GenOptions,
    templates: Path,
    faults: Diagnostics,
    stats: Stats | None = None,
    inputs: Inputs | None = None,
) -> Iterator[OutputFile]:
    """Every file that `options` ask for, from the model and the templates in a folder, which `inputs` reads.

    Each is made when it is asked for, so that whoever is done with one before the next never holds all of them. With
    errors in `faults` some are missing, and nothing of the others may be written.
    """
    stats = stats or Stats()
    for artifact, planned in plan(model, options, templates, faults, stats, inputs):
        yield from make(planned, artifact.name, artifact.step, stats)
