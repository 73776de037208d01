// ${generated_comment}
#pragma once

#include <ATen/FunctionalStorageImpl.h>
#include <ATen/Tensor.h>

namespace at::functionalization {

// How a change of a view becomes a change of its base. The functions are written by hand, one for each view.
struct FunctionalInverses {
  ${view_inverse_declarations}
};

} // namespace at::functionalization
