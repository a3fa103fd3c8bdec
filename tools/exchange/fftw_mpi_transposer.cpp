// FFTW-MPI's transpose, with the fastest plan that FFTW_MEASURE finds.
#include <fftw3-mpi.h>

#include <algorithm>

#include "exchange/transposer.hpp"

namespace weft::bench {
namespace {

class FftwTransposer final : public Transposer {
 public:
  explicit FftwTransposer(const Matrix& matrix) {
    const ptrdiff_t side = matrix.side;
    const ptrdiff_t block = matrix.lines();
    plan_ = fftw_mpi_plan_many_transpose(side, side, 1, block, block, matrix.in, matrix.out,
                                         matrix.communicator, FFTW_MEASURE | FFTW_DESTROY_INPUT);
    if (plan_ == nullptr) throw Error("FFTW-MPI made no plan for such a transpose");
  }
  FftwTransposer(const FftwTransposer&) = delete;
  FftwTransposer& operator=(const FftwTransposer&) = delete;
  ~FftwTransposer() override { fftw_destroy_plan(plan_); }

  void run() override { fftw_execute(plan_); }

 private:
  fftw_plan plan_ = nullptr;
};

/// For some block sizes FFTW needs more memory than the matrix takes.
void check_room(const Matrix& matrix) {
  const ptrdiff_t shape[] = {matrix.side, matrix.side};
  ptrdiff_t unused = 0;
  const ptrdiff_t wanted =
      fftw_mpi_local_size_many_transposed(2, shape, 1, matrix.lines(), matrix.lines(),
                                          matrix.communicator, &unused, &unused, &unused, &unused);
  if (wanted > matrix.side * matrix.lines())
    throw Error("FFTW-MPI wants larger arrays than the matrix needs");
}

}  // namespace

extern "C" [[gnu::visibility("default")]] void weft_bench_transposer(
    const std::string&, const Matrix& matrix, std::unique_ptr<Transposer>& made) {
  fftw_mpi_init();
  check_room(matrix);
  made = std::make_unique<FftwTransposer>(matrix);
}

}  // namespace weft::bench
