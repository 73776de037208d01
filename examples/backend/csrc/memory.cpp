// The kernels that every backend needs: making, resizing, copying and reading tensors. `tiny.yaml` lists them.
//
// None of them knows more about the device than `driver.h` tells. Tensors of different types or layouts are copied by
// way of the host, which works everywhere and is slow; a device has kernels for what its programs do often.
#include "PrivateUse1NativeFunctions.h"
#include "driver.h"

#include <ATen/EmptyTensor.h>
#include <ATen/TensorUtils.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/empty_strided.h>
#include <torch/library.h>

namespace tiny {
namespace {

constexpr c10::DispatchKeySet keys(c10::DispatchKey::PrivateUse1);

// The number of bytes from the first to the last element, with whatever lies between them.
size_t span(const at::Tensor& tensor) {
  return at::detail::computeStorageNbytes(tensor.sizes(), tensor.strides(), tensor.itemsize());
}

void copy_bytes(const at::Tensor& from, const at::Tensor& to) {
  driver::copy(to.mutable_data_ptr(), from.const_data_ptr(), span(from));
}

// A tensor of the host without values, laid out as this one.
at::Tensor host_like(const at::Tensor& tensor) {
  auto host = at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options().device(at::kCPU));
  host._set_conj(tensor.is_conj());
  host._set_neg(tensor.is_neg());
  return host;
}

at::Tensor to_host(const at::Tensor& tensor) {
  if (tensor.is_cpu()) {
    return tensor;
  }
  auto host = host_like(tensor);
  copy_bytes(tensor, host);
  return host;
}

// Whether the bytes of both mean the same, and no byte between their elements belongs to another tensor.
bool same_layout(const at::Tensor& one, const at::Tensor& other) {
  return one.dtype() == other.dtype() && one.sizes() == other.sizes() && one.strides() == other.strides() &&
      one.is_conj() == other.is_conj() && one.is_neg() == other.is_neg() && one.is_non_overlapping_and_dense();
}

} // namespace

at::Tensor PrivateUse1NativeFunctions::empty(
    at::IntArrayRef size,
    std::optional<at::ScalarType> dtype,
    std::optional<at::Layout> /*layout*/,
    std::optional<at::Device> /*device*/, // the guard in the generated code has chosen it
    std::optional<bool> pin_memory,
    std::optional<at::MemoryFormat> memory_format) {
  TORCH_CHECK(!pin_memory.value_or(false), "tiny: only memory of the CPU can be pinned");
  auto* allocator = c10::GetAllocator(at::kPrivateUse1);
  return at::detail::empty_generic(size, allocator, keys, at::dtype_or_default(dtype), memory_format);
}

at::Tensor PrivateUse1NativeFunctions::empty_strided(
    at::IntArrayRef size,
    at::IntArrayRef stride,
    std::optional<at::ScalarType> dtype,
    std::optional<at::Layout> /*layout*/,
    std::optional<at::Device> /*device*/,
    std::optional<bool> pin_memory) {
  TORCH_CHECK(!pin_memory.value_or(false), "tiny: only memory of the CPU can be pinned");
  auto* allocator = c10::GetAllocator(at::kPrivateUse1);
  return at::detail::empty_strided_generic(size, stride, allocator, keys, at::dtype_or_default(dtype));
}

// All copies between devices, and within one, come here; `.to`, `.cpu`, `.contiguous` and `copy_` end in this kernel.
// `self` is the source. A device that works while the host goes on heeds `non_blocking` for pinned memory.
at::Tensor PrivateUse1NativeFunctions::_copy_from(const at::Tensor& self, const at::Tensor& dst, bool /*non_blocking*/) {
  if (same_layout(self, dst)) {
    copy_bytes(self, dst);
  } else if (dst.is_cpu()) {
    dst.copy_(to_host(self));
  } else {
    // Bytes between the elements of `dst` must come back as they are.
    const auto host = dst.is_non_overlapping_and_dense() ? host_like(dst) : to_host(dst);
    host.copy_(to_host(self));
    copy_bytes(host, dst);
  }
  return dst;
}

// The same for an output that has any size so far. The CPU fallback returns its results through it.
at::Tensor PrivateUse1NativeFunctions::_copy_from_and_resize(const at::Tensor& self, const at::Tensor& dst) {
  at::native::resize_output(dst, self.sizes());
  return _copy_from(self, dst, false);
}

const at::Tensor& PrivateUse1NativeFunctions::resize_(
    const at::Tensor& self, at::IntArrayRef size, std::optional<at::MemoryFormat> memory_format) {
  auto* tensor = self.unsafeGetTensorImpl();
  tensor->set_sizes_contiguous(size);
  if (memory_format.has_value() && *memory_format != at::MemoryFormat::Preserve) {
    tensor->empty_tensor_restride(*memory_format);
  }
  const auto needed = at::detail::computeStorageNbytes(
      self.sizes(), self.strides(), self.itemsize(), static_cast<size_t>(self.storage_offset()));
  if (self.numel() != 0 && needed > self.storage().nbytes()) {
    at::detail::getPrivateUse1Hooks().resizePrivateUse1Bytes(self.storage(), needed);
  }
  return self;
}

at::Tensor& PrivateUse1NativeFunctions::set_(
    at::Tensor& self, at::Storage source, int64_t storage_offset, at::IntArrayRef size, at::IntArrayRef stride) {
  at::native::checkSetStorage(self, std::move(source), storage_offset, size, stride);
  const auto contiguous = at::detail::defaultStrides(size);
  at::native::setStrided(self, size, stride.data() ? stride : at::IntArrayRef(contiguous), storage_offset);
  return self;
}

at::Scalar PrivateUse1NativeFunctions::_local_scalar_dense(const at::Tensor& self) {
  return to_host(self).item();
}

namespace {

// PyTorch copies lazily conjugated and negated tensors before it calls a kernel, which for copies would never end.
TORCH_LIBRARY_IMPL(aten, Conjugate, m) {
  m.impl("_copy_from", torch::CppFunction::makeFallthrough());
}

TORCH_LIBRARY_IMPL(aten, Negative, m) {
  m.impl("_copy_from", torch::CppFunction::makeFallthrough());
}

} // namespace

} // namespace tiny
