class Tensor {
  $tensor_method_declarations
}
$tensor_method_definitions
