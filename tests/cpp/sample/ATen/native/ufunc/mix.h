// The inner loop of the sample's operator `mix`; a vector holds several elements.
#pragma once

namespace at::native::ufunc {

template <typename Element, typename Share>
Element mix(Element self, Element other, Share share) {
  return self + (other - self) * share;
}

} // namespace at::native::ufunc
