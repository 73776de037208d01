// What RegisterComposite*Autograd_0.cpp calls in libtorch and libtorch does not export.
//
// The kernels behind them are large, so operators that need them fail here and are not compared.
#include <ATen/ops/_fused_rms_norm_native.h>
#include <ATen/ops/_grouped_mm_native.h>
#include <ATen/ops/is_vulkan_available_native.h>
#include <ATen/ops/rms_norm_native.h>

namespace at::native {

#define NOT_EXPORTED TORCH_CHECK(false, __func__, " is hidden in libtorch")

std::tuple<Tensor, Tensor> rms_norm_composite(
    const Tensor&, IntArrayRef, const std::optional<Tensor>&, std::optional<double>) {
  NOT_EXPORTED;
}

Tensor rms_norm_symint(
    const Tensor&, SymIntArrayRef, const std::optional<Tensor>&, std::optional<double>) {
  NOT_EXPORTED;
}

Tensor _grouped_mm(
    const Tensor&,
    const Tensor&,
    const std::optional<Tensor>&,
    const std::optional<Tensor>&,
    std::optional<ScalarType>) {
  NOT_EXPORTED;
}

bool is_vulkan_available() {
  NOT_EXPORTED;
}

} // namespace at::native
