// ${generated_comment}
#pragma once

#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <ATen/core/ATen_fwd.h>
#include <ATen/core/CheckMemoryFormat.h>
#include <ATen/core/DeprecatedTypeProperties.h>
#include <ATen/core/DeprecatedTypePropertiesRegistry.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/Scalar.h>
#include <c10/core/Stream.h>
#include <c10/core/SymBool.h>
#include <c10/core/SymInt.h>
#include <c10/util/Deprecated.h>
#include <c10/util/OptionalArrayRef.h>

#include <ATen/MethodOperators.h>

namespace at {

class OptionalTensorRef;
class TensorRef;
using ITensorList = c10::IListRef<Tensor>;

// The tensor of this library. TensorBase holds the shape, the type and the storage; this class adds
// the operators, one method for each entry of the operator description that asks for one.
class TORCH_API Tensor : public TensorBase {
 public:
  Tensor() = default;
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) = default;
  explicit Tensor(c10::intrusive_ptr<TensorImpl, UndefinedTensorImpl> impl)
      : TensorBase(std::move(impl)) {}

  // Taking over a base is free, sharing one counts a reference and has to be asked for.
  explicit Tensor(const TensorBase& base) : TensorBase(base) {}
  Tensor(TensorBase&& base) : TensorBase(std::move(base)) {}

  static Tensor wrap_tensor_impl(
      c10::intrusive_ptr<TensorImpl, UndefinedTensorImpl> impl) {
    return Tensor(TensorBase::wrap_tensor_impl(std::move(impl)));
  }

  // Assigning to a named tensor makes it another tensor; the elements of the old one are untouched.
  Tensor& operator=(const Tensor& other) & noexcept {
    impl_ = other.impl_;
    return *this;
  }
  Tensor& operator=(Tensor&& other) & noexcept {
    impl_ = std::move(other.impl_);
    return *this;
  }
  Tensor& operator=(const TensorBase& other) & noexcept {
    impl_ = other.getIntrusivePtr();
    return *this;
  }
  // Assigning to a temporary would have no effect that anybody could see.
  Tensor& operator=(const Tensor&) && = delete;
  Tensor& operator=(Tensor&&) && = delete;

  bool is_same(const Tensor& other) const noexcept {
    return impl_ == other.impl_;
  }

  // Fails with a message that names the caller if there is no tensor in here.
  const Tensor& require_defined(std::string_view caller) const;

  // What libtorch's own headers expect of a tensor.
  DeprecatedTypeProperties& type() const {
    return globalDeprecatedTypePropertiesRegistry().getDeprecatedTypeProperties(
        dispatchKeyToBackend(legacyExtractDispatchKey(key_set())), scalar_type());
  }
  const Tensor& set_requires_grad(bool value) const {
    TensorBase::set_requires_grad(value);
    return *this;
  }
  Tensor& mutable_grad() const {
    return impl_->mutable_grad();
  }
  const Tensor& grad() const {
    return impl_->grad();
  }
  Tensor data() const {
    return Tensor(TensorBase::data());
  }
  Tensor tensor_data() const {
    return Tensor(TensorBase::tensor_data());
  }
  Tensor variable_data() const {
    return Tensor(TensorBase::variable_data());
  }

  // What generated code calls besides.
  Tensor clone(std::optional<MemoryFormat> memory_format = std::nullopt) const;
  Tensor& copy_(const Tensor& source, bool non_blocking = false) const;
  const Tensor& as_strided_(IntArrayRef size, IntArrayRef stride) const;

  Tensor _indices() const;
  Tensor _values() const;
  Tensor crow_indices() const;
  Tensor col_indices() const;
  Tensor values() const;

  // A hook sees the gradient and may return another one to be used instead.
  template <typename T>
  using hook_return_void_t =
      std::enable_if_t<std::is_void_v<std::invoke_result_t<T&, Tensor>>, unsigned>;
  template <typename T>
  using hook_return_var_t =
      std::enable_if_t<std::is_same_v<std::invoke_result_t<T&, Tensor>, Tensor>, unsigned>;
  template <typename T>
  hook_return_void_t<T> register_hook(T&& hook) const;
  template <typename T>
  hook_return_var_t<T> register_hook(T&& hook) const;

  // The operators.
  ${tensor_method_declarations}

 protected:
  // A tensor that does not count as a reference. It must be released before it is destroyed.
  explicit Tensor(unsafe_borrow_t tag, const TensorBase& lender)
      : TensorBase(tag, lender) {}
  friend MaybeOwnedTraits<Tensor>;
  friend OptionalTensorRef;
  friend TensorRef;
};

namespace detail {

template <typename Impl, typename... Args>
Tensor make_tensor(Args&&... args) {
  return Tensor(c10::make_intrusive<Impl>(std::forward<Args>(args)...));
}

} // namespace detail

} // namespace at

// How a tensor is lent, and how one is kept that has a single owner.
namespace c10 {

template <>
struct MaybeOwnedTraits<at::Tensor> {
  using owned_type = at::Tensor;
  using borrow_type = at::Tensor;

  static borrow_type createBorrow(const owned_type& lender) {
    return borrow_type(borrow_type::unsafe_borrow_t{}, lender);
  }
  static void assignBorrow(borrow_type& borrow, const borrow_type& other) {
    borrow.unsafeReleaseTensorImpl();
    borrow = borrow_type(borrow_type::unsafe_borrow_t{}, other);
  }
  static void destroyBorrow(borrow_type& borrow) {
    borrow.unsafeReleaseTensorImpl();
  }
  static const owned_type& referenceFromBorrow(const borrow_type& borrow) {
    return borrow;
  }
  static const owned_type* pointerFromBorrow(const borrow_type& borrow) {
    return &borrow;
  }
  static bool debugBorrowIsValid(const borrow_type&) {
    return true;
  }
};

template <>
struct ExclusivelyOwnedTraits<at::Tensor> {
  using repr_type = at::Tensor;
  using pointer_type = at::Tensor*;
  using const_pointer_type = const at::Tensor*;

  static repr_type nullRepr() {
    return {};
  }
  template <typename... Args>
  static repr_type createInPlace(Args&&... args) {
    return at::Tensor(std::forward<Args>(args)...);
  }
  static repr_type moveToRepr(at::Tensor&& tensor) {
    return std::move(tensor);
  }
  static void destroyOwned(at::Tensor& tensor) {
    ExclusivelyOwnedTraits<at::TensorBase>::destroyOwned(tensor);
  }
  static at::Tensor take(at::Tensor& tensor) {
    return std::move(tensor);
  }
  static pointer_type getImpl(repr_type& tensor) {
    return &tensor;
  }
  static const_pointer_type getImpl(const repr_type& tensor) {
    return &tensor;
  }
};

} // namespace c10

namespace at {

${tensor_method_definitions}

} // namespace at
