// Comes first in every public header: which declarations libweft.so exports, and a check of the
// language.
#pragma once

#include <weft/visibility.h>

#if __cplusplus < 202002L
#error "Weft needs C++20: compile with -std=c++20 or newer (GCC 12 or Clang 14 at least)"
#endif
