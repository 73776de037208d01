"""The device `mydev` for PyTorch.

Importing the package is all that a program has to do, and where the package is installed, `import torch` does it.

    torch.ones(3, device="mydev") + 1
"""


def _autoload() -> None:
    """The entry point that `import torch` calls, after it has imported this package.

    It stands before the imports, because `import mydev` imports torch, which calls it while this module is half done.
    """


from pathlib import Path

import torch

# The C++ half: allocator, guard, hooks, kernels, fallback. Loading it registers them.
library = next(Path(__file__).parent.glob("_backend.*"), None)
if library is None:
    raise ImportError(f"there is no library in '{Path(__file__).parent}': build and install it with 'pip install'")
torch.ops.load_library(str(library))

from mydev import device, fallback

# Without the name, `.to("mydev")` does not know the device; without the module, a backward pass cannot be run.
torch.utils.rename_privateuse1_backend("mydev")
torch._register_device_module("mydev", device)
# `Tensor.mydev()`, `Tensor.is_mydev`, `Module.mydev()`, and the same for storages.
torch.utils.generate_methods_for_privateuse1_backend(for_storage=True)

__all__ = ["device", "fallback"]
