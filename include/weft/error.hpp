// The one exception type: what a caller did wrong, or what failed, in a sentence.
#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <weft/export.hpp>

namespace weft {

/// Thrown for every mistake of a caller (naming the argument, its value and what is valid) and
/// every failure of a library underneath. While planning it is thrown on all ranks of the
/// communicator.
class WEFT_API Error : public std::runtime_error {
 public:
  /// What went wrong. `argument`: what the caller asked for. `mpi`: a call of MPI failed. `memory`:
  /// there is too little. `data`: they were altered, or results are wrong (see Options::verify).
  /// `internal`: anything else.
  enum class Cause { argument, mpi, memory, data, internal };

  /// With the sentence that what() returns.
  explicit Error(const std::string& sentence, Cause cause = Cause::argument)
      : std::runtime_error(sentence), cause_(cause) {}

  /// What went wrong.
  Cause cause() const { return cause_; }

 private:
  Cause cause_;
};

/// The cause of any exception: std::bad_alloc is want of memory.
inline Error::Cause cause_of(const std::exception& exception) {
  if (const auto* const error = dynamic_cast<const Error*>(&exception)) return error->cause();
  return dynamic_cast<const std::bad_alloc*>(&exception) != nullptr ? Error::Cause::memory
                                                                    : Error::Cause::internal;
}

}  // namespace weft
