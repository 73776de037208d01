// ${generated_comment}
#pragma once

#include <optional>

#include <ATen/core/Generator.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/Storage.h>
#include <c10/core/SymInt.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/OptionalArrayRef.h>

${static_dispatch_ops_headers}

${operator_includes}

namespace at {

${function_definitions}

} // namespace at
