// ${generated_comment}
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/DispatchKeyExtractor.h>
#include <c10/core/TensorOptions.h>
#include <torch/library.h>

#ifdef AT_PER_OPERATOR_HEADERS
${ops_headers}
#else
#include <ATen/Operators.h>
#endif

// A factory function has no tensor that says where it runs, so its options have to. The functions here are called
// first, find the dispatch key, and pass the call on.
namespace at {
namespace {

${backend_select_method_definitions}

TORCH_LIBRARY_IMPL(aten, BackendSelect, m) {
  ${backend_select_function_registrations}
}

} // namespace
} // namespace at
