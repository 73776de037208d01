"""What holds for all tests."""

from __future__ import annotations

import os

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Drop what the surroundings say about the form and color of reports; tests that are about it set it themselves."""
    for name in ("GITHUB_ACTIONS", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        os.environ.pop(name, None)
