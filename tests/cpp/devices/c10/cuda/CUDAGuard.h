// Stands for libtorch's header, which needs those of CUDA.
#pragma once

#include <c10/core/DeviceGuard.h>

namespace c10::cuda {

using OptionalCUDAGuard = c10::OptionalDeviceGuard;

} // namespace c10::cuda
