"""Profiles of runs: where the time went, function by function, for a report about a run that is slow.

In: what a verb does. Out: its exit status, and a file that Python's `pstats` reads.
"""

from __future__ import annotations

import cProfile
import marshal
from collections.abc import Callable
from pathlib import Path

from opwright.cli.common import say
from opwright.cli.main import MISUSED
from opwright.output.tree import OutputTree, WriteError


def run_profiled(name: str, run: Callable[[], int]) -> int:
    """Do `run`, write its profile to the file called `name`, also when it raises, and return its exit status.

    It is that of wrong usage when the file cannot be written.
    """
    profile = cProfile.Profile()
    try:
        status = profile.runcall(run)
    finally:
        is_written = _write(name, profile)
    return status if is_written else MISUSED


def _write(name: str, profile: cProfile.Profile) -> bool:
    path = Path(name)
    profile.create_stats()
    try:
        with OutputTree(dry_run=False) as tree:
            tree.put(path, marshal.dumps(profile.stats))
            tree.commit()
    except WriteError as error:
        say(f"opwright: --profile: {error.path}: {error.message}")
        return False
    say(f"profile: {path.as_posix()}; 'python -m pstats {path.as_posix()}' reads it, and it can go with a report")
    return True
