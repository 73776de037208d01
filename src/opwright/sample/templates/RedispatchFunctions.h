// ${generated_comment}
#pragma once

#include <optional>

#include <ATen/Operators.h>
#include <ATen/Tensor.h>
#include <ATen/core/Generator.h>
#include <ATen/core/Reduction.h>
#include <c10/core/Scalar.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/OptionalArrayRef.h>

// The public functions once more, for kernels that pass a call on to the next dispatch key.
namespace at::redispatch {

${function_redispatch_definitions}

} // namespace at::redispatch
