#include "shapes.h"

namespace torch::lazy {

std::vector<Shape> compute_shape_roll(const at::Tensor& self, at::IntArrayRef /*shifts*/, at::IntArrayRef /*dims*/) {
  return {Shape(self.scalar_type(), self.sizes().vec())};
}

} // namespace torch::lazy
