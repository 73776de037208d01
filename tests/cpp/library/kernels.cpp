// The library: the handles and functions that were generated, kernels, and operators that use it from C++.
//
// One translation unit, because most of the time of a small one goes into libtorch's headers.
#include "generated/RegisterSchema.cpp"

#include "generated/Operators_0.cpp"
#include "generated/Operators_1.cpp"
#include "generated/Operators_2.cpp"
#include "generated/Operators_3.cpp"
#include "generated/Operators_4.cpp"

#include "generated/RedispatchFunctions.h"

#include <atomic>

#include <ATen/TensorIterator.h>
#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/scaled_add_cpu_dispatch.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/slice_scatter.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/zeros_like.h>

#include <ATen/FunctionalInverses.h>

#include <ATen/ops/blank_native.h>
#include <ATen/ops/center_native.h>
#include <ATen/ops/clip_counting_native.h>
#include <ATen/ops/head_native.h>
#include <ATen/ops/length_native.h>
#include <ATen/ops/ramp_native.h>
#include <ATen/ops/scaled_add_native.h>
#include <ATen/ops/tail_native.h>

using at::Scalar;
using at::Tensor;

// Kernels.

namespace at::meta {

void structured_scaled_add::meta(const Tensor& self, const Tensor& other, const Scalar&) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
}

} // namespace at::meta

namespace mine::native {

void structured_scaled_add_out::impl(
    const Tensor& self,
    const Tensor& other,
    const Scalar& scale,
    const Tensor& out) {
  at::add_out(const_cast<Tensor&>(out), self, other, scale);
}

Tensor head_symint(const Tensor& self, c10::SymInt count) {
  return at::slice_symint(self, 0, 0, std::move(count));
}

Tensor tail_symint(const Tensor& self, c10::SymInt count) {
  return at::slice_symint(self, 0, -count);
}

Tensor clip_counting(Tensor& buffer, const Scalar& limit) {
  Tensor count = at::gt(buffer, limit).sum();
  buffer.clamp_(std::nullopt, limit);
  return count;
}

Tensor ramp(
    int64_t count,
    std::optional<at::ScalarType> dtype,
    std::optional<at::Layout> layout,
    std::optional<at::Device> device,
    std::optional<bool> pin_memory) {
  return at::arange(count, dtype, layout, device, pin_memory);
}

Tensor blank(
    const Tensor& self,
    at::ScalarType dtype,
    at::Layout layout,
    at::Device device,
    bool pin_memory) {
  return at::zeros_like(self, dtype, layout, device, pin_memory, std::nullopt);
}

} // namespace mine::native

namespace at::native {

std::tuple<Tensor, Tensor> center(
    const Tensor& self,
    IntArrayRef dim,
    std::optional<ArrayRef<double>> shift,
    bool keepdim) {
  Tensor mean = at::mean(self, dim, keepdim);
  for (double step : shift.value_or(ArrayRef<double>{})) {
    mean = at::add(mean, step);
  }
  return {mean, at::sub(self, at::mean(self, dim, true))};
}

int64_t length(const Tensor& self, c10::string_view text) {
  return self.dim() + static_cast<int64_t>(text.size());
}

} // namespace at::native

namespace at::functionalization {

// What functionalization asks of every view: the base after the view was written to.
Tensor FunctionalInverses::head_inverse(
    const Tensor& base,
    const Tensor& mutated_view,
    InverseReturnMode,
    c10::SymInt count) {
  return at::slice_scatter_symint(base, mutated_view, 0, 0, std::move(count));
}

} // namespace at::functionalization

namespace {

std::atomic<int64_t> passed_on{0};

// A kernel that passes the call on to the next dispatch key.
Tensor scaled_add_autograd(
    c10::DispatchKeySet keys,
    const Tensor& self,
    const Tensor& other,
    const Scalar& scale) {
  ++passed_on;
  return at::redispatch::scaled_add(keys & c10::after_autograd_keyset, self, other, scale);
}

// What a user of the library writes in C++.

Tensor by_handle(const Tensor& self, const Tensor& other) {
  return at::_ops::scaled_add::call(self, other, 3);
}

std::vector<Tensor> by_function(const Tensor& self, const Tensor& other) {
  Tensor first = at::empty_like(self);
  Tensor second = at::empty_like(self);
  at::scaled_add_out(first, self, other);
  at::scaled_add_outf(self, other, 5, second);
  auto [mean, rest] = at::center(self, {0}, at::ArrayRef<double>{0.5, 0.25}, /*keepdim=*/true);
  return {
      at::scaled_add(self, other),
      at::cpu::scaled_add(self, other),
      first,
      second,
      at::head(self),
      at::head_symint(self, c10::SymInt(2)),
      at::symint::head<int64_t>(self, 2),
      at::symint::head<c10::SymInt>(self, c10::SymInt(2)),
      mean,
      rest,
      at::ramp(3),
      at::ramp(3, at::kDouble),
      at::ramp_symint(c10::SymInt(3), at::kFloat, at::kStrided, at::kCPU, false),
      at::blank(self, at::kDouble),
      at::blank(self, at::kInt, at::kStrided, at::kCPU, false),
  };
}

int64_t default_length(const Tensor& self) {
  return at::length(self);
}

int64_t count_passed_on() {
  return passed_on;
}

} // namespace

TORCH_LIBRARY_IMPL(mine, AutogradCPU, m) {
  m.impl("scaled_add", scaled_add_autograd);
}

TORCH_LIBRARY(mine_users, m) {
  m.def("by_handle", by_handle);
  m.def("by_function", by_function);
  m.def("default_length", default_length);
  m.def("count_passed_on", count_passed_on);
}
