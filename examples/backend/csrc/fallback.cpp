// The CPU fallback: operators that the backend has no kernel for run on the CPU, and their results are copied back.
//
// Each run is counted, and operators can be excluded, so that it shows which kernels are worth writing next. Without
// this file such operators fail; to keep it that way for all but a few, call `torch.tiny.fallback.allow`.
#include "generator.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>
#include <torch/library.h>

#include <mutex>
#include <set>

namespace tiny {
namespace {

using Names = std::set<std::string>;

// What Python may ask and change. Guarded, because backward passes run operators in threads of their own.
struct Settings {
  std::mutex guard;
  std::map<std::string, int64_t> counts;
  std::optional<Names> allowed; // all, when not set
  Names denied;
};

Settings& settings() {
  static auto& settings = *new Settings;
  return settings;
}

// Whether a set has an operator: by its full name, or by its name without the overload, which stands for all.
bool has(const Names& names, const c10::OperatorName& name) {
  return names.count(c10::toString(name)) != 0 || names.count(name.name) != 0;
}

void count(const c10::OperatorName& name) {
  auto& [guard, counts, allowed, denied] = settings();
  const std::lock_guard lock(guard);
  TORCH_CHECK_NOT_IMPLEMENTED(
      !has(denied, name) && (!allowed || has(*allowed, name)),
      "tiny has no kernel for ", name, ", and its fallback to the CPU is not allowed");
  ++counts[c10::toString(name)];
}

// The device that the tensors among the arguments are on. On the CPU they would mix freely, so this is where operators
// for the device learn that they do not: tensors of two devices, or an output on the CPU, are faults of the program.
c10::DeviceIndex common_device(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> values) {
  std::optional<c10::Device> device;
  const auto see = [&](const at::Tensor& tensor, bool is_written) {
    if (tensor.defined() && (is_written || tensor.is_privateuseone())) {
      TORCH_CHECK(
          tensor.is_privateuseone() && tensor.device() == device.value_or(tensor.device()),
          "tiny: the tensors of ", op.operator_name(), " must be on the same device, found ", tensor.device(),
          device ? " and " + device->str() : " for an output");
      device = tensor.device();
    }
  };
  for (size_t i = 0; i < values.size(); ++i) {
    const auto* alias = op.schema().arguments()[i].alias_info();
    const auto is_written = alias != nullptr && alias->isWrite();
    if (values[i].isTensor()) {
      see(values[i].toTensor(), is_written);
    } else if (values[i].isTensorList()) {
      for (const at::Tensor& tensor : values[i].toTensorVector()) {
        see(tensor, is_written);
      }
    }
  }
  return device ? device->index() : static_cast<c10::DeviceIndex>(-1);
}

// The CPU's kernels take generators of the CPU. Where no generator is given, that of the tensors' device is meant.
void give_generators(const c10::OperatorHandle& op, torch::jit::Stack* stack, c10::DeviceIndex device) {
  const auto& arguments = op.schema().arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto& type = arguments[i].real_type();
    const auto* optional = type->castRaw<c10::OptionalType>();
    if ((optional ? optional->getElementType() : type)->kind() == c10::TypeKind::GeneratorType) {
      auto& value = torch::jit::peek(*stack, i, arguments.size());
      value = host_generator(value.toOptional<at::Generator>(), device);
    }
  }
}

void fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  count(op.operator_name());
  give_generators(op, stack, common_device(op, torch::jit::last(*stack, op.schema().arguments().size())));
  at::native::cpu_fallback(op, stack);
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>());
}

// For convolutions the fallback is not asked: PyTorch has kernels for all devices, which only refuse. These two do what
// the fallback would. Take them out when you have kernels of your own in `tiny.yaml`.

at::Tensor to_cpu(const std::optional<at::Tensor>& tensor) {
  return tensor && tensor->defined() ? tensor->cpu() : at::Tensor();
}

at::Tensor convolution(
    const at::Tensor& input,
    const at::Tensor& weight,
    const std::optional<at::Tensor>& bias,
    at::IntArrayRef stride,
    at::IntArrayRef padding,
    at::IntArrayRef dilation,
    bool transposed,
    at::IntArrayRef output_padding,
    int64_t groups) {
  count({"aten::convolution_overrideable", ""});
  TORCH_CHECK(
      input.device() == weight.device(),
      "tiny: the tensors of a convolution must be on the same device, found ", input.device(), " and ", weight.device());
  const auto output = at::convolution(
      input.cpu(), weight.cpu(), to_cpu(bias), stride, padding, dilation, transposed, output_padding, groups);
  return output.to(input.device());
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> convolution_backward(
    const at::Tensor& grad_output,
    const at::Tensor& input,
    const at::Tensor& weight,
    at::IntArrayRef stride,
    at::IntArrayRef padding,
    at::IntArrayRef dilation,
    bool transposed,
    at::IntArrayRef output_padding,
    int64_t groups,
    std::array<bool, 3> output_mask) {
  count({"aten::convolution_backward_overrideable", ""});
  const auto bias_size = grad_output.size(1);
  const auto [for_input, for_weight, for_bias] = at::convolution_backward(
      grad_output.cpu(), input.cpu(), weight.cpu(), at::IntArrayRef(bias_size), stride, padding, dilation, transposed,
      output_padding, groups, output_mask);
  const auto back = [&](const at::Tensor& tensor) { return tensor.defined() ? tensor.to(input.device()) : tensor; };
  return {back(for_input), back(for_weight), back(for_bias)};
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("convolution_overrideable", &convolution);
  m.impl("convolution_backward_overrideable", &convolution_backward);
}

// The way to Python: `python/tiny/fallback.py` calls these as `torch.ops.tiny.fallback_counts()` and so on.
TORCH_LIBRARY_FRAGMENT(tiny, m) {
  m.def("fallback_counts() -> Dict(str, int)", [] {
    const std::lock_guard lock(settings().guard);
    c10::Dict<std::string, int64_t> counts;
    for (const auto& [name, runs] : settings().counts) {
      counts.insert(name, runs);
    }
    return counts;
  });
  m.def("fallback_reset() -> ()", [] {
    const std::lock_guard lock(settings().guard);
    settings().counts.clear();
  });
  m.def("fallback_allow(str[]? names) -> ()", [](const std::optional<std::vector<std::string>>& names) {
    const std::lock_guard lock(settings().guard);
    settings().allowed = names ? std::optional<Names>({names->begin(), names->end()}) : std::nullopt;
  });
  m.def("fallback_deny(str[] names) -> ()", [](const std::vector<std::string>& names) {
    const std::lock_guard lock(settings().guard);
    settings().denied = {names.begin(), names.end()};
  });
}

} // namespace
} // namespace tiny
