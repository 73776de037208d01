// What libtorch's headers for vmap need of a library that does not come with them, enough to be compiled.
#pragma once

#include <string>

namespace nlohmann {

struct json {
  json() = default;
  template <typename Value>
  explicit json(const Value&) {}
  std::string dump() const;
  static json parse(const std::string&);
  template <typename Value>
  Value get() const;
};

} // namespace nlohmann
