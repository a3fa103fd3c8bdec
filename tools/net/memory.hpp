// What memory streams: all ranks of the job copy at once, as for the floor of `weft bench`.
#pragma once

#include <memory>

#include "bench/copy_candidate.hpp"
#include "bench/measure.hpp"
#include "net/job.hpp"

namespace weft::net {

class Memory {
 public:
  /// Collective, and so is `take`: one more sample.
  explicit Memory(const Job& job);
  void take();
  /// Bytes read and written per second by all ranks together.
  double bandwidth() const { return copy_->bytes() / samples_.median(); }
  const bench::Samples& samples() const { return samples_; }

 private:
  const Job& job_;
  std::unique_ptr<bench::CopyCandidate> copy_;
  bench::Samples samples_;
};

}  // namespace weft::net
