// One gather per rank: each in turn collects its blocks from all. The baseline that loses, kept for
// comparison.
#include "exchange/transport.hpp"

namespace weft {
namespace {

class Gather : public RequestTransport {
 public:
  explicit Gather(TransportContext context) : RequestTransport(std::move(context)) {
    for (int call = 0; call < table_.calls(); ++call)
      for (int member = 0; member < table_.members; ++member) {
        counts_.push_back(receive_count(call, member));
        offsets_.push_back(static_cast<int>(table_.from(call, member).offset));
      }
  }

  void start(int k, int j) override {
    const int call = table_.call(k, j);
    const int* const counts = &counts_[call * table_.members];
    const int* const offsets = &offsets_[call * table_.members];
    if (context_.overlapped) requests(call).assign(table_.members, MPI_REQUEST_NULL);
    for (int root = 0; root < table_.members; ++root) {
      const int count = send_count(call, root);
      const std::byte* const block = count > 0 ? sent(call, root) : &nothing_;
      if (context_.overlapped)
        check_mpi(MPI_Igatherv(block, count, unit_, receive_, counts, offsets, unit_, root, comm(),
                               &requests(call)[root]),
                  "MPI_Igatherv");
      else
        check_mpi(MPI_Gatherv(block, count, unit_, receive_, counts, offsets, unit_, root, comm()),
                  "MPI_Gatherv");
    }
  }

 private:
  std::vector<int> counts_, offsets_;  // by call and member
};

}  // namespace

TransportMethod gather_transport() {
  return {"gather", "one MPI_Gatherv per rank; for comparison", false,
          [](TransportContext context) -> std::unique_ptr<Transport> {
            return std::make_unique<Gather>(std::move(context));
          }};
}

}  // namespace weft
