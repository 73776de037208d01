$aten_ops
