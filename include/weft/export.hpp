// What every public header needs first: which declarations libweft.so exports, and the language.
#pragma once

#if __cplusplus < 202002L
#error "Weft needs C++20: compile with -std=c++20 or newer (GCC 12 or Clang 14 at least)"
#endif

/// Marks what a shared libweft exports; everything else in it is hidden. A static libweft, whose
/// users have WEFT_STATIC defined, exports nothing of its own.
#ifdef WEFT_STATIC
#define WEFT_API
#else
#define WEFT_API __attribute__((visibility("default")))
#endif
