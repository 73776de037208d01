"""`opwright backend --init`: starts a backend with the files that every backend has.

In: a folder, and the name of the device, which is that of the folder by default. Out: the files of the runtime kit in
the folder. Files that are there already are the author's own, and none of them is replaced.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from opwright.cli.common import UsageError, given, long_spelling, say
from opwright.cli.main import DONE, MISUSED
from opwright.kit import NameFault, in_the_way, name_from, starter
from opwright.output.tree import WriteError, write_files

#: What may be said besides `--init`; everything else is about generating.
INIT_OPTIONS = ("init", "name", "dry_run", "quiet")


def run(options: argparse.Namespace) -> int:
    """Write the files of a new backend, and return the exit status."""
    try:
        return start_backend(options)
    except UsageError as error:
        say(f"opwright backend: {error}")
    except WriteError as error:
        say(f"opwright backend: {error.path}: {error.message}")
    return MISUSED


def start_backend(options: argparse.Namespace) -> int:
    """Write the files of a new backend; the exit status. Raises `UsageError` and `WriteError`."""
    for action in given(options.parser, options):
        if action.dest not in INIT_OPTIONS:
            raise UsageError(f"--init goes without {long_spelling(action)}: generate when the files are there")
    folder = Path(options.init)
    name = name_from(folder) if options.name is None else options.name
    try:
        files = starter(name)
    except NameFault as fault:
        raise UsageError(str(fault) if options.name else f"{fault}; choose another one with --name") from None
    taken = in_the_way(folder, files)
    if taken:
        raise UsageError(f"{folder.as_posix()} has other files of these names, nothing was written: {', '.join(taken)}")
    missing = [(path, file.text) for file in files if not (path := folder / file.path).exists()]
    write_files(missing, dry_run=options.dry_run)
    if not options.quiet:
        done = f"{len(missing)} files {'would be written' if options.dry_run else 'written'}"
        say(f"backend '{name}' in {folder.as_posix()}: {done}, {len(files) - len(missing)} were there")
        say(f"to build and install it, run 'pip install .' in {folder.as_posix()}")
    return DONE
