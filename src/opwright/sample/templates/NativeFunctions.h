// ${generated_comment}
#pragma once

#include <array>
#include <optional>
#include <tuple>
#include <vector>

#include <ATen/core/Generator.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <c10/core/QScheme.h>
#include <c10/core/Scalar.h>
#include <c10/core/Storage.h>
#include <c10/core/SymInt.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/OptionalArrayRef.h>

${NativeFunctions_includes}

// The kernels, which are written by hand: functions, and the classes of structured ones.

${NativeFunctions_declarations}
