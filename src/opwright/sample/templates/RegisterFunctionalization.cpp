// ${generated_comment}
#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include <ATen/EmptyTensor.h>
#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/ViewMetaClasses.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/util/env.h>
#include <torch/library.h>

#ifdef AT_PER_OPERATOR_HEADERS
${ops_headers}
#else
#include <ATen/NativeFunctions.h>
#include <ATen/Operators.h>
#endif

namespace at::functionalization {

namespace {

// Operators run on meta tensors only to find out sizes and strides, so nothing that looks at calls may see these.
constexpr auto exclude_keys_for_meta_dispatch = c10::functorch_transforms_ks |
    c10::DispatchKeySet({c10::DispatchKey::FuncTorchDynamicLayerBackMode,
                         c10::DispatchKey::FuncTorchDynamicLayerFrontMode,
                         c10::DispatchKey::PreDispatch,
                         c10::DispatchKey::Python});

// Whether the environment asks to do without meta tensors.
[[maybe_unused]] bool disable_meta_reference() {
  static const bool is_disabled =
      c10::utils::check_env("TORCH_DISABLE_FUNCTIONALIZATION_META_REFERENCE").value_or(false);
  return is_disabled;
}

// A tensor without memory that has the form of another, for every way in which operators take tensors.
[[maybe_unused]] Tensor to_meta(const Tensor& tensor) {
  if (!tensor.defined()) {
    return {};
  }
  return Tensor(at::detail::empty_strided_symint_meta(
      tensor.sym_sizes(), tensor.sym_strides(), tensor.scalar_type(), tensor.layout(), c10::Device(kMeta)));
}
[[maybe_unused]] std::optional<Tensor> to_meta(const std::optional<Tensor>& tensor) {
  return tensor ? std::make_optional(to_meta(*tensor)) : std::nullopt;
}
[[maybe_unused]] std::vector<Tensor> to_meta(ITensorListRef tensors) {
  std::vector<Tensor> made;
  made.reserve(tensors.size());
  for (const Tensor& tensor : tensors) {
    made.push_back(to_meta(tensor));
  }
  return made;
}
[[maybe_unused]] c10::List<std::optional<Tensor>> to_meta(const c10::List<std::optional<Tensor>>& tensors) {
  c10::List<std::optional<Tensor>> made;
  made.reserve(tensors.size());
  for (const std::optional<Tensor>& tensor : tensors) {
    made.push_back(to_meta(tensor));
  }
  return made;
}

} // namespace

${func_definitions}

${func_add_back_views_definitions}

} // namespace at::functionalization

namespace at {
namespace {

TORCH_LIBRARY_IMPL(aten, Functionalize, m) {
  ${func_registrations}
  ${func_add_back_views_registrations}
}

} // namespace
} // namespace at
