// Stands for a header that libtorch does not bring.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::detail {

TensorBase empty_mtia(IntArrayRef size, const TensorOptions& options);
TensorBase empty_strided_mtia(IntArrayRef size, IntArrayRef stride, const TensorOptions& options);

} // namespace at::detail
