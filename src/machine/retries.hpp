// Pauses a rank between two tries of an operation that needs other ranks. The build selects which
// file implements it: simulated ranks must wait in simulated time.
#pragma once

namespace weft {

/// The tries of one wait. Its owner calls `pause` after each try that failed.
class Retries {
 public:
  /// Where ranks have cores of their own, the first `eager` pauses return at once.
  explicit Retries(int eager = 0) : eager_(eager) {}

  /// Lets other ranks run.
  void pause();
  /// The number of pauses so far.
  long pauses() const { return pauses_; }

 private:
  int eager_;
  long pauses_ = 0;
};

}  // namespace weft
