// ${generated_comment}
#include <torch/library.h>

// The namespace aten belongs to libtorch, so only the library's own is defined here.
${schema_registrations}
