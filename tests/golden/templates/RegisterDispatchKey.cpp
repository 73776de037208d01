$extra_cuda_headers
$external_backend_headers
$dispatch_headers
$ops_headers
$dispatch_helpers
$dispatch_definitions
