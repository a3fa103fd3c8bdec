// One scatter per rank: each in turn deals its blocks out to all. The baseline that loses, kept for
// comparison.
#include "exchange/transport.hpp"

namespace weft {
namespace {

class Scatter : public RequestTransport {
 public:
  explicit Scatter(TransportContext context) : RequestTransport(std::move(context)) {
    for (int call = 0; call < table_.calls(); ++call)
      for (int member = 0; member < table_.members; ++member) {
        counts_.push_back(send_count(call, member));
        offsets_.push_back(static_cast<int>(table_.to(call, member).offset));
      }
  }

  void start(int k, int j) override {
    const int call = table_.call(k, j);
    const int* const counts = &counts_[call * table_.members];
    const int* const offsets = &offsets_[call * table_.members];
    if (context_.overlapped) requests(call).assign(table_.members, MPI_REQUEST_NULL);
    for (int root = 0; root < table_.members; ++root) {
      const int count = receive_count(call, root);
      std::byte* const block = count > 0 ? received(call, root) : &nothing_;
      if (context_.overlapped)
        check_mpi(MPI_Iscatterv(send_, counts, offsets, unit_, block, count, unit_, root, comm(),
                                &requests(call)[root]),
                  "MPI_Iscatterv");
      else
        check_mpi(MPI_Scatterv(send_, counts, offsets, unit_, block, count, unit_, root, comm()),
                  "MPI_Scatterv");
    }
  }

 private:
  std::vector<int> counts_, offsets_;  // by call and member
};

}  // namespace

TransportMethod scatter_transport() {
  return {"scatter", "one MPI_Scatterv per rank; for comparison", false,
          [](TransportContext context) -> std::unique_ptr<Transport> {
            return std::make_unique<Scatter>(std::move(context));
          }};
}

}  // namespace weft
