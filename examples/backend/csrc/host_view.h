// The work of this device is done by the CPU: a kernel looks at the memory of its tensors with tensors of the CPU, and
// computes with those. A real device is sent the work here instead.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>

namespace tiny {

// A tensor of the CPU on the same memory; tensors of the CPU (numbers, as a rule) are given back as they are.
inline at::Tensor host_view(const at::Tensor& tensor) {
  if (tensor.is_cpu()) {
    return tensor;
  }
  return at::from_blob(
      tensor.data_ptr(), tensor.sizes(), tensor.strides(), tensor.options().device(at::kCPU));
}

} // namespace tiny
