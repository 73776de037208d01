// ${generated_comment}
#pragma once

#include <ATen/FunctionalStorageImpl.h>

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

// What functionalization remembers of a view: how to make it from its base once more, and how to undo it.
namespace at::functionalization {

${view_meta_declarations}

} // namespace at::functionalization
