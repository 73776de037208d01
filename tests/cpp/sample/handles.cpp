// The schemas and handles of the sample's operators, and one that calls another.
//
// One translation unit, because most of the time of a small one goes into libtorch's headers.
#include <ATen/RegisterSchema.cpp>

#include <ATen/Operators_0.cpp>
#include <ATen/Operators_1.cpp>
#include <ATen/Operators_2.cpp>
#include <ATen/Operators_3.cpp>
#include <ATen/Operators_4.cpp>

at::Tensor blend_by_handle(const at::Tensor& self, const at::Tensor& other) {
  return at::_ops::blend::call(self, other, 3);
}

TORCH_LIBRARY(sample_users, m) {
  m.def("blend_by_handle", blend_by_handle);
}
