// OpenMP's static schedule gives each thread its part.
#include "pass/shared_loop.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <exception>

#include "view/copy_kernels.hpp"

namespace weft {
namespace {

/// The number of the calling thread in the team that shares a loop.
int thread_number() {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

}  // namespace

void share_loop(int threads, Index units, Sharing sharing,
                const std::function<void(Index unit, int worker)>& work) {
  if (threads == 1) {
    for (Index unit = 0; unit < units; ++unit) work(unit, 0);
    store_fence();
    return;
  }
  [[maybe_unused]] const Index chunk =
      sharing == Sharing::turns ? 1 : std::max<Index>(1, (units + threads - 1) / threads);
  // An exception must not leave the thread that threw it; a caller's function may throw.
  std::exception_ptr failure;
#pragma omp parallel num_threads(threads)
  {
    const int worker = thread_number();
#pragma omp for schedule(static, chunk)
    for (Index unit = 0; unit < units; ++unit) {
      try {
        work(unit, worker);
      } catch (...) {
#pragma omp critical(weft_failure)
        failure = std::current_exception();
      }
    }
    store_fence();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace weft
