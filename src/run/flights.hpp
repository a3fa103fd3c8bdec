// The transforms of a plan that were started and whose end has not been reported to the caller yet.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "call/array_checks.hpp"
#include "run/run.hpp"

namespace weft {

/// The arrays that a transform reads and writes on this rank.
struct FlightArrays {
  const void* in = nullptr;
  ArrayMemory in_memory;
  const void* out = nullptr;
  ArrayMemory out_memory;
};

class Flights {
 public:
  explicit Flights(int fields) : fields_(fields) {}

  /// The field for the next transform. Fields take turns, so that all ranks use the same one even
  /// if different transforms have ended on them.
  int next_field() const { return next_field_; }
  void take_turn() { next_field_ = (next_field_ + 1) % fields_; }
  bool uses(int field) const;
  /// The field of a transform in flight.
  std::size_t field_of(std::uint64_t ticket) const;
  /// `call`: its number, which is the ticket for `find`.
  void add(std::uint64_t call, int field, const FlightArrays& arrays, std::unique_ptr<Run> run);
  /// Whether a transform in flight writes to one of these arrays, or reads the array `out`.
  bool disturbs(const FlightArrays& arrays) const;
  /// Null if the transform has ended.
  Run* find(std::uint64_t ticket) const;
  /// The ticket of the transform that was started first. There must be one.
  std::uint64_t oldest() const { return flights_.front().ticket; }
  void forget(std::uint64_t ticket);
  void advance() const;
  std::size_t count() const { return flights_.size(); }

 private:
  struct Flight {
    std::uint64_t ticket;
    int field;
    FlightArrays arrays;
    std::unique_ptr<Run> run;
  };

  int fields_;
  int next_field_ = 0;
  std::vector<Flight> flights_;
};

}  // namespace weft
