// ${generated_comment}
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <c10/core/QScheme.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymBool.h>
#include <c10/core/SymInt.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/OptionalArrayRef.h>

${Operators_includes}

// One class per operator: its name and schema as constants, and the two ways to call it.
namespace at::_ops {

${Operators_declarations}

} // namespace at::_ops
