"""Children whom file permissions bind, whoever runs the tests."""

from __future__ import annotations

import ctypes
import os
import sys

PR_CAPBSET_DROP = 24
CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 1, 2


def give_up() -> None:
    """As a `preexec_fn`: root's program that starts next may not pass over permissions, like anybody else's.

    Raises OSError where the system does not let go of them.
    """
    if os.geteuid() != 0:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "a capability cannot be dropped")


#: Why permissions cannot be tested here; empty if they can.
UNBOUND = (
    "Windows has other permissions"
    if sys.platform == "win32"
    else "only Linux has capabilities that root can give up"
    if os.geteuid() == 0 and sys.platform != "linux"
    else ""
)
