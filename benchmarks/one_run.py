"""Run one program and print what it took.

In: the file for what it prints, then its command line. Out: three numbers on standard output: its exit status, seconds
of the processor (user and system, with child processes), and MiB of memory at most.

This is a process of its own, and imports next to nothing, because Linux counts for a program the memory of the process
that has started it, too.
"""

import os
import sys

#: The bytes that systems count memory in.
MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024


def main() -> None:
    """Run, wait, print."""
    printed, *command = sys.argv[1:]
    into = (os.POSIX_SPAWN_OPEN, 1, printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    child = os.posix_spawn(command[0], command, os.environ, file_actions=[into, (os.POSIX_SPAWN_DUP2, 1, 2)])
    _, status, usage = os.wait4(child, 0)
    print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * MEMORY_UNIT / 2**20)


main()
