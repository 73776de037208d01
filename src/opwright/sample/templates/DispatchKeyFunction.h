// ${generated_comment}
#pragma once

#include <ATen/core/ATen_fwd.h>
#include <ATen/core/Reduction.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/Scalar.h>
#include <c10/core/TensorOptions.h>

namespace at::${dispatch_namespace} {

${dispatch_namespaced_declarations}

} // namespace at::${dispatch_namespace}
