// ${generated_comment}
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

// The methods of Tensor that are written by hand and too large, or too seldom used, for the header.
namespace at {

const Tensor& Tensor::require_defined(std::string_view caller) const {
  TORCH_CHECK(defined(), caller, ": expected a tensor, found an undefined one");
  return *this;
}

// libtorch's headers ask for the parts of a sparse tensor. They are operators of libtorch, not of
// this library, so they are looked up by name.
namespace {
Tensor part_of(const Tensor& sparse, const char* operator_name) {
  return c10::Dispatcher::singleton()
      .findSchemaOrThrow(operator_name, "")
      .typed<Tensor(const Tensor&)>()
      .call(sparse);
}
} // namespace

Tensor Tensor::_indices() const {
  return part_of(*this, "aten::_indices");
}
Tensor Tensor::_values() const {
  return part_of(*this, "aten::_values");
}
Tensor Tensor::crow_indices() const {
  return part_of(*this, "aten::crow_indices");
}
Tensor Tensor::col_indices() const {
  return part_of(*this, "aten::col_indices");
}
Tensor Tensor::values() const {
  return part_of(*this, "aten::values");
}

} // namespace at
