// ${generated_comment}
// The inner loops, which are written by hand.
#include <ATen/native/ufunc/${name}.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/native/DispatchStub.h>
#include <c10/core/Scalar.h>
${cuda_headers}

// The two classes are declared once more here, so that this file does not change with every other operator.
namespace at::meta {

${meta_declaration}

} // namespace at::meta

namespace at::native {

${native_declaration}

${native_definitions}

} // namespace at::native
