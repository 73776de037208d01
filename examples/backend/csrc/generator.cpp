// Random numbers: a generator for each device, with a generator of the CPU behind it that holds the state.
//
// So a device draws the numbers that the CPU draws after the same seed. A device with a generator of its own keeps its
// seed and state here, and makes its kernels read them. Without this file `torch.Generator("tiny")` fails.
#include "generator.h"

#include "driver.h"

#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/TensorImpl.h>

#include <vector>

namespace tiny {
namespace {

struct DeviceGenerator final : c10::GeneratorImpl {
  DeviceGenerator(c10::DeviceIndex index, at::Generator host)
      : c10::GeneratorImpl(
            c10::Device(c10::DeviceType::PrivateUse1, index), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1)),
        host(std::move(host)) {}

  void set_current_seed(uint64_t seed) override {
    const std::lock_guard lock(host.mutex());
    host.set_current_seed(seed);
  }

  uint64_t current_seed() const override {
    const std::lock_guard lock(host.mutex());
    return host.current_seed();
  }

  uint64_t seed() override {
    const std::lock_guard lock(host.mutex());
    return host.seed();
  }

  void set_offset(uint64_t /*offset*/) override {
    TORCH_CHECK(false, "tiny: random number generators have a state, but no offset in it");
  }

  uint64_t get_offset() const override {
    TORCH_CHECK(false, "tiny: random number generators have a state, but no offset in it");
  }

  void set_state(const c10::TensorImpl& state) override {
    const std::lock_guard lock(host.mutex());
    host.unsafeGetGeneratorImpl()->set_state(state);
  }

  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    const std::lock_guard lock(host.mutex());
    return host.unsafeGetGeneratorImpl()->get_state();
  }

  mutable at::Generator host;

 private:
  DeviceGenerator* clone_impl() const override {
    const std::lock_guard lock(host.mutex());
    return new DeviceGenerator(device().index(), host.clone());
  }
};

c10::DeviceIndex checked(c10::DeviceIndex index) {
  const auto count = driver::device_count();
  TORCH_CHECK(index >= -1 && index < count, "tiny: there is no device ", static_cast<int>(index), "; devices: ", count);
  return index == -1 ? static_cast<c10::DeviceIndex>(driver::current_device()) : index;
}

} // namespace

at::Generator new_generator(c10::DeviceIndex index) {
  return at::make_generator<DeviceGenerator>(checked(index), at::detail::createCPUGenerator());
}

const at::Generator& default_generator(c10::DeviceIndex index) {
  static const auto& generators = *[] { // never destroyed: Python may still hold one at exit
    auto* made = new std::vector<at::Generator>;
    for (int device = 0; device < driver::device_count(); ++device) {
      made->push_back(new_generator(static_cast<c10::DeviceIndex>(device)));
    }
    return made;
  }();
  return generators[checked(index)];
}

at::Generator host_generator(const std::optional<at::Generator>& generator, c10::DeviceIndex index) {
  const auto& used = generator.has_value() && generator->defined() ? *generator : default_generator(index);
  const auto* device_generator = dynamic_cast<DeviceGenerator*>(used.unsafeGetGeneratorImpl());
  return device_generator == nullptr ? used : device_generator->host;
}

} // namespace tiny
