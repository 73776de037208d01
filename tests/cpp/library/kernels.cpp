// The library: what was generated, kernels written by hand, and operators that use it from C++.
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

#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/zeros_like.h>

namespace {

using at::Scalar;
using at::Tensor;

std::atomic<int64_t> passed_on{0};

// Kernels.

Tensor& scaled_add_out_cpu(const Tensor& self, const Tensor& other, const Scalar& scale, Tensor& out) {
  return at::add_out(out, self, other, scale);
}

Tensor scaled_add_cpu(const Tensor& self, const Tensor& other, const Scalar& scale) {
  Tensor out = at::empty_like(self);
  return scaled_add_out_cpu(self, other, scale, out);
}

Tensor head(const Tensor& self, c10::SymInt count) {
  return at::slice_symint(self, 0, 0, std::move(count));
}

std::tuple<Tensor, Tensor> center(
    const Tensor& self,
    at::IntArrayRef dim,
    std::optional<at::ArrayRef<double>> shift,
    bool keepdim) {
  Tensor mean = at::mean(self, dim, keepdim);
  for (double step : shift.value_or(at::ArrayRef<double>{})) {
    mean = at::add(mean, step);
  }
  return {mean, at::sub(self, at::mean(self, dim, true))};
}

Tensor ramp(
    c10::SymInt count,
    std::optional<at::ScalarType> dtype,
    std::optional<at::Layout> layout,
    std::optional<at::Device> device,
    std::optional<bool> pin_memory) {
  return at::arange(count.expect_int(), dtype, layout, device, pin_memory);
}

Tensor blank(
    const Tensor& self,
    at::ScalarType dtype,
    at::Layout layout,
    at::Device device,
    bool pin_memory) {
  return at::zeros_like(self, dtype, layout, device, pin_memory, std::nullopt);
}

int64_t length(const Tensor& self, c10::string_view text) {
  return self.dim() + static_cast<int64_t>(text.size());
}

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

TORCH_LIBRARY_IMPL(mine, CPU, m) {
  m.impl("scaled_add", scaled_add_cpu);
  m.impl("scaled_add.out", scaled_add_out_cpu);
}

TORCH_LIBRARY_IMPL(mine, AutogradCPU, m) {
  m.impl("scaled_add", scaled_add_autograd);
}

TORCH_LIBRARY_IMPL(mine, CompositeImplicitAutograd, m) {
  m.impl("head", head);
  m.impl("center", center);
  m.impl("ramp", ramp);
  m.impl("blank", blank);
  m.impl("length", length);
}

TORCH_LIBRARY(mine_users, m) {
  m.def("by_handle", by_handle);
  m.def("by_function", by_function);
  m.def("default_length", default_length);
  m.def("count_passed_on", count_passed_on);
}
