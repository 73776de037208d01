// ${generated_comment}
#include <ATen/NativeAotStubs.h>

namespace at::native {

${native_aot_stub_definitions}

} // namespace at::native
