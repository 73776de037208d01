// The hooks: what PyTorch asks a backend about itself in places that know no backend.
//
// Without them every backward pass fails, as do `torch.accelerator`, pinned memory and resizing a storage.
#include "driver.h"
#include "generator.h"

#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/DeviceGuard.h>

#include <algorithm>

namespace tiny {
namespace {

// Memory of the host that copies to the device are fast from, for `pin_memory`.
struct PinnedAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    void* memory = bytes == 0 ? nullptr : driver::allocate_pinned(bytes);
    TORCH_CHECK_WITH(
        OutOfMemoryError, memory != nullptr || bytes == 0, "tiny: no pinned memory left for ", bytes, " bytes");
    return {memory, memory, &driver::release, c10::Device(c10::DeviceType::CPU)};
  }

  c10::DeleterFnPtr raw_deleter() const override {
    return &driver::release;
  }

  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
};

struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override {
    return true;
  }

  bool isAvailable() const override {
    return driver::device_count() > 0;
  }

  bool hasPrimaryContext(c10::DeviceIndex index) const override {
    return index >= 0 && index < deviceCount(); // a real device: whether something was sent to it already
  }

  c10::DeviceIndex deviceCount() const override {
    return static_cast<c10::DeviceIndex>(driver::device_count());
  }

  c10::DeviceIndex getCurrentDevice() const override {
    return static_cast<c10::DeviceIndex>(driver::current_device());
  }

  void setCurrentDevice(c10::DeviceIndex index) const override {
    TORCH_CHECK(index >= 0 && index < deviceCount(), "tiny: there is no device ", static_cast<int>(index));
    driver::set_device(index);
  }

  c10::DeviceIndex exchangeDevice(c10::DeviceIndex index) const override {
    const auto before = getCurrentDevice();
    setCurrentDevice(index);
    return before;
  }

  // The same for -1, which means no change.
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex index) const override {
    return index == -1 ? getCurrentDevice() : exchangeDevice(index);
  }

  const at::Generator& getDefaultGenerator(c10::DeviceIndex index) const override {
    return default_generator(index);
  }

  at::Generator getNewGenerator(c10::DeviceIndex index) const override {
    return new_generator(index);
  }

  at::Device getDeviceFromPtr(void* data) const override {
    const auto owner = driver::owner(data);
    TORCH_CHECK(owner >= 0, "tiny: this memory belongs to no device");
    return {c10::DeviceType::PrivateUse1, static_cast<c10::DeviceIndex>(owner)};
  }

  bool isPinnedPtr(const void* data) const override {
    return driver::owner(data) == driver::pinned;
  }

  at::Allocator* getPinnedMemoryAllocator() const override {
    static PinnedAllocator allocator;
    return &allocator;
  }

  // Storage of another size with the old bytes at its start; the memory is on the device where it was.
  void resizePrivateUse1Bytes(const c10::Storage& storage, size_t bytes) const override {
    const c10::DeviceGuard guard(storage.device());
    auto memory = storage.allocator()->allocate(bytes);
    driver::copy(memory.get(), storage.data(), std::min(bytes, storage.nbytes()));
    storage.unsafeGetStorageImpl()->set_data_ptr_noswap(std::move(memory));
    storage.unsafeGetStorageImpl()->set_nbytes(bytes);
  }
};

const bool registered = [] {
  static Hooks hooks;
  at::RegisterPrivateUse1HooksInterface(&hooks);
  return true;
}();

} // namespace
} // namespace tiny
