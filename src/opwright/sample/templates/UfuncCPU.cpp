// ${generated_comment}
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/native/DispatchStub.h>

// The two classes are declared once more here, so that this file does not change with every other operator.
namespace at::meta {

${meta_declaration}

} // namespace at::meta

namespace at::native {

${native_declaration}

${native_definitions}

} // namespace at::native
