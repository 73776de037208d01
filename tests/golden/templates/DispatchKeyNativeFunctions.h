$namespace_prologue
$class_name
$dispatch_declarations
$namespace_epilogue
