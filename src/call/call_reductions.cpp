// The smallest word equals the largest exactly if the smallest complement is the complement of the
// smallest word: one reduction tells.
#include "call/call_reductions.hpp"

#include "machine/until.hpp"

namespace weft {
namespace {

constexpr double patience_seconds = 1;

}  // namespace

void CallReductions::start(std::uint64_t word) {
  auto reduction = std::make_unique<Reduction>(Reduction{{word, ~word}});
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, reduction->least.data(), 2, MPI_UINT64_T, MPI_MIN,
                           communicator_.get(), &reduction->request),
            "MPI_Iallreduce");
  pending_.push_back(std::move(reduction));
}

bool CallReductions::all_equal() {
  while (!pending_.empty()) {
    Reduction& first = *pending_.front();
    int done = 0;
    check_mpi(MPI_Test(&first.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (!done) return true;
    const bool equal = first.least[0] == ~first.least[1];
    pending_.pop_front();
    if (!equal) return false;
  }
  return true;
}

void CallReductions::finish() noexcept {
  const auto have_ended = [this] {
    for (int done = 1; !pending_.empty() && done; pending_.pop_front()) {
      if (MPI_Test(&pending_.front()->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return true;
      if (!done) return false;
    }
    return true;
  };
  until(have_ended, patience_seconds);
}

CallReductions::~CallReductions() {
  if (!is_finalized()) finish();
  for (auto& reduction : pending_) static_cast<void>(reduction.release());  // MPI may still write
}

}  // namespace weft
