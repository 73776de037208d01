// ${generated_comment}
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

#include <ATen/Context.h>
#include <ATen/DeviceGuard.h>
#include <ATen/Tensor.h>
#include <ATen/core/op_registration/adaption.h>
#include <torch/library.h>

// Named dimensions, which were there until PyTorch 2.12.
#if __has_include(<ATen/NamedTensorUtils.h>)
#include <ATen/NamedTensorUtils.h>
#endif

// Keys without a function of their own to make outputs call operators of libtorch.
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>

${extra_cuda_headers}
${external_backend_headers}
${dispatch_headers}
${ops_headers}

// Exported by libtorch, whose header of it needs more operators than this library has.
namespace at::native {
TORCH_API bool resize_output(const Tensor& output, IntArrayRef shape);
}

// What the wrappers of structured kernels share: they make, resize and check outputs.
namespace at {
namespace {

${dispatch_helpers}

} // namespace
} // namespace at

// A block for each group of operators, made from RegisterDispatchDefinitions.ini: first what the dispatcher calls, then
// functions for callers that know the dispatch key.

${dispatch_definitions}
