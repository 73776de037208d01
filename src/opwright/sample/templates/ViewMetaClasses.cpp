// ${generated_comment}
#include <ATen/FunctionalInverses.h>
#include <ATen/ViewMetaClasses.h>

#ifdef AT_PER_OPERATOR_HEADERS
${op_headers}
#else
#include <ATen/NativeFunctions.h>
#include <ATen/Operators.h>
#endif

namespace at::functionalization {

${view_meta_implementations}

} // namespace at::functionalization
