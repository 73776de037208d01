// ${generated_comment}
// The inner loops, which are written by hand.
#include <ATen/native/ufunc/${name}.h>

#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/DispatchStub.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/Scalar.h>

// A build compiles this file once for each set of vector instructions; the stub chooses between them.
namespace at::native {

${native_definitions}

} // namespace at::native
