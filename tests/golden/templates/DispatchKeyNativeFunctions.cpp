$includes
$native_functions_include
$helper_fns
$namespace_prologue
$native_function_definitions
$namespace_epilogue
