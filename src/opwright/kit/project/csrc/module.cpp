// What `python/mydev/device.py` cannot reach through PyTorch's own interface.
#include "driver.h"
#include "generator.h"

#include <torch/library.h>

namespace mydev {
namespace {

TORCH_LIBRARY_FRAGMENT(mydev, m) {
  m.def("device_count() -> int", [] { return static_cast<int64_t>(driver::device_count()); });
  m.def("default_generator(int device) -> Generator?", [](int64_t device) {
    return default_generator(static_cast<c10::DeviceIndex>(device));
  });
}

} // namespace
} // namespace mydev
