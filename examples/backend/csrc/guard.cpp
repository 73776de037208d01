// The device guard: how PyTorch chooses a device for a while, and waits for it.
//
// Without it PyTorch says that it "is not linked with support for tiny devices". Streams and events are here as well:
// this device has one stream, the default one, and has done its work when a call returns.
#include "driver.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>

namespace tiny {
namespace {

c10::Device device_at(int index) {
  return {c10::DeviceType::PrivateUse1, static_cast<c10::DeviceIndex>(index)};
}

struct DeviceGuard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override {
    return c10::DeviceType::PrivateUse1;
  }

  c10::DeviceIndex deviceCount() const noexcept override {
    return static_cast<c10::DeviceIndex>(driver::device_count());
  }

  c10::Device getDevice() const override {
    return device_at(driver::current_device());
  }

  void setDevice(c10::Device device) const override {
    const auto count = driver::device_count();
    TORCH_CHECK(
        device.index() >= 0 && device.index() < count, "tiny: there is no ", device, "; devices: ", count);
    driver::set_device(device.index());
  }

  void uncheckedSetDevice(c10::Device device) const noexcept override {
    driver::set_device(device.index());
  }

  c10::Device exchangeDevice(c10::Device device) const override {
    const auto before = getDevice();
    setDevice(device);
    return before;
  }

  void synchronizeDevice(c10::DeviceIndex index) const override {
    driver::synchronize(index);
  }

  c10::Stream getStream(c10::Device device) const override {
    return c10::Stream(c10::Stream::DEFAULT, device.has_index() ? device : getDevice());
  }

  c10::Stream getDefaultStream(c10::Device device) const override {
    return getStream(device);
  }

  c10::Stream getNewStream(c10::Device device, int /*priority*/) const override {
    return getStream(device);
  }

  c10::Stream getStreamFromGlobalPool(c10::Device device, bool /*is_high_priority*/) const override {
    return getStream(device);
  }

  c10::Stream exchangeStream(c10::Stream stream) const override {
    return getStream(stream.device());
  }

  bool queryStream(const c10::Stream& /*stream*/) const override {
    return true;
  }

  void synchronizeStream(const c10::Stream& stream) const override {
    driver::synchronize(stream.device_index());
  }

  // An event marks a point in a stream. Here everything before that point is already done.
  void record(void**, const c10::Stream&, const c10::DeviceIndex, const c10::EventFlag) const override {}
  void block(void*, const c10::Stream&) const override {}
  void synchronizeEvent(void*) const override {}
  bool queryEvent(void*) const override {
    return true;
  }
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, DeviceGuard)

} // namespace
} // namespace tiny
