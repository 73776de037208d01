"""The options that verbs which read backend files share."""

from __future__ import annotations

import argparse


def add_file_options(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """The backend file, where to write, and how that is included. The first two may be `required`."""
    source = ("-s", "--source-yaml", "--source_yaml")
    parser.add_argument(*source, metavar="YAML", required=required, help="the backend file")
    parser.add_argument(
        "-o",
        "--output-dir",
        "--output_dir",
        metavar="DIR",
        dest="install_dir",
        required=required,
        help="folder to write to; as it is given, it stands in the #include of generated headers too",
    )
    parser.add_argument(
        "--include-prefix",
        metavar="PREFIX",
        help="what stands before the names of generated headers in an #include; may be empty (default: the folder of "
        "-o)",
    )


def add_kernel_options(parser: argparse.ArgumentParser) -> None:
    """The options about the kernels that the author of a backend writes."""
    parser.add_argument(
        "--impl-path",
        "--impl_path",
        metavar="PATH",
        nargs="+",
        action="extend",
        default=[],
        help="C++ files, or folders of them, in which every kernel must be defined",
    )
    parser.add_argument(
        "--write-stubs",
        metavar="FILE",
        help="write skeletons of the kernels that are missing to a new file, instead of reporting them",
    )
