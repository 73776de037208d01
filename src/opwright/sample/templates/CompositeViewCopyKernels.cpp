// ${generated_comment}
#include <vector>

#include <ATen/InferSize.h>
#include <ATen/Tensor.h>
#include <ATen/TensorUtils.h>
#include <c10/util/irange.h>

#ifdef AT_PER_OPERATOR_HEADERS
${ops_headers}
#else
#include <ATen/NativeFunctions.h>
#include <ATen/Operators.h>
#endif

namespace at::native {

// Exported by libtorch, whose header of it needs more operators than this library has.
TORCH_API bool resize_output(const Tensor& output, IntArrayRef shape);

namespace {

[[maybe_unused]] Tensor clone_arg(const Tensor& tensor) {
  return tensor.clone();
}
[[maybe_unused]] std::vector<Tensor> clone_arg(TensorList tensors) {
  std::vector<Tensor> clones;
  clones.reserve(tensors.size());
  for (const Tensor& tensor : tensors) {
    clones.push_back(tensor.clone());
  }
  return clones;
}

// An output is resized to what it gets, but never changes its type or its device.
[[maybe_unused]] void resize_out_helper(const Tensor& out, const Tensor& result) {
  resize_output(out, result.sizes());
}
[[maybe_unused]] void resize_out_helper(TensorList outs, TensorList results) {
  TORCH_CHECK(outs.size() == results.size(), "there are ", results.size(), " results for ", outs.size(), " outputs");
  for (const auto index : c10::irange(outs.size())) {
    resize_out_helper(outs[index], results[index]);
  }
}
[[maybe_unused]] void copy_arg(const Tensor& out, const Tensor& result) {
  TORCH_CHECK(out.dtype() == result.dtype(), "cannot write ", result.dtype(), " to an output of ", out.dtype());
  TORCH_CHECK(out.device() == result.device(), "cannot write from ", result.device(), " to ", out.device());
  out.copy_(result);
}
[[maybe_unused]] void copy_arg(TensorList outs, TensorList results) {
  for (const auto index : c10::irange(outs.size())) {
    copy_arg(outs[index], results[index]);
  }
}

} // namespace

// Copies of views: the view, cloned.

${CompositeViewCopyKernel_Definitions}

// Functional variants of operators that write: they write to clones.

${GeneratedCompositeFunctional_Definitions}

// Out variants of operators that make their results: these are copied.

${GeneratedCompositeOut_Definitions}

} // namespace at::native
