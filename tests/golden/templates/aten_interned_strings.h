$aten_symbols
$attr_symbols
