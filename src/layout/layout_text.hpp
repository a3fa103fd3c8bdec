// Layouts as text by which ranks find out whether they mean the same one.
#pragma once

#include <string>
#include <weft/layout.hpp>

namespace weft {

/// A text that differs where shapes, boxes, orders or gaps do, but for strides of the caller's own,
/// which may be other ones on each rank. Boxes and cuts of the caller's own appear as a hash.
std::string layout_text(const Layout& layout);

}  // namespace weft
