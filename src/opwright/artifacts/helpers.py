"""The functions that structured wrappers call: they make, resize and check outputs.

In: a dispatch key. Out: the text of the functions that can be needed under it.

Rules: spec 08 section 9.4.
"""

from __future__ import annotations

from collections.abc import Set

from opwright.artifacts.wrapped import WrappedKey
from opwright.releases.release import Release
from opwright.syntax.schema import Kind

_RESIZE_OUT = """
void resize_out(const Tensor &out, IntArrayRef sizes, IntArrayRef strides, const TensorOptions &options) {
  TORCH_CHECK(options.dtype() == out.dtype(),
      "Expected out tensor to have dtype ", options.dtype(), ", but got ", out.dtype(), " instead");
  TORCH_CHECK(options.device() == out.device(),
      "Expected out tensor to have device ", options.device(), ", but got ", out.device(), " instead");
  const bool resized = at::native::resize_output(out, sizes);
  // Strides of an output that has the right size already are the caller's own.
  if (resized) {
    if (!strides.empty()) {
      TORCH_INTERNAL_ASSERT(!options.memory_format_opt().has_value());
      out.as_strided_(sizes, strides);
    } else if (options.memory_format_opt().has_value()) {
      out.unsafeGetTensorImpl()->empty_tensor_restride(*options.memory_format_opt());
    }
  }
}
"""
_CHECK_INPLACE = """
void check_inplace(const Tensor &self, IntArrayRef sizes, const TensorOptions &options) {
  TORCH_CHECK(options.dtype() == self.dtype(), "Bad in-place call: ",
      "input tensor dtype ", self.dtype(), " and output tensor dtype ", options.dtype(), " should match");
  TORCH_CHECK(options.device() == self.device(), "Bad in-place call: ",
      "input tensor device ", self.device(), " and output tensor device ", options.device(), " should match");
  TORCH_CHECK(sizes == self.sizes(), "Bad in-place call: ",
      "input tensor size ", self.sizes(), " and output tensor size ", sizes, " should match");
}
"""


def helper_functions(wrapped: WrappedKey, release: Release) -> str:
    """The helper functions for one key."""
    kinds = {*Kind} - ({Kind.OUT} if wrapped.is_seen and wrapped.calls_out else set())
    text = helpers_for(kinds, wrapped, release)
    if not release.spelling.silenced_helpers:
        return text
    return f'C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED("-Wunused-function")\n{text}\nC10_DIAGNOSTIC_POP()\n'


def helpers_for(kinds: Set[Kind], wrapped: WrappedKey, release: Release) -> str:
    """The functions that structured wrappers of some variants call."""
    given = not kinds.isdisjoint((Kind.OUT, Kind.INPLACE))
    parts = [
        _create_out(wrapped) if Kind.FUNCTIONAL in kinds else "",
        _RESIZE_OUT if Kind.OUT in kinds else "",
        _CHECK_INPLACE if Kind.INPLACE in kinds else "",
        _create_proxy(wrapped, release) if given else "",
    ]
    return "".join(parts)


def _create_out(wrapped: WrappedKey) -> str:
    device = wrapped.device
    if not device.empty:
        return ""
    return f"""
Tensor create_out(IntArrayRef sizes, IntArrayRef strides, const TensorOptions &options) {{
  if (strides.empty()) {{
      return {device.empty}(sizes, {device.options});
  }} else {{
      return {device.empty_strided}(sizes, strides, {device.options});
  }}
}}
"""


def _create_proxy(wrapped: WrappedKey, release: Release) -> str:
    device, spelling = wrapped.device, release.spelling
    if not device.empty_strided:
        return ""
    return f"""
{spelling.optional.removeprefix("::")}<Tensor> maybe_create_proxy(
    const Tensor &out, IntArrayRef sizes, IntArrayRef strides, const TensorOptions &options) {{
  if (out.strides() != strides) {{
    return {device.empty_strided}(sizes, strides, options);
  }}
  return {spelling.nullopt.removeprefix("::")};
}}
"""
