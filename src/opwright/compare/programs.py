"""Run torchgen and Opwright, each in a process of its own, and time them.

In: an interpreter, options, a folder. Out: a `Run` with the exit status, what was printed, and the time it took.
torchgen is never imported here: `find_torchgen` asks the interpreter where it is.

    find_torchgen("python3")  ->  Torchgen(python="/usr/bin/python3", folder=Path(".../torchgen"), version="2.13.0")
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from opwright.locate import torchgen_version
from opwright.values import Value

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows does not tell the processor time of children
    resource = None

PACKAGE_ROOT = Path(__file__).absolute().parents[2]

# Python puts the current folder, where a folder `torchgen` may be, before all others; `-P` is new in 3.11.
_SAFE_PATH = "import sys; sys.path[:] = [place for place in sys.path if place]"
_PROBE = f"""\
{_SAFE_PATH}
import json
found = {{}}
try:
    import torchgen.gen
    found["file"] = torchgen.gen.__file__
except Exception as error:
    found["error"] = type(error).__name__ + ": " + str(error)
    found["missing"] = getattr(error, "name", None)
print(json.dumps(found))
"""
_RUN = f"{_SAFE_PATH}; import runpy; runpy.run_module('torchgen.{{}}', run_name='__main__', alter_sys=True)"


class NoTorchgenError(Exception):
    """There is no torchgen to run; the message is a plain sentence."""


class Torchgen(Value):
    """A torchgen: the interpreter that runs it, its folder, and the PyTorch version it belongs to, if that is known."""

    python: str
    folder: Path
    version: str | None

    @property
    def packaged(self) -> Path | None:
        """The operators that come with it; None if there are none."""
        folder = self.folder / "packaged" / "ATen"
        return folder if (folder / "native" / "native_functions.yaml").is_file() else None


class Run(Value):
    """A run of a program: its exit status, what it printed, and its seconds: on the clock, and of the processor, which
    not every system tells."""

    status: int
    output: str
    wall: float
    cpu: float | None


def find_torchgen(python: str) -> Torchgen:
    """The torchgen that the interpreter `python` finds. Raises `NoTorchgenError`."""
    found = shutil.which(python)
    if found is None:
        raise NoTorchgenError(f"there is no program '{python}' that could run torchgen")
    # Links stay as they are: the one in a virtual environment is what makes it the interpreter of that environment.
    interpreter = str(Path(found).absolute())
    try:
        done = subprocess.run([interpreter, "-c", _PROBE], capture_output=True, env=_environment(), check=False)
        answer = json.loads(done.stdout.strip().rpartition(b"\n")[2])
    except (OSError, ValueError):
        raise NoTorchgenError(f"'{python}' is not a Python interpreter that works") from None
    if "file" in answer:
        folder = Path(answer["file"]).absolute().parent
        return Torchgen(interpreter, folder, torchgen_version(folder))
    if answer["missing"] == "torchgen":
        raise NoTorchgenError(
            f"'{python}' has no torchgen. It comes with torch: install the release to compare with "
            f"({python} -m pip install torch==X.Y.Z), or name another Python with --python"
        )
    raise NoTorchgenError(f"'{python}' cannot import torchgen: {answer['error']}")


def run_torchgen(torchgen: Torchgen, program: str, options: Sequence[str], folder: Path) -> Run:
    """Run a program of torchgen, `gen` for instance, in `folder`; the output ends with what it printed as an error."""
    command = [torchgen.python, "-c", _RUN.format(program), *options]
    return _timed(command, folder, _environment(), stderr=subprocess.PIPE)


def run_opwright(options: Sequence[str], folder: Path) -> Run:
    """Run this Opwright in `folder`; what it prints to standard error goes to that of this process."""
    return _timed([sys.executable, "-m", "opwright", *options], folder, _environment(PACKAGE_ROOT), stderr=None)


def _environment(*places: Path) -> dict[str, str]:
    """The variables for a child that runs in another folder, with modules from `places` too, and a fixed hash seed."""
    inherited = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    found = [*places, *(Path(place).absolute() for place in inherited if place)]
    return {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(map(str, found))}


def _timed(command: Sequence[str], folder: Path, environment: dict[str, str], stderr: int | None) -> Run:
    before, start = _processor_time(), time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=stderr, check=False)
    wall, after = time.perf_counter() - start, _processor_time()
    cpu = None if before is None or after is None else after - before
    output = done.stdout + (done.stderr or b"")
    return Run(done.returncode, output.decode("utf-8", "replace"), wall, cpu)


def _processor_time() -> float | None:
    """Seconds of the processor that children which have ended took; None where the system does not tell."""
    if resource is None:
        return None
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return float(usage.ru_utime + usage.ru_stime)
