// ${generated_comment}
#pragma once

#include <torch/headeronly/macros/Macros.h>

HIDDEN_NAMESPACE_BEGIN(torch, headeronly)

// The tags that an operator can carry.
enum class Tag {
    ${enum_of_valid_tags}
};

HIDDEN_NAMESPACE_END(torch, headeronly)

namespace at {
using torch::headeronly::Tag;
} // namespace at
