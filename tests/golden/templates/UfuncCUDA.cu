$name
$cuda_headers
$meta_declaration
$native_declaration
$native_definitions
