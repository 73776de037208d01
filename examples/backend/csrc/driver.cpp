// A stand-in for the device: two devices whose memory is the host's and whose work is done at once.
#include "driver.h"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>

namespace tiny::driver {
namespace {

struct Block {
  std::size_t bytes;
  int owner;
};

// Which memory is whose. Never destroyed: tensors may outlive the library's own variables.
std::map<const char*, Block, std::greater<>>& blocks = *new std::map<const char*, Block, std::greater<>>;
std::mutex& guard = *new std::mutex;

thread_local int current = 0;

void* take(std::size_t bytes, int owner) {
  void* memory = std::malloc(bytes);
  if (memory != nullptr) {
    const std::lock_guard lock(guard);
    blocks[static_cast<const char*>(memory)] = {bytes, owner};
  }
  return memory;
}

} // namespace

int device_count() noexcept {
  return 2;
}

int current_device() noexcept {
  return current;
}

void set_device(int device) noexcept {
  current = device;
}

void* allocate(std::size_t bytes) {
  return take(bytes, current);
}

void* allocate_pinned(std::size_t bytes) {
  return take(bytes, pinned);
}

void release(void* memory) noexcept {
  {
    const std::lock_guard lock(guard);
    blocks.erase(static_cast<const char*>(memory));
  }
  std::free(memory);
}

int owner(const void* memory) {
  const auto* place = static_cast<const char*>(memory);
  const std::lock_guard lock(guard);
  // Blocks come in falling order, so this is the last one that begins at or before the pointer.
  const auto found = blocks.lower_bound(place);
  return found != blocks.end() && place < found->first + found->second.bytes ? found->second.owner : unknown;
}

void copy(void* to, const void* from, std::size_t bytes) {
  if (bytes != 0) { // without bytes, either pointer may be null
    std::memmove(to, from, bytes);
  }
}

void synchronize(int /*device*/) {}

} // namespace tiny::driver
