// The interface of the module with OpenBLAS.
#pragma once

namespace weft::bench {

/// `extern "C" weft_bench_multiply`: c = a b of square matrices in C order, on one thread.
using Multiply = void(int rows, const double* a, const double* b, double* c);

}  // namespace weft::bench
