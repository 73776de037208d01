// All that the other files ask of the device: its number, its memory, copying, waiting.
//
// `driver.cpp` answers with memory of the host. For a real device, put the calls of its own library there; nothing
// else of the runtime has to change for that.
#pragma once

#include <cstddef>

namespace tiny::driver {

// Devices are numbered from 0. With 0 devices, the backend says that it is not available. Must not throw.
int device_count() noexcept;

// The device that memory is taken from and work is sent to; each thread has its own, and starts with 0.
int current_device() noexcept;
void set_device(int device) noexcept;

// Memory of the current device, or memory of the host that the device can read; null when there is none left.
void* allocate(std::size_t bytes);
void* allocate_pinned(std::size_t bytes);
void release(void* memory) noexcept;

// What a pointer, also one into the middle of a block, points to: the number of the device, or one of these.
constexpr int pinned = -1, unknown = -2;
int owner(const void* memory);

// Copies between any two places, of the host and of devices, and returns when it is done.
void copy(void* to, const void* from, std::size_t bytes);

// Waits for everything that was sent to a device.
void synchronize(int device);

} // namespace tiny::driver
