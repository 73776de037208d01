"""The releases that tests are about: all of them, and the sample's, which is also that of the torch in the tests."""

from __future__ import annotations

from opwright.locate import SAMPLE_RELEASE
from opwright.releases import NAMES, named_release

SAMPLES = named_release(SAMPLE_RELEASE)
RELEASES = tuple(map(named_release, NAMES))
