"""What the options of `opwright gen` ask for.

In: a parsed command line. Out: `GenOptions`, or a sentence about what is wrong with the options.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from opwright.cli.common import UsageError, chosen_devices, remark
from opwright.cli.gen_options import SHIM_OPTIONS, destination
from opwright.diagnostics import Diagnostics, did_you_mean
from opwright.inputs import Inputs
from opwright.options import GenOptions
from opwright.reading import read_aot_stubs, read_document, read_shims

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright.model.aot_stubs import AotStub
    from opwright.model.aoti import ShimList
    from opwright.model.model import Model
    from opwright.model.selection import Selection
    from opwright.releases.keys import DispatchKey
    from opwright.releases.release import Release


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


def content_options(
    options: argparse.Namespace, model: Model, faults: Diagnostics, inputs: Inputs
) -> GenOptions | None:
    """What decides about the content of files; None when the selection or the list of shims has errors."""
    selection = choose_operators(options, model, faults, inputs)
    shims = choose_shims(options, model, faults, inputs)
    aot_stubs = choose_aot_stubs(options, model, faults, inputs)
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


def choose_aot_stubs(
    options: argparse.Namespace, model: Model, faults: Diagnostics, inputs: Inputs
) -> tuple[AotStub, ...]:
    """The stubs for kernels that are compiled ahead of time. Raises `UsageError` without a folder of declarations."""
    if options.aot_ops_dir is None:
        return ()
    modules = aot_modules(options, inputs)
    if not modules:
        remark(options, f"--aot-ops-dir: no folder in '{Path(options.aot_ops_dir).as_posix()}' has a file aot.py\n")
    return read_aot_stubs(map(inputs.source, modules), model, kept_keys(options, model.release), faults)


def aot_modules(options: argparse.Namespace, inputs: Inputs) -> list[Path]:
    """The modules that declare kernels compiled ahead of time. Raises `UsageError` without their folder."""
    folder = Path(options.aot_ops_dir)
    inputs.look("names", folder)
    try:
        modules = [entry / "aot.py" for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)]
    except OSError as error:
        raise UsageError(f"--aot-ops-dir: '{folder.as_posix()}' cannot be read: {error.strerror}") from None
    return [module for module in modules if inputs.exists(module)]


def choose_shims(options: argparse.Namespace, model: Model, faults: Diagnostics, inputs: Inputs) -> ShimList | None:
    """The operators that the shims offer; None makes no shims.

    A source that has none of the release's list, as other libraries than PyTorch's own, has shims only when an option
    is about them.
    """
    listed = inputs.source(options.aoti_ops) if options.aoti_ops else None
    if listed is None and model.release.shims.listed is not None:
        inputs.paths.append(model.release.shims.listed)
    shims = read_shims(listed, model, faults)
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
            remark(options, f"--backend-whitelist: there are no files for '{key.name}'\n")
        elif key.flag and key.flag not in kept_keys(options, self.release):
            remark(options, f"--backend-whitelist: there are no files for '{key.name}' without --{key.flag}\n")


def choose_operators(
    options: argparse.Namespace, model: Model, faults: Diagnostics, inputs: Inputs
) -> Selection | None:
    """The selection that the options ask for; None when they ask for all operators."""
    if options.op_registration_whitelist is None and options.op_selection_yaml_path is None:
        return None
    from opwright.model.context import Context
    from opwright.model.selection import Selection, check_whitelist, read_selection

    known = [operator.full_name for operator in model.operators]
    if options.op_registration_whitelist is not None:
        unknown = check_whitelist(options.op_registration_whitelist, known, model.release.name)
        if unknown:
            raise UsageError("; ".join(unknown))
        return Selection.of_names(options.op_registration_whitelist)
    document = read_document(inputs.source(options.op_selection_yaml_path), faults)
    if document is None:
        return None
    return read_selection(document[0], Context(model.release, faults), known)
