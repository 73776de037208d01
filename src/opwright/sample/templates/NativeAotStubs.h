// ${generated_comment}
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

// Through these stubs, structured operators find kernels that were compiled ahead of time. There are none behind them
// here: the library that has the kernels puts them there when it is loaded.
namespace at::native {

${native_aot_stub_declarations}

} // namespace at::native
