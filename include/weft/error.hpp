// The one exception type: its sentence names the caller's mistake, or the failure.
#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <weft/export.hpp>

namespace weft {

/// Thrown for every mistake of a caller, and for every failure of a library underneath. For a
/// mistake it names the argument, its value and the valid values. While planning, all ranks of the
/// communicator throw it.
class WEFT_API Error : public std::runtime_error {
 public:
  /// The kind of failure. `argument`: the caller's request is wrong. `mpi`: a call of MPI failed.
  /// `memory`: there is too little memory. `data`: data were altered, or results are wrong (see
  /// Options::verify). `internal`: anything else.
  enum class Cause { argument, mpi, memory, data, internal };

  /// With the sentence that what() returns.
  explicit Error(const std::string& sentence, Cause cause = Cause::argument)
      : std::runtime_error(sentence), cause_(cause) {}

  /// The kind of failure.
  Cause cause() const { return cause_; }

 private:
  Cause cause_;
};

/// The cause of any exception: std::bad_alloc means too little memory.
inline Error::Cause cause_of(const std::exception& exception) {
  if (const auto* const error = dynamic_cast<const Error*>(&exception)) return error->cause();
  return dynamic_cast<const std::bad_alloc*>(&exception) != nullptr ? Error::Cause::memory
                                                                    : Error::Cause::internal;
}

}  // namespace weft
