// Random numbers of the device; see `generator.cpp`.
#pragma once

#include <ATen/core/Generator.h>

namespace tiny {

// The generator that a device has from the start; -1 is the current device.
const at::Generator& default_generator(c10::DeviceIndex index);

// A further one, as `torch.Generator("tiny")` makes it.
at::Generator new_generator(c10::DeviceIndex index);

// The generator of the CPU that stands behind one of a device, for kernels that draw on the CPU. What is given when
// there is none, or one of another device, is the default generator of `index`, or that one as it is.
at::Generator host_generator(const std::optional<at::Generator>& generator, c10::DeviceIndex index);

} // namespace tiny
