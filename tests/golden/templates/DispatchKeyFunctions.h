$dispatch_key
$inline_headers
