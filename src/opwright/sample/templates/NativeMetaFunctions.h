// ${generated_comment}
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/IListRef.h>
#include <ATen/core/Tensor.h>

${NativeMetaFunctions_includes}

// One class for each structured group: its function meta, written by hand, finds out what the outputs look like.
namespace at::meta {

${NativeMetaFunctions_declarations}

} // namespace at::meta
