// ${generated_comment}
#pragma once

// The header of the tensor class needs this one, so the types are only declared here.
#include <ATen/core/ATen_fwd.h>

#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

${MethodOperators_includes}

namespace at::_ops {

${MethodOperators_declarations}

} // namespace at::_ops
