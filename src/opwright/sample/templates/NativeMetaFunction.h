// ${generated_comment}
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/IListRef.h>
#include <ATen/core/Tensor.h>

namespace at::meta {

${meta_function_declarations}

} // namespace at::meta
