// OpenBLAS's dgemm on one thread, since ranks have the cores; a module, since only `weft net
// throughput` needs it.
#include <cblas.h>

#include "net/multiply.hpp"

// Not in every cblas.h that OpenBLAS may be found with.
extern "C" void openblas_set_num_threads(int threads);

extern "C" [[gnu::visibility("default")]] void weft_bench_multiply(int rows, const double* a,
                                                                   const double* b, double* c) {
  static const bool alone = (openblas_set_num_threads(1), true);
  (void)alone;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, rows, rows, 1.0, a, rows, b, rows,
              0.0, c, rows);
}
