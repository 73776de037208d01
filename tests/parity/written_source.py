"""A source folder that needs no PyTorch: the operators and tags of a release as its facts tell them, and own templates.

In: a release. Out: the texts of `native/` and `templates/`, or a folder with them, which both its torchgen and Opwright
take for a source folder.

The templates are those of `tests/golden/templates`, which hold nothing but their variables, so they do not change when
somebody improves the sample.
"""

from __future__ import annotations

from pathlib import Path

from opwright.releases.operators import native_functions_yaml, tags_yaml
from opwright.releases.release import Release
from tests.parity.fetch import CHECKOUT

TEMPLATES = CHECKOUT / "tests" / "golden" / "templates"
#: Where the helpers of structured kernels stand: once in a file, or, before blocks per group, in the block itself.
FILE, BLOCK = "templates/RegisterDispatchKey.cpp", "templates/RegisterDispatchDefinitions.ini"
PROLOGUE, HELPERS = "$ns_prologue\n", "$dispatch_helpers\n"


def source_texts(release: Release) -> dict[str, str]:
    """The files of the folder by their names."""
    texts = {
        "native/native_functions.yaml": native_functions_yaml(release.name),
        "native/tags.yaml": tags_yaml(release.name),
        **{f"templates/{path.name}": path.read_text(encoding="utf-8") for path in sorted(TEMPLATES.iterdir())},
    }
    if not release.kernels.block_per_group:
        texts[FILE] = texts[FILE].replace(HELPERS, "")
        texts[BLOCK] = texts[BLOCK].replace(PROLOGUE, PROLOGUE + HELPERS)
    return texts


def write_source(release: Release, folder: Path) -> Path:
    """Write the files below `folder`, which is returned."""
    for name, text in source_texts(release).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return folder
