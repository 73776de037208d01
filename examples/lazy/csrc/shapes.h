// Shape functions that PyTorch does not have. Generated kernels call them in this namespace, whatever their own is.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/lazy/core/shape.h>

#include <vector>

namespace torch::lazy {

std::vector<Shape> compute_shape_roll(const at::Tensor& self, at::IntArrayRef shifts, at::IntArrayRef dims);

} // namespace torch::lazy
