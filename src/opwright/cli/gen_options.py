"""The options of `opwright gen`, and what they ask for.

In: a parsed command line. Out: `GenOptions`, or a sentence about what is wrong with the options.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from opwright.cli.common import UsageError, add_device_options, chosen_devices, given, long_spelling, say
from opwright.cli.outcome import add_depfile_option, add_outcome_options, refuse_depfile
from opwright.diagnostics import Diagnostics, did_you_mean
from opwright.options import FURTHER_STEPS, STEPS, GenOptions

if TYPE_CHECKING:
    from opwright.model.aot_stubs import AotStub
    from opwright.model.aoti import ShimList
    from opwright.model.model import Model
    from opwright.model.selection import Selection
    from opwright.releases.keys import DispatchKey
    from opwright.releases.release import Release

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


def kept_keys(options: argparse.Namespace, release: Release) -> frozenset[str]:
    """The devices whose kernels are read. Raises `UsageError` for what the release does not have."""
    for option in SHIM_OPTIONS:
        missing = missing_for(option, release)
        if missing and getattr(options, destination(option)):
            raise UsageError(f"PyTorch {release.name} has no {missing}, which {option} is about")
    if options.aot_ops_dir is not None and not release.native_aot:
        raise UsageError(f"PyTorch {release.name} has no native AOT stubs, which --aot-ops-dir is about")
    return chosen_devices(options, release) | shim_devices(options, release)


def missing_for(option: str, release: Release) -> str:
    """What an option about shims needs and the release does not have; empty when nothing is missing."""
    if not release.has_shims:
        return "AOT-inductor shims"
    if option == "--update-aoti-c-shim" and not release.shims.compares_headers:
        return "headers of AOT-inductor shims that are written on request only"
    if option == "--extend-aoti-c-shim" and not release.shims.has_extensions:
        return "AOT-inductor shims for libraries outside it"
    return ""


def shim_devices(options: argparse.Namespace, release: Release) -> frozenset[str]:
    """The devices whose kernels are read because the headers of shims are to be written."""
    return release.key_facts.shim_flags if options.update_aoti_c_shim else frozenset()


def destination(option: str) -> str:
    """The name under which the parser keeps an option."""
    return option.removeprefix("--").replace("-", "_")


def spelled(parser: argparse.ArgumentParser, options: argparse.Namespace) -> list[str]:
    """The options of `parser` that were given, as words of a command line for any current folder."""
    words: list[str] = []
    for action in given(parser, options):
        value = getattr(options, action.dest)
        words.append(long_spelling(action))
        if isinstance(value, list):
            words += value
        elif value is not True:
            words.append(str(Path(value).absolute()) if action.metavar in ("FILE", "DIR") else value)
    return words


def content_options(options: argparse.Namespace, model: Model, faults: Diagnostics) -> GenOptions | None:
    """What decides about the content of files; None when the selection or the list of shims has errors."""
    selection = choose_operators(options, model, faults)
    shims = choose_shims(options, model, faults)
    aot_stubs = choose_aot_stubs(options, model, faults)
    if faults.has_errors:
        return None
    backends, static_dispatch = choose_keys(options, model)
    return GenOptions(
        per_operator_headers=options.per_operator_headers,
        steps=frozenset(options.generate),
        everything=options.everything,
        torchgen_compat=options.torchgen_compat,
        devices=chosen_devices(options, model.release),
        backends=backends,
        static_dispatch=tuple(static_dispatch),
        rocm=options.rocm,
        selection=selection,
        registrations=not options.skip_dispatcher_op_registration,
        all_schemas=options.force_schema_registration,
        shims=shims,
        update_shims=options.update_aoti_c_shim,
        shim_devices=shim_devices(options, model.release),
        extend_shims=options.extend_aoti_c_shim,
        aot_stubs=aot_stubs,
    )


def choose_aot_stubs(options: argparse.Namespace, model: Model, faults: Diagnostics) -> tuple[AotStub, ...]:
    """The stubs for kernels that are compiled ahead of time. Raises `UsageError` without a folder of declarations."""
    from opwright.pipeline import read_aot_stubs

    if options.aot_ops_dir is None:
        return ()
    modules = aot_modules(options)
    if not modules:
        say(f"--aot-ops-dir: no folder in '{Path(options.aot_ops_dir).as_posix()}' has a file aot.py")
    return read_aot_stubs(modules, model, kept_keys(options, model.release), faults)


def aot_modules(options: argparse.Namespace) -> list[Path]:
    """The modules that declare kernels compiled ahead of time. Raises `UsageError` without their folder."""
    if options.aot_ops_dir is None:
        return []
    folder = Path(options.aot_ops_dir)
    try:
        modules = [entry / "aot.py" for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)]
    except OSError as error:
        raise UsageError(f"--aot-ops-dir: '{folder.as_posix()}' cannot be read: {error.strerror}") from None
    return [module for module in modules if module.exists()]


def choose_shims(options: argparse.Namespace, model: Model, faults: Diagnostics) -> ShimList | None:
    """The operators that the shims offer; None makes no shims.

    A source that has none of the release's list, as other libraries than PyTorch's own, has shims only when an option
    is about them.
    """
    from opwright.pipeline import read_shims

    shims = read_shims(options.aoti_ops, model, faults)
    is_asked_for = any(getattr(options, destination(option)) for option in SHIM_OPTIONS)
    return shims if shims is not None and (is_asked_for or shims.devices or shims.aten) else None


def choose_keys(options: argparse.Namespace, model: Model) -> tuple[frozenset[DispatchKey] | None, list[DispatchKey]]:
    """The dispatch keys to make files for, None for all, and those to dispatch to statically. Raises `UsageError`."""
    keys = KeyNames(model.release)
    backends = [keys.read(name, "--backend-whitelist") for name in options.backend_whitelist]
    for key in backends:
        keys.remark_without_files(key, options)
    static = [keys.read(name, "--static-dispatch-backend") for name in options.static_dispatch_backend]
    for key in static:
        if key not in model.kernels:
            switch = f"; --{key.flag} keeps them" if key.flag and not getattr(options, key.flag) else ""
            raise UsageError(f"--static-dispatch-backend: no operator has a kernel under '{key.name}'{switch}")
        if backends and key not in backends and not key.is_composite:
            raise UsageError(f"--static-dispatch-backend: '{key.name}' is not in --backend-whitelist")
    return (frozenset(backends) or None), static


class KeyNames:
    """The dispatch keys that options name."""

    def __init__(self, release: Release) -> None:
        self.release = release

    def read(self, name: str, option: str) -> DispatchKey:
        """The key of this name. Raises `UsageError`."""
        release = self.release
        key = release.keys.get(release.key_aliases.get(name, name))
        if key is None:
            hint = did_you_mean(name, release.supported) or did_you_mean(name, release.keys)
            said = f"{option}: '{name}' is not a dispatch key of PyTorch {release.name}"
            raise UsageError(f"{said}; {hint}" if hint else said)
        return key

    def remark_without_files(self, key: DispatchKey, options: argparse.Namespace) -> None:
        """Say that there are no files of a key, so that naming it has no effect."""
        if key.name not in self.release.supported:
            say(f"--backend-whitelist: there are no files for '{key.name}'")
        elif key.flag and key.flag not in kept_keys(options, self.release):
            say(f"--backend-whitelist: there are no files for '{key.name}' without --{key.flag}")


def choose_operators(options: argparse.Namespace, model: Model, faults: Diagnostics) -> Selection | None:
    """The selection that the options ask for; None when they ask for all operators."""
    if options.op_registration_whitelist is None and options.op_selection_yaml_path is None:
        return None
    from opwright.model.context import Context
    from opwright.model.selection import Selection, check_whitelist, read_selection
    from opwright.pipeline import read_document

    known = [operator.full_name for operator in model.operators]
    if options.op_registration_whitelist is not None:
        unknown = check_whitelist(options.op_registration_whitelist, known, model.release.name)
        if unknown:
            raise UsageError("; ".join(unknown))
        return Selection.of_names(options.op_registration_whitelist)
    document = read_document(options.op_selection_yaml_path, faults)
    if document is None:
        return None
    return read_selection(document[0], Context(model.release, faults), known)
