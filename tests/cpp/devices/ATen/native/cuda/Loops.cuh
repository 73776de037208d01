// Stands for libtorch's header, which needs a compiler for CUDA. What is called on the device must be there.
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/native/DispatchStub.h>

#define __device__
#define REGISTER_DISPATCH(name, function) REGISTER_CUDA_DISPATCH(name, function)

namespace at::native {

template <typename Functor>
void gpu_kernel(TensorIteratorBase&, const Functor&) {
  [[maybe_unused]] auto called = &Functor::operator();
}

} // namespace at::native
