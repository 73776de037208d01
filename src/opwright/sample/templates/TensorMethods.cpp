// ${generated_comment}
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

// The methods of Tensor that are written by hand and too large, or too seldom used, for the header.
namespace at {

const Tensor& Tensor::require_defined(std::string_view caller) const {
  TORCH_CHECK(defined(), caller, ": expected a tensor, found an undefined one");
  return *this;
}

// libtorch's headers ask for the parts of a sparse tensor, and generated code clones and copies. These
// are operators of libtorch, not of this library, so they are looked up by name.
namespace {
template <typename Schema>
auto libtorch_operator(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Schema>();
}
Tensor part_of(const Tensor& sparse, const char* operator_name) {
  return libtorch_operator<Tensor(const Tensor&)>(operator_name).call(sparse);
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

Tensor Tensor::clone(std::optional<MemoryFormat> memory_format) const {
  using Schema = Tensor(const Tensor&, std::optional<MemoryFormat>);
  return libtorch_operator<Schema>("aten::clone").call(*this, memory_format);
}
Tensor& Tensor::copy_(const Tensor& source, bool non_blocking) const {
  using Schema = Tensor&(Tensor&, const Tensor&, bool);
  return libtorch_operator<Schema>("aten::copy_").call(const_cast<Tensor&>(*this), source, non_blocking);
}
const Tensor& Tensor::as_strided_(IntArrayRef size, IntArrayRef stride) const {
  using Schema = const Tensor&(const Tensor&, SymIntArrayRef, SymIntArrayRef, std::optional<SymInt>);
  return libtorch_operator<Schema>("aten::as_strided_")
      .call(*this, fromIntArrayRefSlow(size), fromIntArrayRefSlow(stride), std::nullopt);
}

} // namespace at
