"""The options of `opwright gen`, declared. What they ask for is the matter of `gen_content`."""

from __future__ import annotations

import argparse

from opwright.cli.common import UsageError, add_device_options, given, long_spelling
from opwright.cli.outcome_options import add_depfile_option, add_outcome_options, refuse_depfile
from opwright.options import FURTHER_STEPS, STEPS

#: Where the shims go when nothing else is said: their place in a PyTorch checkout.
AOTI_FOLDER = "torch/csrc/inductor/aoti_torch/generated"
#: The spellings of the option for native AOT declarations, torchgen's first.
AOT_OPTIONS = ("--native-aot-ops-dir", "--native_aot_ops_dir", "--aot-ops-dir")
SHIM_OPTIONS = ("--aoti-install-dir", "--update-aoti-c-shim", "--extend-aoti-c-shim", "--aoti-ops")


def add_output_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-d",
        "--install-dir",
        "--install_dir",
        metavar="DIR",
        default="build/aten/src/ATen",
        help="folder to write to (default: %(default)s)",
    )
    parser.add_argument(
        "--headeronly-install-dir",
        "--headeronly_install_dir",
        metavar="DIR",
        help="folder of enum_tag.h (default: core in the folder of -d)",
    )
    parser.add_argument(
        "--aoti-install-dir",
        "--aoti_install_dir",
        metavar="DIR",
        help=f"folder of the AOT-inductor shims, c_shim_*.cpp and .h (default: {AOTI_FOLDER} in the current folder)",
    )
    add_outcome_options(parser, "touch nothing but the lists of -o; say what would be written")


def add_build_options(parser: argparse.ArgumentParser) -> None:
    """What build systems ask for."""
    parser.add_argument(
        "-o",
        "--output-dependencies",
        metavar="FILE",
        help="write lists of all files for CMake, FILE and others beside it; in a dry run too",
    )
    add_depfile_option(parser)


def add_content_options(parser: argparse.ArgumentParser) -> None:
    """The options about the content of files that torchgen has too, so that `verify` passes them on to both."""
    add = parser.add_argument
    add(
        "--generate",
        nargs="*",
        choices=(*STEPS, *FURTHER_STEPS),
        default=list(STEPS),
        metavar="STEP",
        help="make only these kinds of files: headers, sources, declarations_yaml (default: these three), and "
        "view_meta_binding, the Python binding of view metadata",
    )
    add("--per-operator-headers", action="store_true", help="write one header for each operator name, in ops/")
    add_device_options(parser)
    add("--rocm", action="store_true", help="include HIP headers where CUDA headers would be")
    add(
        "--backend-whitelist",
        "--backend_whitelist",
        nargs="*",
        default=[],
        metavar="KEY",
        help="make files only for these dispatch keys and the composite ones",
    )
    add(
        "--static-dispatch-backend",
        "--static_dispatch_backend",
        nargs="*",
        default=[],
        metavar="KEY",
        help="let operators call the kernels of these dispatch keys without the dispatcher",
    )
    _add_registration_options(parser)
    _add_shim_options(parser)
    add(
        *AOT_OPTIONS,
        dest="aot_ops_dir",
        type=lambda text: text or None,
        metavar="DIR",
        help="give operators stubs for kernels that are compiled ahead of time, as the modules DIR/*/aot.py declare; "
        "they are read, not run",
    )


def _add_registration_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--op-registration-whitelist",
        "--op_registration_whitelist",
        nargs="*",
        metavar="NAME",
        help="register only these operators, such as aten::add; all their overloads",
    )
    add(
        "--op-selection-yaml-path",
        "--op_selection_yaml_path",
        metavar="FILE",
        help="register only the operators that this selection file names",
    )
    add(
        "--skip-dispatcher-op-registration",
        "--skip_dispatcher_op_registration",
        action="store_true",
        help="register nothing with the dispatcher",
    )
    add(
        "--force-schema-registration",
        "--force_schema_registration",
        action="store_true",
        help="register the schemas of all operators despite a selection",
    )


def _add_shim_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--update-aoti-c-shim",
        "--update_aoti_c_shim",
        action="store_true",
        help="write the headers of the AOT-inductor shims, which are only compared otherwise; those of MPS and XPU too",
    )
    add(
        "--extend-aoti-c-shim",
        "--extend_aoti_c_shim",
        action="store_true",
        help="make the shims of a library outside PyTorch: kernels of devices only, headers in a folder called extend",
    )


def add_own_options(parser: argparse.ArgumentParser) -> None:
    """The options about the content of files, and about what decides on it, that torchgen does not have."""
    add = parser.add_argument
    add("--everything", action="store_true", help="also write the umbrella copies of sharded files, for reading")
    add(
        "--torchgen-compat",
        action="store_true",
        help="reproduce torchgen where its output is wrong: every operator is printed in the namespace aten",
    )
    add(
        "--aoti-ops",
        metavar="FILE",
        help="operators that the AOT-inductor shims offer (default: the release's list of them)",
    )
    add("--selection-report", metavar="FILE", help="write what was kept, dropped and unknown to a JSON file")


def refuse_options(options: argparse.Namespace) -> None:
    """Refuse options that exclude each other, and names that are none for their purpose."""
    if options.op_registration_whitelist is not None and options.op_selection_yaml_path is not None:
        raise UsageError("--op-registration-whitelist and --op-selection-yaml-path exclude each other")
    refuse_depfile(options)


def destination(option: str) -> str:
    """The name under which the parser keeps an option."""
    return option.removeprefix("--").replace("-", "_")


def spelled(parser: argparse.ArgumentParser, options: argparse.Namespace) -> list[str]:
    """The options of `parser` that were given, as words of a command line for any current folder."""
    from pathlib import Path

    words: list[str] = []
    for action in given(parser, options):
        value = getattr(options, action.dest)
        words.append(long_spelling(action))
        if isinstance(value, list):
            words += value
        elif value is not True:
            words.append(str(Path(value).absolute()) if action.metavar in ("FILE", "DIR") else value)
    return words
