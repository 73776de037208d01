// An operator with a gradient of its own: its kernel is registered under the autograd key (`autograd:` in the YAML).
#include "PrivateUse1NativeFunctions.h"

#include <torch/csrc/autograd/custom_function.h>

namespace tiny {
namespace {

struct TinySilu : torch::autograd::Function<TinySilu> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& self) {
    context->save_for_backward({self});
    return self.mul(self.sigmoid());
  }

  static torch::autograd::variable_list backward(
      torch::autograd::AutogradContext* context, const torch::autograd::variable_list& gradients) {
    const auto self = context->get_saved_variables()[0];
    const auto sigmoid = self.sigmoid();
    return {gradients[0].mul(sigmoid).mul(self.sub(self.mul(sigmoid)).add(1))};
  }
};

} // namespace

at::Tensor PrivateUse1NativeFunctions::silu(const at::Tensor& self) {
  return TinySilu::apply(self);
}

} // namespace tiny
