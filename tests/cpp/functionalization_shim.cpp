// What RegisterFunctionalization_*.cpp calls in libtorch and libtorch does not export.
//
// The functions are declared in ATen/FunctionalTensorWrapper.h. Built into each library with such a file.
#include <ATen/FunctionalTensorWrapper.h>

namespace at::functionalization::impl {

// A wrapper that belongs to the storage of `base`, and knows by which view of it `view_to_wrap` comes about.
Tensor create_functional_tensor_with_view_meta(
    const Tensor& view_to_wrap,
    const Tensor& base,
    const std::shared_ptr<ViewMeta>& meta,
    int64_t out_idx) {
  // The step made by a view with several results says for the first of them how to get there.
  return at::detail::make_tensor<FunctionalTensorWrapper>(
      view_to_wrap,
      unsafeGetFunctionalWrapper(base),
      out_idx == 0 ? meta : meta->to_out_index(out_idx));
}

std::vector<Tensor> create_functional_tensor_with_view_meta(
    ITensorListRef view_to_wrap,
    const Tensor& base,
    const std::shared_ptr<ViewMeta>& meta) {
  std::vector<Tensor> wrapped;
  for (const Tensor& view : view_to_wrap) {
    const auto position = static_cast<int64_t>(wrapped.size());
    wrapped.push_back(create_functional_tensor_with_view_meta(view, base, meta, position));
  }
  return wrapped;
}

void mutate_view_meta(const Tensor& self, const std::shared_ptr<ViewMeta>& meta) {
  unsafeGetFunctionalWrapper(self)->mutate_view_meta(meta);
}

// Gives the wrapper the geometry that the view has on meta tensors.
void set_sizes_strides_offset(const Tensor& out, const Tensor& meta_out) {
  out.unsafeGetTensorImpl()->set_sizes_and_strides(
      meta_out.sym_sizes(), meta_out.sym_strides(), meta_out.sym_storage_offset());
}

void set_sizes_strides_offset(const std::vector<Tensor>& outs, const std::vector<Tensor>& meta_outs) {
  TORCH_CHECK(outs.size() == meta_outs.size());
  for (size_t i = 0; i < outs.size(); ++i) {
    set_sizes_strides_offset(outs[i], meta_outs[i]);
  }
}

} // namespace at::functionalization::impl
