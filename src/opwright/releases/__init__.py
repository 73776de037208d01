"""All that depends on the PyTorch release, as data.

In: a release name such as `2.13` or `2.13.0`. Out: its `Release`. Each release is written as the difference to its
predecessor, in a module of its own, and only those that lead to the one asked for are imported.
"""

from __future__ import annotations

import re
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright.releases.release import Release

#: From the oldest to the newest. Between two releases there is a state of the checkout that was like neither.
NAMES = (
    "2.0", "2.1.0a0", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9", "2.10", "2.11", "2.12", "2.13",
    "2.14", "2.15",
)  # fmt: skip
NEWEST = NAMES[-1]


def named_release(name: str) -> Release:
    """The release called `name`, one of `NAMES`."""
    release: Release = import_module(f"opwright.releases.v{name.replace('.', '_')}").RELEASE
    return release


def find_release(version: str) -> Release | None:
    """The release that `version` (`2.13`, `2.13.0`, `2.13.0a0+git12ab`) belongs to; None when it is not known."""
    found = re.match(r"(\d+\.\d+)(?:\.\d+[ab]\d+)?", version)
    name = next((name for name in found.group(0, 1) if name in NAMES), None) if found else None
    return named_release(name) if name else None
