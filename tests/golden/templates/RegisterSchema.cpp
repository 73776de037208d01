TORCH_LIBRARY(aten, m) {
  $aten_schema_registrations
}
$schema_registrations
