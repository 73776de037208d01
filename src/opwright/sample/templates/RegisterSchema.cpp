// ${generated_comment}
#include <torch/library.h>

TORCH_LIBRARY(aten, m) {
  ${aten_schema_registrations}
}

${schema_registrations}
