// What generated code needs when it is in a namespace of its own: it names classes of torch::lazy without saying so.
#pragma once

#include <torch/csrc/lazy/core/tensor.h>
#include <torch/csrc/lazy/ts_backend/ts_node.h>

#include "shapes.h"

namespace traced {
using namespace torch::lazy;
} // namespace traced
