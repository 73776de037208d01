// ${generated_comment}
#pragma once

#include <ATen/core/ATen_fwd.h>
#include <ATen/core/Reduction.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/Scalar.h>
#include <c10/core/TensorOptions.h>

// What stands here is in the namespace ${dispatch_namespace} of its library.
${DispatchKeyFunctions_inl_includes}

${dispatch_namespaced_declarations}
