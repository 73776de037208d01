"""All that depends on the PyTorch release, as data.

In: a release name such as `2.13` or `2.13.0`. Out: its `Release`. Each release is written as the difference to its
predecessor, in a module of its own.
"""

from __future__ import annotations

import re

from opwright.releases.release import Release
from opwright.releases.v2_0 import V2_0
from opwright.releases.v2_1 import V2_1
from opwright.releases.v2_13 import V2_13

#: From the oldest to the newest.
RELEASES: tuple[Release, ...] = (V2_0, V2_1, V2_13)
NEWEST = RELEASES[-1]


def find_release(version: str) -> Release | None:
    """The release that `version` (`2.13`, `2.13.0`, `2.13.0a0+git12ab`) belongs to; None when it is not known."""
    found = re.match(r"\d+\.\d+", version)
    return next((release for release in RELEASES if found and release.name == found.group()), None)
