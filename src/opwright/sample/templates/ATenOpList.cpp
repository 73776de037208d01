// ${generated_comment}
#include <ATen/core/ATenOpList.h>

#include <set>
#include <string_view>
#include <utility>

#include <ATen/core/operator_name.h>

namespace at {

// An operator is custom when it is not one of those that the operator description lists.
bool is_custom_op(const c10::OperatorName& opName) {
  using Key = std::pair<std::string_view, std::string_view>;
  static const std::set<Key> listed{
      ${aten_ops}
  };
  return listed.count(Key(opName.name, opName.overload_name)) == 0;
}

} // namespace at
