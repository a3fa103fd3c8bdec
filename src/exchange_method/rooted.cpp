// One rooted collective per rank: each rank in turn gathers its blocks from all others, or scatters
// its blocks to them. Slow baselines, kept for comparison.
#include "exchange/transport.hpp"

namespace weft {
namespace {

/// The root's part in its collective.
enum class Root { receives, sends };

class Rooted : public RequestTransport {
 public:
  Rooted(TransportContext context, Root root)
      : RequestTransport(std::move(context)), gathers_(root == Root::receives) {
    for (int call = 0; call < table_.calls(); ++call)
      for (int member = 0; member < table_.members; ++member) {
        const BlockTable::Run& run = gathers_ ? table_.from(call, member) : table_.to(call, member);
        counts_.push_back(static_cast<int>(run.count));
        offsets_.push_back(static_cast<int>(run.offset));
      }
  }

  void launch(int call) override {
    if (overlapped_) requests(call).assign(table_.members, MPI_REQUEST_NULL);
    for (int root = 0; root < table_.members; ++root)
      check_mpi(move(call, root), gathers_ ? "MPI_Gatherv" : "MPI_Scatterv");
  }

 private:
  int move(int call, int root) {
    const int count = gathers_ ? send_count(call, root) : receive_count(call, root);
    std::byte* const block = count == 0 ? &nothing_
                             : gathers_ ? sent(call, root)
                                        : received(call, root);
    const int* const counts = &counts_[call * table_.members];
    const int* const offsets = &offsets_[call * table_.members];
    if (!overlapped_)
      return gathers_
                 ? MPI_Gatherv(block, count, unit_, receive_, counts, offsets, unit_, root, comm())
                 : MPI_Scatterv(send_, counts, offsets, unit_, block, count, unit_, root, comm());
    MPI_Request& request = requests(call)[root];
    return gathers_ ? MPI_Igatherv(block, count, unit_, receive_, counts, offsets, unit_, root,
                                   comm(), &request)
                    : MPI_Iscatterv(send_, counts, offsets, unit_, block, count, unit_, root,
                                    comm(), &request);
  }

  bool gathers_;
  std::vector<int> counts_, offsets_;  // of the root's blocks, by call and member
};

template <Root root>
std::unique_ptr<Transport> make(TransportContext context) {
  return std::make_unique<Rooted>(std::move(context), root);
}

}  // namespace

TransportMethod gather_transport() {
  return {.name = "gather",
          .description = "one MPI_Gatherv per rank; for comparison",
          .traits = {.for_comparison = true},
          .make = make<Root::receives>};
}

TransportMethod scatter_transport() {
  return {.name = "scatter",
          .description = "one MPI_Scatterv per rank; for comparison",
          .traits = {.for_comparison = true},
          .make = make<Root::sends>};
}

}  // namespace weft
