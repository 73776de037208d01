$name
$native_definitions
