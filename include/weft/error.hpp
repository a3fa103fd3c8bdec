// The one exception type: what a caller did wrong, or what failed, in a sentence.
#pragma once

#include <stdexcept>
#include <weft/export.hpp>

namespace weft {

/// Thrown for every mistake of a caller (naming the argument, its value and what is valid) and
/// every failure of a library underneath. While planning it is thrown on all ranks of the
/// communicator.
class WEFT_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace weft
