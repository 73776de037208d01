// ${generated_comment}
#pragma once

${lazy_ir_sysinc}
${lazy_ir_inc}

${namespace_prologue}
using at::operator<<;

// Stands for a value that is missing: its hash tells f(a, none) from f(none, a).
static const torch::lazy::Value kNullValue = torch::lazy::Value();

${ir_declarations}
${namespace_epilogue}
