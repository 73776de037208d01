// ${generated_comment}
#pragma once

// The names of all operators.
#define FORALL_ATEN_BASE_SYMBOLS(_) \
${aten_symbols}

// The names of all their arguments.
#define FORALL_ATTR_BASE_SYMBOLS(_) \
${attr_symbols}
