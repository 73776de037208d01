// ${generated_comment}
#include <ATen/ViewMetaClasses.h>
#include <torch/csrc/functionalization/Module.h>

// Makes the view metadata known to Python, which can then store and load it.
namespace torch::functionalization {

void initGenerated(PyObject* module) {
  auto functionalization = py::reinterpret_borrow<py::module_>(module);
  ${view_meta_bindings}
}

} // namespace torch::functionalization
