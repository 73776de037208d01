// ${generated_comment}
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <ATen/core/ATen_fwd.h>

namespace at::_ops {

${declarations}

} // namespace at::_ops
