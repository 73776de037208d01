// Batch rules for operators of the sample, one for each form of plumbing.
#include <ATen/VmapGeneratedPlumbing.h>

namespace at::functorch {

using Dimension = std::optional<int64_t>;

std::tuple<Tensor, Dimension> blend_rule(const Tensor&, Dimension, const Tensor&, Dimension, const Scalar&);
void blend_in_place(Tensor&, Dimension, const Tensor&, Dimension, const Scalar&);
void attach_rule(Tensor&, Dimension, Storage);
std::tuple<std::vector<Tensor>, Dimension> nudge_list_rule(TensorList, const Scalar&);
std::tuple<Tensor, Dimension, Tensor, Dimension, Tensor, Dimension> tally_rule(
    const Tensor&, Dimension, const std::optional<Tensor>&, Dimension, const Tensor&, Dimension, int64_t);

#define BATCHED(operator_name, rule) operator_name##_generated_plumbing<decltype(&rule), &rule>

[[maybe_unused]] auto blend = BATCHED(blend, blend_rule);
#ifdef WITHOUT_RESULTS
[[maybe_unused]] auto without_results = BATCHED(blend, blend_in_place);
#endif
[[maybe_unused]] auto blend_ = BATCHED(blend_, blend_in_place);
[[maybe_unused]] auto attach = BATCHED(attach, attach_rule);
[[maybe_unused]] auto nudge_list = BATCHED(_foreach_nudge_Scalar, nudge_list_rule);
[[maybe_unused]] auto tally = BATCHED(tally_functional, tally_rule);

} // namespace at::functorch
