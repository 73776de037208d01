// The allocator: where the memory of tensors comes from.
//
// Without it the first tensor ends the process.
#include "driver.h"

#include <c10/core/Allocator.h>
#include <c10/core/Device.h>
#include <c10/util/Exception.h>

namespace mydev {
namespace {

// Each call goes to the driver. A device whose own allocation is slow wants blocks kept for the next tensor here.
struct DeviceAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    const auto index = static_cast<c10::DeviceIndex>(driver::current_device());
    const c10::Device device(c10::DeviceType::PrivateUse1, index);
    if (bytes == 0) {
      return {nullptr, device}; // a tensor without elements is on a device all the same
    }
    void* memory = driver::allocate(bytes);
    TORCH_CHECK_WITH(OutOfMemoryError, memory != nullptr, "mydev: no memory left on ", device, " for ", bytes, " bytes");
    return {memory, memory, &driver::release, device};
  }

  c10::DeleterFnPtr raw_deleter() const override {
    return &driver::release;
  }

  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    driver::copy(to, from, bytes);
  }
};

DeviceAllocator allocator;
REGISTER_ALLOCATOR(c10::DeviceType::PrivateUse1, &allocator)

} // namespace
} // namespace mydev
