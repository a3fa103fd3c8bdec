// Arrays of MKL, and its errors as exceptions, for all of its variants. Header only, like the
// interface of candidates.
#pragma once

#include <mkl_dfti.h>
#include <mkl_service.h>

#include <memory>
#include <new>
#include <string>
#include <weft/error.hpp>

namespace weft::bench {

inline void check_mkl(MKL_LONG status, const char* what) {
  if (status != 0)
    throw Error(std::string(what) + ": " + DftiErrorMessage(status) + " (status " +
                std::to_string(status) + ")");
}

struct MklFree {
  void operator()(void* memory) const { mkl_free(memory); }
};
using MklBuffer = std::unique_ptr<void, MklFree>;

inline MklBuffer allocate_with_mkl(MKL_LONG complex_elements) {
  MklBuffer buffer(
      mkl_malloc(static_cast<std::size_t>(complex_elements) * sizeof(MKL_Complex16), 4096));
  if (!buffer) throw std::bad_alloc();
  return buffer;
}

}  // namespace weft::bench
