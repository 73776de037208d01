// The kernels of the example: what `tiny.yaml` lists beside the kernels of memory.
//
// Plain kernels do everything themselves. Structured ones are called when their outputs are there: of the right size,
// type and device, checked against what the caller gave as `out=`; one `impl` serves all variants of an operator.
#include "PrivateUse1NativeFunctions.h"
#include "driver.h"
#include "generator.h"
#include "host_view.h"

#include <ATen/ExpandUtils.h>
#include <ATen/native/BinaryOps.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_log_softmax.h>
#include <ATen/ops/_log_softmax_backward_data.h>
#include <ATen/ops/add.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/atan2.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/result_type.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/threshold_backward.h>

namespace tiny {

// Plain kernels.

at::Tensor& PrivateUse1NativeFunctions::fill_(at::Tensor& self, const at::Scalar& value) {
  host_view(self).fill_(value);
  return self;
}

at::Tensor& PrivateUse1NativeFunctions::zero_(at::Tensor& self) {
  host_view(self).zero_();
  return self;
}

at::Tensor& PrivateUse1NativeFunctions::normal_(
    at::Tensor& self, double mean, double std, std::optional<at::Generator> generator) {
  host_view(self).normal_(mean, std, host_generator(generator, self.get_device()));
  return self;
}

at::Tensor& PrivateUse1NativeFunctions::uniform_(
    at::Tensor& self, double from, double to, std::optional<at::Generator> generator) {
  host_view(self).uniform_(from, to, host_generator(generator, self.get_device()));
  return self;
}

at::Tensor PrivateUse1NativeFunctions::relu(const at::Tensor& self) {
  auto result = at::empty_like(self);
  host_view(result).copy_(host_view(self)).relu_();
  return result;
}

at::Tensor& PrivateUse1NativeFunctions::relu_(at::Tensor& self) {
  host_view(self).relu_();
  return self;
}

// An out= kernel for an operator that PyTorch has structured kernels for. Nobody has looked at `out` yet.
at::Tensor& PrivateUse1NativeFunctions::neg_out(const at::Tensor& self, at::Tensor& out) {
  TORCH_CHECK(
      c10::canCast(self.scalar_type(), out.scalar_type()),
      "result type ", self.scalar_type(), " can't be cast to the desired output type ", out.scalar_type());
  at::native::resize_output(out, self.sizes());
  auto result = host_view(out);
  at::neg_out(result, host_view(self));
  return out;
}

// Structured kernels. Their classes, declared in the generated header, have the meta function of PyTorch unless the
// YAML says otherwise.

namespace {

// On its way to the device, an iterator has everything that a kernel is launched with: pointers, sizes, strides.
void add_on_device(at::TensorIteratorBase& iterator, const at::Scalar& alpha) {
  auto result = host_view(iterator.tensor(0));
  at::add_out(result, host_view(iterator.tensor(1)), host_view(iterator.tensor(2)), alpha);
}

} // namespace

// `kernel: my_add` in the YAML. The class is an iterator over output and inputs, which `meta` has set up.
void structured_my_add::impl(const at::Tensor&, const at::Tensor&, const at::Scalar& alpha, const at::Tensor&) {
  add_on_device(*this, alpha);
}

// The loop that a device would run: no types to convert for the most frequent case, strides for all layouts.
void structured_mul_out::impl(const at::Tensor& self, const at::Tensor& other, const at::Tensor& out) {
  const auto is_float = [](const at::Tensor& tensor) { return tensor.scalar_type() == at::kFloat; };
  if (is_float(self) && is_float(other) && is_float(out)) {
    serial_for_each(
        [](char** data, const int64_t* strides, int64_t count) {
          for (int64_t i = 0; i < count; ++i) {
            const auto at = [&](int operand) { return reinterpret_cast<float*>(data[operand] + i * strides[operand]); };
            *at(0) = *at(1) * *at(2);
          }
        },
        {0, numel()});
  } else {
    auto result = host_view(out);
    at::mul_out(result, host_view(self), host_view(other));
  }
}

// A meta function of our own on no particular base: it says what the output is.
void structured_atan2_out::meta(const at::Tensor& self, const at::Tensor& other) {
  const auto common = at::result_type(self, other);
  const auto type = at::isIntegralType(common, /*includeBool=*/true) ? at::typeMetaToScalarType(at::get_default_dtype()) : common;
  const auto& output = maybe_get_output(0);
  TORCH_CHECK(
      !output.defined() || c10::canCast(type, output.scalar_type()),
      "result type ", type, " can't be cast to the desired output type ", output.scalar_type());
  const auto size = at::infer_size(self.sizes(), other.sizes());
  const auto options = self.options().dtype(output.defined() ? output.scalar_type() : type);
  set_output_raw_strided(0, size, {}, options);
}

void structured_atan2_out::impl(const at::Tensor& self, const at::Tensor& other, const at::Tensor& out) {
  auto result = host_view(out);
  at::atan2_out(result, host_view(self), host_view(other));
}

// One on the base that PyTorch's own has: the iterator finds size, type and strides.
void structured_div_out::meta(const at::Tensor& self, const at::Tensor& other) {
  build_borrowing_binary_float_op(maybe_get_output(), self, other);
}

void structured_div_out::impl(const at::Tensor& self, const at::Tensor& other, const at::Tensor& out) {
  auto result = host_view(out);
  at::div_out(result, host_view(self), host_view(other));
}

void structured_mm_out::impl(const at::Tensor& self, const at::Tensor& mat2, const at::Tensor& out) {
  auto result = host_view(out);
  at::mm_out(result, host_view(self), host_view(mat2));
}

void structured_addmm_out::impl(
    const at::Tensor& self,
    const at::Tensor& mat1,
    const at::Tensor& mat2,
    const at::Scalar& beta,
    const at::Scalar& alpha,
    const at::Tensor& out) {
  auto result = host_view(out);
  at::addmm_out(result, host_view(self), host_view(mat1), host_view(mat2), beta, alpha);
}

void structured_sum_out::impl(
    const at::Tensor& self,
    at::OptionalIntArrayRef dim,
    bool keepdim,
    std::optional<at::ScalarType> dtype,
    const at::Tensor& out) {
  auto result = host_view(out);
  at::sum_out(result, host_view(self), dim, keepdim, dtype);
}

void structured_mean_out::impl(
    const at::Tensor& self,
    at::OptionalIntArrayRef dim,
    bool keepdim,
    std::optional<at::ScalarType> dtype,
    const at::Tensor& out) {
  auto result = host_view(out);
  at::mean_out(result, host_view(self), dim, keepdim, dtype);
}

void structured_threshold_backward_out::impl(
    const at::Tensor& grad_output, const at::Tensor& self, const at::Scalar& threshold, const at::Tensor& grad_input) {
  auto result = host_view(grad_input);
  at::threshold_backward_out(result, host_view(grad_output), host_view(self), threshold);
}

void structured__log_softmax_out::impl(
    const at::Tensor& self, int64_t dim, bool half_to_float, const at::Tensor& out) {
  auto result = host_view(out);
  at::_log_softmax_out(result, host_view(self), dim, half_to_float);
}

void structured__log_softmax_backward_data_out::impl(
    const at::Tensor& grad_output,
    const at::Tensor& output,
    int64_t dim,
    at::ScalarType input_dtype,
    const at::Tensor& out) {
  auto result = host_view(out);
  at::_log_softmax_backward_data_out(result, host_view(grad_output), host_view(output), dim, input_dtype);
}

} // namespace tiny

namespace at::native {

// `sub.out` is PyTorch's own structured kernel. It calls what each device has registered for the iterator of a sum.
REGISTER_PRIVATEUSE1_DISPATCH(add_stub, &tiny::add_on_device)

} // namespace at::native
