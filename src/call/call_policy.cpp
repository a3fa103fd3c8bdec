// The agreement costs one small reduction where all is well; who is wrong is asked only where not.
#include "call/call_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "machine/until.hpp"

namespace weft {
namespace {

/// How long a rank that has made a mistake waits for all others to make one too; and how long it
/// still waits once a rank of its node has entered the call, which shows that this one made none.
constexpr double patience_seconds = 30;
constexpr double last_seconds = 1;

}  // namespace

CallPolicy::Entry::Entry(CallPolicy& policy) : policy_(policy) {
  require_no_fork();
  if (policy.is_entered_.exchange(true))
    throw Error(
        "this plan is in a call already; it cannot be called from a function that it calls, nor by "
        "two threads at once");
  if (policy.failure_.empty()) return;
  policy.is_entered_ = false;
  throw Error(fmt::format("this plan has failed and cannot be used again: {}", policy.failure_));
}

/// Throws on all ranks where they differ or one has made a mistake.
void CallPolicy::agree_on(const std::string& name, const std::exception* mistake) {
  const std::string call = fmt::format("{}, after {} calls", name, watch_.calls());
  const WatchedStep waiting(stalls_, fmt::format("compare calls, as check_calls=1 asks: {}", call));
  const std::uint64_t hash = std::hash<std::string>()(call);
  std::array<std::uint64_t, 3> least{hash, ~hash, mistake == nullptr ? 1U : 0U};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, least.data(), static_cast<int>(least.size()), MPI_UINT64_T,
                          MPI_MIN, communicator_.get()),
            "MPI_Allreduce");
  if (least[0] == ~least[1] && least[2] == 1) return;
  try {
    agree(communicator_, [&] {
      if (mistake != nullptr) throw Error(mistake->what(), cause_of(*mistake));
    });
    require_same(communicator_, {{"call", call}});
  } catch (const Error& error) {
    throw SharedError(error.what(), error.cause());
  }
}

/// Whether every rank has made a mistake in this call: then none waits, and all may throw.
bool CallPolicy::all_ranks_failed() const {
  if (communicator_.size() == 1) return true;
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(communicator_.get(), &request), "MPI_Ibarrier");
  int done = 0;
  const auto all_are_here = [&] {
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  };
  until([&] { return all_are_here() || watch_.is_behind(); }, patience_seconds);
  // A rank may be ahead because it has already seen all others fail.
  return done != 0 || (watch_.is_behind() && until(all_are_here, last_seconds));
}

void CallPolicy::fail(const std::string& message) {
  failure_ = message;
  if (policy_ == ErrorPolicy::raise || communicator_.size() == 1) {
    watch_.fail();
    return;
  }
  end_job(communicator_, message);
}

}  // namespace weft
