// ${generated_comment}
#pragma once

// The declarations need the whole tensor class for their defaults.
#include <ATen/core/TensorBody.h>

// The kernels of ${dispatch_key} as functions that are called without the dispatcher.
${inline_headers}
