// Which declarations a shared libweft exports, for headers in C and in C++.
#ifndef WEFT_VISIBILITY_H
#define WEFT_VISIBILITY_H

/// Marks the declarations that a shared libweft exports; all others are hidden. A static libweft,
/// whose users have WEFT_STATIC defined, exports nothing of its own.
#ifdef WEFT_STATIC
#define WEFT_API
#else
#define WEFT_API __attribute__((visibility("default")))
#endif

#endif
