"""Builds the documentation: python -m sphinx -W docs build/docs"""

from opwright import __version__

project = "Opwright"
release = __version__
extensions = ["myst_parser"]
html_theme = "furo"
myst_heading_anchors = 3
