// ${generated_comment}
#include <ATen/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#ifdef AT_PER_OPERATOR_HEADERS
${operator_headers}
#else
#include <ATen/Operators.h>
#endif

${static_dispatch_extra_headers}

namespace at::_ops {

${definitions}

} // namespace at::_ops
