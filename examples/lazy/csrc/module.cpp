// The entry point: torch.ops.traced.init()
#include <torch/csrc/lazy/ts_backend/ts_backend_impl.h>
#include <torch/library.h>

namespace at {
// Generated, in RegisterLazy.cpp.
TORCH_API void RegisterTracedLazyNativeFunctions();
} // namespace at

TORCH_LIBRARY(traced, m) {
  m.def("init() -> ()", [] {
    // PyTorch's own lazy backend runs the graphs, and has kernels for all other operators.
    torch::lazy::InitTorchScriptBackend();
    at::RegisterTracedLazyNativeFunctions();
  });
}
