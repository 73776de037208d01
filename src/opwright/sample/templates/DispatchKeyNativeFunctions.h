// ${generated_comment}
#pragma once

#include <ATen/Tensor.h>

${namespace_prologue}
struct ${class_name} {
${dispatch_declarations}
};
${namespace_epilogue}
