// Every operator that a backend can register a kernel for, followed by what there is to know of it.

${registration_declarations}
