// OpenBLAS's dgemm on one thread, since each rank has one core; a module, since only `weft net
// throughput` needs it.
#include <cblas.h>

#include "net/multiply.hpp"

// Some versions of OpenBLAS's cblas.h do not declare this.
extern "C" void openblas_set_num_threads(int threads);

extern "C" [[gnu::visibility("default")]] void weft_bench_multiply(int rows, const double* a,
                                                                   const double* b, double* c) {
  static const bool alone = (openblas_set_num_threads(1), true);
  (void)alone;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, rows, rows, 1.0, a, rows, b, rows,
              0.0, c, rows);
}
